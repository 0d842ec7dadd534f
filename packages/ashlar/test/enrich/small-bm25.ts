import { terms } from '../../src/enrich/term.ts'

/** The exact BM25 score of every text for a query, with the usual constants. */
export function bm25(texts: readonly string[], query: string): number[] {
  const counted = texts.map((text) => {
    const counts = new Map<string, number>()
    for (const { term } of terms(text)) counts.set(term, (counts.get(term) ?? 0) + 1)
    return counts
  })
  const lengths = counted.map((counts) => [...counts.values()].reduce((sum, count) => sum + count, 0))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / texts.length
  const asked = new Set([...terms(query)].map(({ term }) => term))
  return counted.map((counts, at) => {
    let score = 0
    for (const term of asked) {
      const often = counts.get(term) ?? 0
      const holding = counted.filter((other) => other.has(term)).length
      const rarity = Math.log(1 + (texts.length - holding + 0.5) / (holding + 0.5))
      score += (rarity * often * 2.2) / (often + 1.2 * (0.25 + (0.75 * (lengths[at] as number)) / mean))
    }
    return score
  })
}
