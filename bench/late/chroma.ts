import { markdown, type Span } from 'ashlar'
import { buildTree, type Tree } from 'ashlar/tree'
import { readChromaQuestions } from '../inputs/chroma-questions.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import type { Place, Question, RankingSet } from './ranking-set.ts'

const budget = 1600

/** Chroma's general evaluation: five corpora in one collection, judged by the evidence inside the first 1,600 characters. */
export function readChroma(options: { readonly quick: boolean }): RankingSet | null {
  // Two small corpora and a third of their questions are some seconds' work; all five are minutes.
  const small = ['state_of_the_union.md', 'chatlogs.md']
  const corpora = readCorpora().filter(({ name }) => !options.quick || small.includes(name))
  if (corpora.length === 0) return null
  const trees = corpora.map(({ name, text }) => buildTree(text, { document: name, format: markdown }))
  const questions = readChromaQuestions().flatMap(({ text, corpus, evidence }): Question[] => {
    const tree = corpora.findIndex(({ name }) => name === corpus)
    return tree < 0 ? [] : [{ text, judge: (ranked) => evidenceFound(trees, ranked, tree, evidence) }]
  })
  const asked = options.quick ? questions.filter((_, at) => at % 3 === 0) : questions
  return { name: 'Chroma', measure: `evidence in ${budget} characters`, collections: [{ trees, questions: asked }] }
}

/** The share of the evidence that lies in the first characters read; children do not overlap, so nothing is counted twice. */
function evidenceFound(trees: readonly Tree[], ranked: readonly Place[], tree: number, evidence: readonly Span[]): number {
  let left = budget
  let found = 0
  for (const place of ranked) {
    if (left <= 0) break
    const piece = trees[place.tree]!.children[place.child]!
    const end = Math.min(piece.end, piece.start + left)
    left -= end - piece.start
    if (place.tree !== tree) continue
    for (const span of evidence) found += Math.max(0, Math.min(end, span.end) - Math.max(piece.start, span.start))
  }
  return found / evidence.reduce((sum, span) => sum + span.end - span.start, 0)
}
