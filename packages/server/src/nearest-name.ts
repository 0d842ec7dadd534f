/** The name that somebody who wrote `given` may have meant: the one that fewest changes of a letter lead to, if few enough do. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let least = Math.floor(given.length / 2) + 1
  for (const name of names) {
    const steps = distance(given.toLowerCase(), name.toLowerCase())
    if (steps < least) {
      best = name
      least = steps
    }
  }
  return best
}

/** Letters to insert, to take away, to exchange or to swap with their neighbour. */
function distance(left: string, right: string): number {
  let before: number[] = []
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const same = left[at - 1] === right[to - 1]
      let steps = Math.min((row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1, (row[to - 1] ?? 0) + (same ? 0 : 1))
      if (at > 1 && to > 1 && left[at - 1] === right[to - 2] && left[at - 2] === right[to - 1]) {
        steps = Math.min(steps, (before[to - 2] ?? 0) + 1)
      }
      next.push(steps)
    }
    before = row
    row = next
  }
  return row[right.length] ?? 0
}
