import { valueSeams } from './json.ts'
import { type Format, type Seam, strength } from './seam.ts'

/** Records up to this length get no seams inside: no sensible limit cuts them, and small records stay cheap. */
const shortRecord = 128

/** JSON Lines as a format: every line is a record and stays whole where it fits; one that does not is cut like JSON. */
export const jsonLines: Format = { id: 'json-lines', seams: recordSeams }

function* recordSeams(text: string): Generator<Seam, undefined> {
  const { length } = text
  let at = 0
  while (at < length) {
    const code = text.charCodeAt(at)
    if (code <= 0x20 || code === 0xfeff) {
      at++
      continue
    }
    let next = at
    while (next < length && text.charCodeAt(next) !== 0x0a && text.charCodeAt(next) !== 0x0d) next++
    yield { at, strength: strength.item, kind: 'record', end: next, inside: 'words' }
    if (next - at > shortRecord) yield* valueSeams(text, at, next, 0, strength.item - 4)
    at = next
  }
}
