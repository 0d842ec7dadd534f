/** A hit: its score, how relevant it was said to be, and whether it holds what was asked for. */
export interface Judged {
  readonly score: number
  readonly said: number
  readonly right: boolean
}

/** The logistic curve over scores that makes what was seen most likely: Newton's method, a hundred steps at most. */
export function fitLogistic(hits: readonly (Judged & { readonly weight: number })[]): {
  readonly slope: number
  readonly middle: number
} {
  let [a, b] = [1, 0]
  for (let step = 0; step < 100; step++) {
    let [ga, gb, haa, hab, hbb] = [0, 0, 1e-9, 0, 1e-9]
    for (const { score, right, weight } of hits) {
      const p = 1 / (1 + Math.exp(-(a * score + b)))
      const miss = weight * ((right ? 1 : 0) - p)
      const bend = weight * p * (1 - p)
      ga += miss * score
      gb += miss
      haa += bend * score * score
      hab += bend * score
      hbb += bend
    }
    const determinant = haa * hbb - hab * hab
    const [da, db] = [(ga * hbb - gb * hab) / determinant, (gb * haa - ga * hab) / determinant]
    a += da
    b += db
    if (Math.abs(da) + Math.abs(db) < 1e-9) break
  }
  return { slope: a, middle: -b / a }
}

/** The mean distance between what was said and what was found, over tenths, and each tenth as `said → found (hits)`. */
export function reliability(hits: readonly Judged[]): { readonly error: number; readonly bins: readonly string[] } {
  const bins = Array.from({ length: 10 }, () => ({ said: 0, right: 0, hits: 0 }))
  for (const { said, right } of hits) {
    const bin = bins[Math.min(9, Math.floor(10 * said))]!
    bin.said += said
    bin.right += right ? 1 : 0
    bin.hits++
  }
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin.said - bin.right), 0) / Math.max(1, hits.length)
  const shown = bins.map(({ said, right, hits: count }) =>
    count === 0 ? '' : `${(said / count).toFixed(2)} → ${(right / count).toFixed(2)} (${count})`,
  )
  return { error, bins: shown }
}
