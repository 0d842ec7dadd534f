import { AshlarError } from '../../error/ashlar-error.ts'

const sealed = 4

/** A page as it is kept: what it holds, and a checksum behind it. */
export function sealPage(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const page = new Uint8Array(length + sealed)
  let at = 0
  for (const part of parts) {
    page.set(part, at)
    at += part.length
  }
  const sum = checksum(page, length)
  for (let byte = 0; byte < sealed; byte++) page[length + byte] = sum >>> (8 * byte)
  return page
}

/** What a page holds. Damage is told here, once, so that whoever reads on may trust what was written. */
export function openPage(page: Uint8Array | undefined, what: string): Uint8Array {
  if (page === undefined || page.length < sealed) throw damagedIndex(what, 'it is missing')
  // Drivers hand out subclasses of Uint8Array; one class keeps reading fast.
  const bytes = new Uint8Array(page.buffer, page.byteOffset, page.byteLength)
  const length = bytes.length - sealed
  const sum = checksum(bytes, length)
  for (let byte = 0; byte < sealed; byte++) {
    if (bytes[length + byte] !== ((sum >>> (8 * byte)) & 255)) throw damagedIndex(what, 'its checksum is wrong')
  }
  return bytes.subarray(0, length)
}

export function damagedIndex(what: string, why: string): AshlarError {
  return new AshlarError(
    'DAMAGED_STORE',
    `The ${what} of the lexical index cannot be read: ${why}. Put its documents again, or restore the store from a copy.`,
    { details: { what, why } },
  )
}

/** Four bytes at a time, each step a bijection of the state: a change of any one word always shows. */
function checksum(bytes: Uint8Array, length: number): number {
  let state = 0x9747b28c ^ length
  const whole = length & ~3
  for (let at = 0; at < whole; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    state = Math.imul(state ^ word, 0x5bd1e995)
    state ^= state >>> 15
  }
  for (let at = whole; at < length; at++) {
    state = Math.imul(state ^ (bytes[at] as number), 0x5bd1e995)
    state ^= state >>> 15
  }
  return state >>> 0
}
