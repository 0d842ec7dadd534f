/** Where similarity alone would cut, and how many sentences a chunk may have. */
export interface SemanticBreakRules {
  readonly threshold: number
  /** Whether only the lowest of neighbouring seams is taken, where several lie below the threshold. */
  readonly valleys: boolean
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

/** Where nothing is known of the similarity, nothing says that a topic ends. */
function splits(similarities: Float64Array, seam: number, { threshold, valleys }: SemanticBreakRules): boolean {
  const here = similarities[seam] as number
  if (!(here < threshold)) return false
  if (!valleys) return true
  const before = similarities[seam - 1] ?? Number.NaN
  const after = similarities[seam + 1] ?? Number.NaN
  // Of two equal ones the first is taken; the ends of the text and seams of which nothing is known count as higher.
  return !(before <= here) && !(after < here)
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
