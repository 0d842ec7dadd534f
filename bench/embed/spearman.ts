/** Spearman's rank correlation: how far two measures agree on an order. Ties share the mean of their ranks. */
export function spearman(left: readonly number[], right: readonly number[]): number {
  const [x, y] = [ranks(left), ranks(right)]
  const mean = (x.length - 1) / 2
  const sum = (of: (at: number) => number): number => x.reduce((total, _, at) => total + of(at), 0)
  const shared = sum((at) => (x[at]! - mean) * (y[at]! - mean))
  return shared / Math.sqrt(sum((at) => (x[at]! - mean) ** 2) * sum((at) => (y[at]! - mean) ** 2))
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((a, b) => values[a]! - values[b]!)
  const result = new Array<number>(values.length)
  for (let start = 0; start < order.length; ) {
    let end = start + 1
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++
    for (let at = start; at < end; at++) result[order[at]!] = (start + end - 1) / 2
    start = end
  }
  return result
}
