import type { Format, Seam } from '../../src/chunk/seam.ts'

/** Reads all seams of a text and fails at the first that breaks what every format promises. */
export function checkSeams(format: Format, text: string): Seam[] {
  const seams: Seam[] = []
  const ends: number[] = []
  let last = 0
  for (const seam of format.seams(text)) {
    const { at, end, header } = seam
    const fail = (what: string): never => {
      throw new Error(
        `${format.id}: ${what}: ${JSON.stringify(seam)} in ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 80))}`,
      )
    }
    if (!Number.isInteger(at) || at < last || at > text.length) fail('not rising or out of bounds')
    if (splits(text, at)) fail('splits a character')
    if (!(seam.strength > 0 && seam.strength <= 96)) fail('no strength')
    last = at
    while (ends.length > 0 && (ends.at(-1) as number) <= at) ends.pop()
    if (end !== undefined) {
      if (end <= at || end > text.length) fail('end out of bounds')
      if (splits(text, end)) fail('end splits a character')
      if (ends.length > 0 && end > (ends.at(-1) as number)) fail(`reaches over the end of the unit around it, ${ends.at(-1)}`)
      ends.push(end)
    }
    if (header !== undefined && !(header.start >= at && header.start < header.end && header.end <= (end ?? -1)))
      fail('header outside')
    if (seam.heading !== undefined && (seam.heading.title === '' || seam.heading.level < 1 || seam.heading.level > 6))
      fail('heading')
    seams.push(seam)
  }
  return seams
}

/** Whether a place is inside a surrogate pair or a CRLF. */
function splits(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(at)
  if (before === 0x0d && after === 0x0a) return true
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}

/** Seams in short: the text that begins there, with kind and strength, for tests to read. */
export function outlineOf(format: Format, text: string, length = 12): string[] {
  return checkSeams(format, text).map(({ at, strength, kind, end, inside }) => {
    const piece = JSON.stringify(text.slice(at, end ?? at + length))
    return `${strength} ${kind} ${inside} ${end === undefined ? '' : 'unit '}${piece}`
  })
}
