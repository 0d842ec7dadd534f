import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { spanScores, withinBudget } from 'ashlar/evaluation'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import { readLines } from '../../bench/inputs/read-lines.ts'
import type { EvalCollection, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { documentOfPieces } from '../set-pieces.ts'

interface Meeting {
  readonly meeting_transcripts: readonly { readonly speaker: string; readonly content: string }[]
  readonly specific_query_list: readonly {
    readonly query: string
    /** First and last turn of each stretch. */
    readonly relevant_text_span: readonly (readonly [string, string])[]
  }[]
}

const budget = 6000

/** QMSum: each meeting a collection, judged by the characters of the gold turns in what is read of it. */
export function readQmsum({ quick }: ReadOptions): EvalSet | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'qmsum')
  if (!existsSync(home)) return null
  const collections = (
    [
      ['test', 'test'],
      ['val', 'dev'],
    ] as const
  ).flatMap(([file, part]) =>
    readLines<Meeting>(readFileSync(join(home, `${file}.jsonl`), 'utf8'))
      .slice(0, quick ? 2 : Number.POSITIVE_INFINITY)
      .map((meeting, at) => toCollection(`${file}-${at + 1}`, meeting, part)),
  )
  return {
    name: 'qmsum',
    measures: [`recall in ${budget.toLocaleString('en')} characters`, `precision in ${budget.toLocaleString('en')} characters`],
    depth: 100,
    documents: false,
    scope: 'topic',
    collections,
    note: `A meeting is a document, a line a turn; the specific queries, asked with scope topic: what was said about something is a stretch of some fifty turns. Share of the characters of the gold turns inside the first ${budget.toLocaleString('en')} characters of the hits (five windows of 1,200), and share of those characters that are gold. Test: the 244 queries of the test file; development: the 237 of the validation file.`,
  }
}

function toCollection(id: string, meeting: Meeting, part: 'dev' | 'test'): EvalCollection {
  const { text, pieces: turns } = documentOfPieces(
    meeting.meeting_transcripts.map(({ speaker, content }) => `${speaker}: ${content}\n`),
  )
  const questions = meeting.specific_query_list.map(({ query, relevant_text_span }, at): EvalQuestion => {
    const gold = relevant_text_span.map(([from, to]) => ({
      document: id,
      start: turns[Number(from)]!.start,
      end: turns[Number(to)]!.end,
    }))
    const judge: EvalQuestion['judge'] = (found) => {
      const { recall, precision } = spanScores(withinBudget(found, budget), gold)
      return [recall, precision]
    }
    return { id: `${id}/${at + 1}`, text: query, part, gold, judge }
  })
  return { id, documents: [{ id, text, format: 'plain' }], questions }
}
