/** Characters at which nothing is taken off or added, by the number of neighbours on each side. */
const usual = [200, 600, 1000] as const
const slope = 0.03

/**
 * A score of `maxSim` with the advantage of length taken off: of more tokens one is nearer by chance alone. It loses .03 for each factor
 * e by which the text that was looked at is longer than usual, and gains as much where it is shorter.
 *
 * `characters` is the length of the child together with its `reach` neighbours on each side.
 *
 * @example
 * console.log(levelLength(0.6, 200, 0), levelLength(0.6, 400, 0).toFixed(3)) // => 0.6 0.579
 */
export function levelLength(score: number, characters: number, reach: 0 | 1 | 2): number {
  return score - slope * (Math.log(Math.max(1, characters)) - Math.log(usual[reach]))
}
