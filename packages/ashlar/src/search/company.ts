import type { ScoredChild } from './scored-child.ts'
import type { Scope } from './search-options.ts'

/** Characters over which children of a document count as company. */
const reach = 4800

/** How much of the distance between the best and the middle a child gains by each neighbour as good as the best. */
const gains: Readonly<Record<Scope, number>> = { fact: 0.05, topic: 0.4 }

/**
 * Orders children by their score and by the company that they keep: where much of a stretch was found, the stretch is about the
 * question. The scores stay what they are, absolute; only the order looks around.
 *
 * Company counts with the third power of how good it is, so that where one child stands out the others do not move it.
 */
export function orderByCompany(scored: readonly ScoredChild[], scope: Scope): ScoredChild[] {
  let best = Number.NEGATIVE_INFINITY
  let sum = 0
  for (const { score } of scored) {
    best = Math.max(best, score)
    sum += score
  }
  const middle = sum / scored.length
  const above = best - middle
  // All alike, or one alone.
  if (!(above > 0)) return [...scored]
  const merit = scored.map(({ score }) => Math.max(0, (score - middle) / above) ** 3)
  const documents = Map.groupBy(scored.keys(), (at) => documentOf(scored[at] as ScoredChild))
  return scored.map((child) => {
    let company = 0
    for (const at of documents.get(documentOf(child)) as number[]) {
      const distance = Math.abs((scored[at] as ScoredChild).own.start - child.own.start)
      if (distance < reach) company += (1 - distance / reach) * (merit[at] as number)
    }
    return { ...child, order: child.score + gains[scope] * above * company }
  })
}

function documentOf({ record: { workspace, document } }: ScoredChild): string {
  return `${workspace}\n${document.id}`
}
