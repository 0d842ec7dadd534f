/** How many code units on either side of a seam decide; an edit further away cannot change the choice. */
const nearby = 6

/** A 32-bit hash of the text around a seam, the same on every machine; it tells equally strong seams apart. */
export function seamHash(text: string, at: number, reach: number = nearby): number {
  let hash = 0x811c9dc5
  const end = Math.min(text.length, at + reach)
  for (let index = Math.max(0, at - reach); index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  // The low bits of a multiplicative hash of few units are weak; fold the high ones in before comparing.
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
