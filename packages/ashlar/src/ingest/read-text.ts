import { unsupportedFile } from './load-failure.ts'
import type { LoadInput } from './loader.ts'
import { decodeText } from './text-encoding.ts'

/** The text of a file that is text. */
export interface ReadText {
  readonly text: string
  readonly encoding: string
  readonly notes: readonly string[]
}

/** Below this a guess is called one in the notes. */
const sure = 0.6

/**
 * Decodes a file that is text, and says what was guessed.
 *
 * @param named The encoding that the file itself names, if it does.
 * @throws AshlarError `UNSUPPORTED_FILE` where it is no text.
 */
export function readText(input: LoadInput, named?: string): ReadText {
  const said = named ?? /charset\s*=\s*"?([\w.:-]+)/i.exec(input.mediaType ?? '')?.[1]
  const decoded = decodeText(input.bytes, said)
  if (decoded === undefined) throw unsupportedFile(input.name, 'binary data or text in an encoding that is not known')
  const { text, encoding, confidence, replaced } = decoded
  const notes: string[] = []
  if (encoding !== 'utf-8') notes.push(`Read as ${encoding}${confidence < sure ? `, which is a guess (${confidence})` : ''}.`)
  if (replaced > 0) notes.push(`${replaced} ${replaced === 1 ? 'place' : 'places'} could not be decoded and hold U+FFFD.`)
  return { text, encoding, notes }
}
