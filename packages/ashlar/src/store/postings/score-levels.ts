import type { StoredChild } from './build-segment.ts'
import type { PostingsQuery, PostingsResult, ScoredChild } from './postings.ts'

const levels = ['child', 'parent', 'section', 'document'] as const
const pivots = { child: 20, parent: 80, section: 240, document: 1000 }

export function scoreLevels(
  children: readonly StoredChild[],
  { terms, limits, children: others = [], documents, most = Number.POSITIVE_INFINITY }: PostingsQuery,
): PostingsResult {
  const keyOf = (child: StoredChild, level: (typeof levels)[number]): number => (level === 'child' ? child.key : child[level])
  const allowed = documents === undefined ? undefined : new Set(documents)
  const frequencies = new Map<string, number>()
  for (const { term } of terms) {
    const having = children.filter(({ terms: own }) => own[term] !== undefined).length
    if (having > 0) frequencies.set(term, having)
  }
  const scores = Object.fromEntries(
    levels.map((level) => {
      const groups = Map.groupBy(children, (child) => keyOf(child, level))
      const scored = [...groups].map(([key, group]): [number, number] => {
        const length = group.reduce((sum, child) => sum + child.length, 0)
        let score = 0
        for (const { term, weight } of terms) {
          const count = group.reduce((sum, child) => sum + (child.terms[term] ?? 0), 0)
          const df = frequencies.get(term) ?? 0
          const idf = Math.log(1 + (children.length + 1000 - df + 0.5) / (df + 0.5))
          score += (weight * idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / pivots[level]))
        }
        return [key, score]
      })
      return [level, new Map(scored)]
    }),
  ) as Record<(typeof levels)[number], Map<number, number>>
  const open = children.filter(({ document }) => allowed?.has(document) !== false)
  const picked = Object.fromEntries(
    levels.map((level) => {
      const keys = [...new Set(open.map((child) => keyOf(child, level)))].filter((key) => scores[level].get(key)! > 0)
      keys.sort((a, b) => scores[level].get(b)! - scores[level].get(a)! || a - b)
      return [level, new Set(keys.slice(0, limits[level]))]
    }),
  ) as Record<(typeof levels)[number], Set<number>>
  const score = (child: StoredChild): ScoredChild => ({
    key: child.key,
    parent: child.parent,
    section: child.section,
    document: child.document,
    lexical: {
      child: scores.child.get(child.key)!,
      parent: scores.parent.get(child.parent)!,
      section: scores.section.get(child.section)!,
      document: scores.document.get(child.document)!,
    },
  })
  const wanted = new Set(others)
  const sum = ({ lexical }: ScoredChild): number => lexical.child + lexical.parent + lexical.section + lexical.document
  const nominated = open
    .filter((child) => !wanted.has(child.key) && levels.some((level) => picked[level].has(keyOf(child, level))))
    .map(score)
    .sort((a, b) => sum(b) - sum(a) || a.key - b.key)
    .slice(0, most)
  const found = [...nominated, ...open.filter((child) => wanted.has(child.key)).map(score)]
  return { children: found.sort((a, b) => a.key - b.key), count: children.length, frequencies }
}
