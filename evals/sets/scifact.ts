import { ndcgAt } from 'ashlar/evaluation'
import { readSciFact } from '../../bench/inputs/scifact.ts'
import type { EvalDocument, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { rankDocuments } from '../set-pieces.ts'

const first = 10

/** SciFact in the split of BEIR: claims, judged by the order of the abstracts that speak for or against them. */
export function readSciFactSet({ quick }: ReadOptions): EvalSet | null {
  const documents = new Map<string, EvalDocument>()
  const questions: EvalQuestion[] = []
  for (const [split, part] of [
    ['test', 'test'],
    ['train', 'dev'],
  ] as const) {
    const set = readSciFact(quick ? 300 : Number.POSITIVE_INFINITY, quick ? 40 : Number.POSITIVE_INFINITY, split)
    if (set === null) return null
    for (const { id, text } of set.documents) documents.set(id, { id, text, format: 'plain' })
    for (const { id, text, relevant } of set.queries) {
      questions.push({ id, text, part, judge: (found) => [ndcgAt(rankDocuments(found), relevant, first)] })
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
