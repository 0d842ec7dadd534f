/**
 * A term as bytes: UTF-8 of each UTF-16 code unit by itself, so that bytes compare as strings do, and that half a surrogate pair is kept
 * as it is.
 */
export function termBytes(term: string): Uint8Array {
  const bytes = new Uint8Array(term.length)
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at)
    if (code >= 0x80) return wideBytes(term)
    bytes[at] = code
  }
  return bytes
}

function wideBytes(term: string): Uint8Array {
  const bytes = new Uint8Array(term.length * 3)
  let length = 0
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at)
    if (code < 0x80) {
      bytes[length++] = code
      continue
    }
    if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6)
    } else {
      bytes[length++] = 0xe0 | (code >> 12)
      bytes[length++] = 0x80 | ((code >> 6) & 0x3f)
    }
    bytes[length++] = 0x80 | (code & 0x3f)
  }
  return bytes.subarray(0, length)
}

/** Terms side by side in one array: the term at `index` ends where the next one starts. */
export interface TermList {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
}

/** Below 0, 0 or above, as the term of a list comes before, is or comes after another. */
export function compareTerm({ bytes, starts }: TermList, index: number, term: Uint8Array): number {
  const start = starts[index] as number
  const length = (starts[index + 1] as number) - start
  const shorter = Math.min(length, term.length)
  for (let at = 0; at < shorter; at++) {
    const difference = (bytes[start + at] as number) - (term[at] as number)
    if (difference !== 0) return difference
  }
  return length - term.length
}

/** How many terms of a sorted list come before `term`, or come before it or are it. */
export function countBefore(list: TermList, term: Uint8Array, orEqual: boolean): number {
  let low = 0
  let high = list.starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const order = compareTerm(list, middle, term)
    if (order < 0 || (orEqual && order === 0)) low = middle + 1
    else high = middle
  }
  return low
}
