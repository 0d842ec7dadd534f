import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { anyAt } from 'ashlar/evaluation'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalSet, ReadOptions } from '../eval-set.ts'
import { documentOfPieces, rankDocuments } from '../set-pieces.ts'

interface Sample {
  readonly question_id: string
  readonly question_type: string
  readonly question: string
  readonly haystack_session_ids: readonly string[]
  readonly haystack_dates: readonly string[]
  readonly haystack_sessions: readonly (readonly { readonly role: string; readonly content: string }[])[]
  readonly answer_session_ids: readonly string[]
}

const first = 5

/** A sample of LongMemEval in its official format: each question with its own sessions, judged by one right session among the first five. */
export function readLongMemEval({ quick }: ReadOptions): EvalSet | null {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'longmemeval_sample', 'longmemeval_sample.json.gz')
  if (!existsSync(file)) return null
  const samples = (JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as readonly Sample[])
    // Those have no answer to be found; the official measure passes over them as well.
    .filter(({ question_id }) => !question_id.endsWith('_abs'))
    .filter(({ haystack_sessions }) => !quick || haystack_sessions.length < 10)
  return {
    name: 'longmemeval',
    measures: [`session recall_any@${first}`],
    depth: 100,
    documents: false,
    collections: samples.map((sample) => ({
      id: sample.question_id,
      documents: sample.haystack_sessions.map((messages, at) => ({
        id: sample.haystack_session_ids[at]!,
        title: sample.haystack_dates[at]!,
        format: 'markdown' as const,
        ...documentOfPieces(messages.map(({ role, content }) => `${role}: ${content}\n\n`)),
      })),
      questions: [
        {
          id: sample.question_id,
          text: sample.question,
          part: 'test',
          category: sample.question_type,
          judge: (found) => [anyAt(rankDocuments(found), sample.answer_session_ids, first)],
        },
      ],
    })),
    note: 'A smoke test of the official format with 7 of the 500 questions, and no statistic: each has its own sessions, a session is a document and a message a piece; one right session among the first five. Four have haystacks of about 50 sessions, three the evidence alone.',
  }
}
