import { createHash } from 'node:crypto'
import { markdown, type Span } from 'ashlar'
import { buildTree } from 'ashlar/tree'
import { readChromaQuestions } from '../../bench/inputs/chroma-questions.ts'
import { readCorpora } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalSet, Found } from '../eval-set.ts'

const budgets = [800, 1600, 3200]

/** Chroma's chunking evaluation: five corpora in one collection, judged by the share of the evidence in the first characters read. */
export function readChroma({ quick }: { readonly quick: boolean }): EvalSet | null {
  const small = ['state_of_the_union.md', 'chatlogs.md']
  const corpora = readCorpora().filter(({ name }) => !quick || small.includes(name))
  if (corpora.length === 0) return null
  const trees = corpora.map(({ name, text }) => buildTree(text, { document: name, format: markdown }))
  const questions = readChromaQuestions()
    .filter(({ corpus }, at) => corpora.some(({ name }) => name === corpus) && (!quick || at % 3 === 0))
    .map(({ text, corpus, evidence }) => ({
      text,
      test: createHash('sha256').update(`${corpus}\n${text}`).digest()[0]! % 2 === 1,
      judge: (ranked: readonly Found[]) => budgets.map((budget) => evidenceFound(ranked, budget, corpus, evidence)),
    }))
  return {
    name: 'Chroma',
    measures: budgets.map((budget) => `evidence in ${budget.toLocaleString('en')} characters`),
    depth: 150,
    documents: false,
    collections: [{ trees, questions }],
    note: 'Chroma: five corpora in one collection, cut as markdown into children of at most 300, parents of 800, sections of 2,400 characters; all 472 questions, and the half whose SHA-256 of corpus and question begins with an odd byte.',
  }
}

/** The share of the evidence in the first characters; children do not overlap, so nothing is counted twice. */
function evidenceFound(ranked: readonly Found[], budget: number, corpus: string, evidence: readonly Span[]): number {
  let left = budget
  let found = 0
  for (const { document, start, end } of ranked) {
    if (left <= 0) break
    const read = Math.min(end, start + left)
    left -= read - start
    if (document !== corpus) continue
    for (const span of evidence) found += Math.max(0, Math.min(read, span.end) - Math.max(start, span.start))
  }
  return found / evidence.reduce((sum, span) => sum + span.end - span.start, 0)
}
