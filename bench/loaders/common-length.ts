/**
 * Length of the longest common subsequence of two texts, by walking the furthest-reaching paths of Myers' comparison: time grows with the
 * length times the number of differences. After `most` differences what is certain so far is returned, which is less.
 */
export function commonLength(one: string, other: string, most = 40_000): number {
  const offset = most + 1
  const reach = new Int32Array(2 * most + 3)
  let furthest = 0
  for (let differences = 0; differences <= Math.min(most, one.length + other.length); differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const down =
        diagonal === -differences ||
        (diagonal !== differences && at(reach, offset + diagonal - 1) < at(reach, offset + diagonal + 1))
      let x = down ? at(reach, offset + diagonal + 1) : at(reach, offset + diagonal - 1) + 1
      let y = x - diagonal
      while (x < one.length && y < other.length && one.charCodeAt(x) === other.charCodeAt(y)) {
        x++
        y++
      }
      reach[offset + diagonal] = x
      // Each step along a diagonal is a character in common; all other steps are differences.
      furthest = Math.max(furthest, (Math.min(x, one.length) + Math.min(y, other.length) - differences) / 2)
      if (x >= one.length && y >= other.length) return (one.length + other.length - differences) / 2
    }
  }
  return Math.floor(furthest)
}

function at(reach: Int32Array, index: number): number {
  return reach[index] as number
}
