import { ndcgAt } from 'ashlar/evaluation'
import { readSciFact } from '../../bench/inputs/scifact.ts'
import type { EvalDocument, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { rankDocuments } from '../set-pieces.ts'

const first = 10
const everything = { claims: Number.POSITIVE_INFINITY, abstracts: Number.POSITIVE_INFINITY }

/** How much of SciFact is read: so many claims of each part, over the abstracts that they need and others. */
interface SciFactOptions extends ReadOptions {
  readonly claims?: number
  readonly abstracts?: number
}

/** SciFact in the split of BEIR: claims, judged by the order of the abstracts that speak for or against them. */
export function readSciFactSet({ quick, ...most }: SciFactOptions): EvalSet | null {
  const { claims, abstracts } = { ...(quick ? { claims: 40, abstracts: 300 } : everything), ...most }
  const documents = new Map<string, EvalDocument>()
  const questions: EvalQuestion[] = []
  for (const [split, part] of [
    ['test', 'test'],
    ['train', 'dev'],
  ] as const) {
    const set = readSciFact(abstracts, claims, split)
    if (set === null) return null
    for (const { id, text } of set.documents) documents.set(id, { id, text, format: 'plain' })
    for (const { id, text, relevant, evidence: gold } of set.queries) {
      questions.push({ id, text, part, gold, judge: (found) => [ndcgAt(rankDocuments(found), relevant, first)] })
    }
  }
  return {
    name: 'scifact',
    measures: [`nDCG@${first}`],
    depth: 100,
    documents: false,
    collections: [{ id: 'scifact', documents: [...documents.values()], questions }],
    note: '5,183 abstracts with their titles, each a document; documents rank in the order of their first hit. Test: the 300 test claims; development: the 809 train claims.',
  }
}
