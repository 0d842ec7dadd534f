import { spanScores, withinBudget } from 'ashlar/evaluation'
import { readChromaQuestions } from '../../bench/inputs/chroma-questions.ts'
import { readCorpora } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { partByHash } from '../question-part.ts'

const budgets = [800, 1600, 3200]
const hits = 5

/** Chroma's chunking evaluation: five corpora in one collection, judged by the evidence in the first characters that are read. */
export function readChroma({ quick }: ReadOptions): EvalSet | null {
  const small = ['state_of_the_union.md', 'chatlogs.md']
  const corpora = readCorpora().filter(({ name }) => !quick || small.includes(name))
  if (corpora.length === 0) return null
  const questions = readChromaQuestions()
    .filter(({ corpus }, at) => corpora.some(({ name }) => name === corpus) && (!quick || at % 3 === 0))
    .map(({ text, corpus, evidence }): EvalQuestion => {
      const gold = evidence.map((span) => ({ ...span, document: corpus }))
      return {
        id: `${corpus}: ${text}`,
        text,
        part: partByHash(`${corpus}\n${text}`),
        gold,
        judge: (found) => [
          ...budgets.map((budget) => spanScores(withinBudget(found, budget), gold).recall),
          spanScores(found.slice(0, hits), gold).iou,
        ],
      }
    })
  return {
    name: 'chroma',
    measures: [...budgets.map((budget) => `evidence in ${budget.toLocaleString('en')} characters`), `IoU at ${hits}`],
    depth: 50,
    documents: false,
    collections: [
      { id: 'chroma', documents: corpora.map(({ name, text }) => ({ id: name, text, format: 'markdown' })), questions },
    ],
    note: 'Five corpora in one collection, 472 questions. Evidence inside the first characters of the hits, the last one cut where the budget ends; IoU of the first five hits as the set defines it. Test: the questions whose SHA-256 of corpus and question begins with an odd byte.',
  }
}
