import type { ChildRecord, Nominations, QueryTerm } from '../store/store.ts'
import { analyse } from '../text/analyse.ts'
import { pieceWeight } from '../vector/late-query.ts'

/**
 * How much of what the query asks for is said by the place of a child and not by its text: the name and title of its document, the
 * headings above it. A share of the terms by their weight, however often each stands there.
 */
export function contextLeg(
  terms: readonly QueryTerm[],
  { count, frequencies }: Pick<Nominations, 'count' | 'frequencies'>,
): (record: Pick<ChildRecord, 'document' | 'outline'>) => number {
  const weights = new Map(terms.map(({ term, weight }) => [term, weight * pieceWeight(frequencies.get(term) ?? 0, count)]))
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  const known = new Map<string, number>()
  return ({ document, outline }) => {
    if (total === 0) return 0
    const place = [document.id, document.title, ...outline].join('\n')
    let share = known.get(place)
    if (share === undefined) {
      share = analyse(place).terms.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / total
      known.set(place, share)
    }
    return share
  }
}
