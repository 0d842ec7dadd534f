import { isAshlarError } from '../error/ashlar-error.ts'
import { rerankAll } from '../model/rerank-all.ts'
import { byOrder, type ScoredChild } from './scored-child.ts'
import type { SearchRerank } from './search-options.ts'
import type { Degraded } from './search-result.ts'

/** Most characters around a child that a reranker reads. */
const windowSize = 800

/** Logits beyond this say no more. */
const surest = 10

/**
 * Lets a cross-encoder judge the best children, each with what stands around it: of a bare child it knows too little. Those that it read
 * come first, in the order of score and judgement together; the others stay behind them.
 */
export async function rerankChildren(
  ranked: readonly ScoredChild[],
  query: string,
  { reranker, top = 30, weight = 0.1, ...work }: SearchRerank,
  { whenModelFails, signal }: { readonly whenModelFails: 'degrade' | 'throw'; readonly signal: AbortSignal | undefined },
): Promise<{ readonly ranked: readonly ScoredChild[]; readonly degraded?: Degraded }> {
  const best = ranked.slice(0, top)
  const judged: ScoredChild[] = []
  try {
    const options = { ...work, ...(signal === undefined ? {} : { signal }) }
    for await (const { index, score, error } of rerankAll(reranker, query, best.map(around), options)) {
      if (error !== undefined) throw error
      const child = best[index] as ScoredChild
      const logit = reranker.identity.scale === 'logit' ? score : Math.log(score / (1 - score))
      // From 0 to 1 like every other leg, and as steep as they are in the middle.
      const share = 0.5 + Math.min(surest, Math.max(-surest, logit)) / (2 * surest)
      judged.push({ ...child, order: (child.order + weight * share) / (1 + weight), reranked: score })
    }
  } catch (error) {
    signal?.throwIfAborted()
    if (whenModelFails === 'throw') throw error
    const reason = error instanceof Error ? error.message : String(error)
    return { ranked, degraded: { part: 'rerank', reason, ...(isAshlarError(error) ? { code: error.code } : {}) } }
  }
  return { ranked: [...judged.sort(byOrder), ...ranked.slice(top)] }
}

/** The parent, or as much of it around the child as is read. */
function around({ own, record: { parent } }: ScoredChild): string {
  if (parent.text.length <= windowSize) return parent.text
  const room = Math.max(0, windowSize - (own.end - own.start))
  const start = Math.max(0, Math.min(own.start - parent.start - (room >> 1), parent.text.length - windowSize))
  const end = Math.max(start + windowSize, own.end - parent.start)
  return parent.text.slice(start, Math.min(end, start + 2 * windowSize)).toWellFormed()
}
