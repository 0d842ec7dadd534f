import { wordSpans } from 'ashlar'
import type { Tree } from 'ashlar/tree'

const pivots = { child: 20, parent: 80, section: 240 } as const
const k1 = 1.2
const b = 0.75

/** What a level's words say about a query, for each piece of the level, tree after tree. */
export interface WordScores {
  readonly child: Float64Array
  readonly parent: Float64Array
  readonly section: Float64Array
}

/**
 * BM25 at three levels with one table of document frequencies, counted over children, and fixed lengths: the lexical legs of
 * configuration E, as plain as they can be. The product's own analyser will do better than this stemming.
 */
export function openWordLevels(trees: readonly Tree[]): (query: string) => WordScores {
  const levels = { child: openLevel(), parent: openLevel(), section: openLevel() }
  for (const tree of trees) {
    for (const { text } of tree.children) levels.child.add(text)
    for (const { text } of tree.parents) levels.parent.add(text)
    for (const { text } of tree.sections) levels.section.add(text)
  }
  return (query) => {
    const terms = [...new Set(stems(query))]
    const weight = (term: string): number => {
      const having = levels.child.postings.get(term)?.length ?? 0
      return Math.log(1 + (levels.child.lengths.length + 1000 - having + 0.5) / (having + 0.5))
    }
    const most = 2.2 * terms.reduce((sum, term) => sum + weight(term), 0) || 1
    const score = (name: keyof typeof pivots): Float64Array => {
      const { postings, lengths } = levels[name]
      const scores = new Float64Array(lengths.length)
      for (const term of terms) {
        for (const { at, count } of postings.get(term) ?? []) {
          const length = 1 - b + (b * lengths[at]!) / pivots[name]
          scores[at]! += (weight(term) * count * (k1 + 1)) / (count + k1 * length) / most
        }
      }
      return scores
    }
    return { child: score('child'), parent: score('parent'), section: score('section') }
  }
}

interface Level {
  readonly postings: Map<string, { readonly at: number; count: number }[]>
  readonly lengths: number[]
  add(text: string): void
}

function openLevel(): Level {
  const postings: Level['postings'] = new Map()
  const lengths: number[] = []
  return {
    postings,
    lengths,
    add(text) {
      const terms = stems(text)
      const at = lengths.push(terms.length) - 1
      for (const term of terms) {
        const known = postings.get(term)
        if (known === undefined) postings.set(term, [{ at, count: 1 }])
        else if (known.at(-1)!.at === at) known.at(-1)!.count++
        else known.push({ at, count: 1 })
      }
    },
  }
}

const functionWords = new Set(
  'a an the of to in on at by for with and or is are was were be been it its this that as from did do does'.split(' '),
)

function stems(text: string): string[] {
  return [...wordSpans(text)]
    .map(({ start, end }) => text.slice(start, end).toLowerCase())
    .filter((word) => !functionWords.has(word))
    .map((word) => (word.length < 5 ? word.replace(/s$/, '') : word.replace(/(?:'s|ies|ing|ed|es|s|e|y)$/, '')))
}
