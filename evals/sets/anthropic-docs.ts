import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { precisionAt, recallAt, reciprocalRank } from 'ashlar/evaluation'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { rankDocuments } from '../set-pieces.ts'

interface DocsPart {
  readonly chunk_link: string
  readonly chunk_heading: string
  readonly text: string
}

interface DocsQuestion {
  readonly id: string
  readonly question: string
  readonly correct_chunks: readonly string[]
}

const first = 3

/** Anthropic's documentation set: parts of a manual, judged by the right ones among the first three. */
export function readAnthropicDocs({ quick }: ReadOptions): EvalSet | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'anthropic_docs_rag')
  if (!existsSync(home)) return null
  const json = <Content>(name: string): Content => JSON.parse(readFileSync(join(home, name), 'utf8')) as Content
  const parts = json<readonly DocsPart[]>('anthropic_docs.json')
  const asked = json<readonly DocsQuestion[]>('docs_evaluation_dataset.json').filter((_, at) => !quick || at % 5 === 0)
  const needed = new Set(asked.flatMap(({ correct_chunks }) => correct_chunks))
  // The heading is the first line of each text.
  const documents = parts
    .filter(({ chunk_link }, at) => !quick || needed.has(chunk_link) || at % 5 === 0)
    .map(({ chunk_link, text }) => ({ id: chunk_link, text, format: 'plain' as const }))
  const questions = asked.map(({ id, question, correct_chunks }): EvalQuestion => {
    const judge: EvalQuestion['judge'] = (found) => {
      const ranked = rankDocuments(found)
      return [
        recallAt(ranked, correct_chunks, first),
        reciprocalRank(ranked, correct_chunks, first),
        precisionAt(ranked, correct_chunks, first),
      ]
    }
    return { id, text: question, part: 'test', judge }
  })
  return {
    name: 'anthropic-docs',
    measures: [`recall@${first}`, `MRR@${first}`, `precision@${first}`],
    depth: 30,
    documents: false,
    collections: [{ id: 'anthropic-docs', documents, questions }],
    note: '232 parts of a manual, each a document; 100 questions, all of them the test part. Documents rank in the order of their first hit; nothing is chosen on this set.',
  }
}
