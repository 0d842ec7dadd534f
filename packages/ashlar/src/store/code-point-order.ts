/**
 * Compares two strings by code points: negative, zero or positive.
 *
 * JavaScript's own order is by UTF-16 code units, which puts characters beyond U+FFFF before some below; databases that compare UTF-8
 * bytes do not.
 */
export function compareByCodePoint(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at)
    const other = right.charCodeAt(at)
    if (one === other) continue
    const surrogates = Number(isSurrogate(one)) - Number(isSurrogate(other))
    return surrogates === 0 ? one - other : surrogates
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
