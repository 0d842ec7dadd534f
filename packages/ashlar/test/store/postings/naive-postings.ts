import type { PostingsQuery, PostingsResult, ScoredChild } from '../../../src/store/postings/postings-query.ts'
import type { SegmentChild } from '../../../src/store/postings/segment-child.ts'

const levels = ['child', 'parent', 'section', 'document'] as const
type Level = (typeof levels)[number]
const pivots = { child: 20, parent: 80, section: 240, document: 1000 }

/** What the postings must find among these children, worked out from the definition and from nothing else. */
export function naiveQuery(
  children: readonly SegmentChild[],
  { terms, limits, children: others = [], documents, most = Number.POSITIVE_INFINITY }: PostingsQuery,
): PostingsResult {
  const keyOf = (child: SegmentChild, level: Level): number => (level === 'child' ? child.key : child[level])
  const countOf = (child: SegmentChild, term: string): number =>
    [child.own, child.generated].reduce((sum, field) => sum + (field?.counts[field.terms.indexOf(term)] ?? 0), 0)
  const frequencies = new Map<string, number>()
  for (const { term } of terms) {
    const having = children.filter((child) => countOf(child, term) > 0).length
    if (having > 0) frequencies.set(term, having)
  }
  const scores = Object.fromEntries(
    levels.map((level) => {
      const groups = new Map<number, SegmentChild[]>()
      for (const child of children) groups.set(keyOf(child, level), [...(groups.get(keyOf(child, level)) ?? []), child])
      const scored = [...groups].map(([key, group]): [number, number] => {
        const length = group.reduce((sum, { own, generated }) => sum + own.length + (generated?.length ?? 0), 0)
        let score = 0
        for (const { term, weight } of terms) {
          const count = group.reduce((sum, child) => sum + countOf(child, term), 0)
          const frequency = frequencies.get(term) ?? 0
          const idf = Math.log(1 + (children.length + 1000 - frequency + 0.5) / (frequency + 0.5))
          score += (weight * idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / pivots[level]))
        }
        return [key, score]
      })
      return [level, new Map(scored)]
    }),
  ) as Record<Level, Map<number, number>>
  const open = children.filter(({ document }) => documents?.includes(document) !== false)
  const picked = Object.fromEntries(
    levels.map((level) => {
      const keys = [...new Set(open.map((child) => keyOf(child, level)))].filter((key) => scores[level].get(key)! > 0)
      keys.sort((a, b) => round(scores[level].get(b)!) - round(scores[level].get(a)!) || a - b)
      return [level, new Set(keys.slice(0, limits[level]))]
    }),
  ) as Record<Level, Set<number>>
  const score = (child: SegmentChild): ScoredChild => ({
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
  const sum = ({ lexical }: ScoredChild): number => round(lexical.child + lexical.parent + lexical.section + lexical.document)
  const nominated = open
    .filter((child) => !wanted.has(child.key) && levels.some((level) => picked[level].has(keyOf(child, level))))
    .map(score)
    .sort((a, b) => sum(b) - sum(a) || a.key - b.key)
    .slice(0, most)
  const found = [...nominated, ...open.filter((child) => wanted.has(child.key)).map(score)]
  return { children: found.sort((a, b) => a.key - b.key), count: children.length, frequencies }
}

/** Sums that differ in their last bit only are ties. */
function round(score: number): number {
  return Number(score.toPrecision(12))
}
