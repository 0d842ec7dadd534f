/** Whether a code unit is white space, as `String.prototype.trim` understands it. */
export function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  return (
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && (code <= 0x200a || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f)) ||
    code === 0x1680
  )
}

/** The first index at or after `at`, and at most `limit`, that is not white space. */
export function skipWhiteSpace(text: string, at: number, limit: number): number {
  let index = at
  while (index < limit && isWhiteSpace(text.charCodeAt(index))) index++
  return index
}

/** The index after the last code unit before `at`, and not before `floor`, that is not white space. */
export function skipWhiteSpaceBack(text: string, at: number, floor: number): number {
  let index = at
  while (index > floor && isWhiteSpace(text.charCodeAt(index - 1))) index--
  return index
}
