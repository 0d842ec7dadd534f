/** Where similarity alone would cut, and how many sentences a chunk may have. */
export interface SemanticBreakRules {
  readonly threshold: number
  /** Of seams below the threshold that are at most so far apart, only the lowest is taken; 0 takes them all. */
  readonly apart: number
  readonly minSentences: number
  readonly maxSentences: number
}

/**
 * The seams at which a new chunk begins, as indices into `similarities`, rising: where similarity falls below the threshold, and
 * where a run of sentences would exceed the maximum, at the least similar seam of its second half.
 */
export function semanticBreaks(similarities: Float64Array, rules: SemanticBreakRules): number[] {
  const { minSentences, maxSentences } = rules
  const breaks: number[] = []
  const seams = similarities.length
  // Sentences `first` to `seam` are one chunk so far.
  let first = 0
  for (let seam = 0; seam < seams; seam++) {
    const count = seam - first + 1
    let at = -1
    if (count >= minSentences && seams - seam >= minSentences && splits(similarities, seam, rules)) at = seam
    else if (count === maxSentences) at = leastSimilar(similarities, first + Math.max(minSentences, maxSentences >>> 1) - 1, seam)
    if (at === -1) continue
    breaks.push(at)
    first = at + 1
    seam = at
  }
  return breaks
}

/** Where nothing is known of the similarity, nothing says that a topic ends. Of equal seams the first is taken. */
function splits(similarities: Float64Array, seam: number, { threshold, apart }: SemanticBreakRules): boolean {
  const here = similarities[seam] as number
  if (!(here < threshold)) return false
  for (let other = Math.max(0, seam - apart); other < seam; other++) if ((similarities[other] as number) <= here) return false
  const to = Math.min(similarities.length - 1, seam + apart)
  for (let other = seam + 1; other <= to; other++) if ((similarities[other] as number) < here) return false
  return true
}

/** The last seam of the lowest similarity in a stretch. */
function leastSimilar(similarities: Float64Array, from: number, to: number): number {
  let least = to
  for (let seam = to; seam >= from; seam--) {
    if ((similarities[seam] as number) < (similarities[least] as number) || Number.isNaN(similarities[least] as number))
      least = seam
  }
  return least
}
