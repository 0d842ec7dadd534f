import { recallAt } from 'ashlar/evaluation'
import { type LocomoConversation, readLocomoConversations } from '../../bench/inputs/locomo.ts'
import type { EvalCollection, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { documentOfPieces, pieceName, rankPieces } from '../set-pieces.ts'

const first = 10

/** LoCoMo: each conversation a collection of sessions, judged by the evidence turns among the first ten. */
export function readLocomo(options: ReadOptions): EvalSet | null {
  const conversations = readLocomoConversations(options)
  if (conversations === null) return null
  return {
    name: 'locomo',
    measures: [`turn recall@${first}`],
    depth: 3 * first,
    documents: false,
    collections: conversations.map(toCollection),
    note: 'Ten conversations; a session is a document, a turn (speaker, text, caption) a piece. Share of the evidence turns among the first ten that the hits bring; 1,982 questions with evidence of all five kinds. Test: the odd conversations.',
  }
}

function toCollection({ id, sessions, dates, questions: asked }: LocomoConversation, at: number): EvalCollection {
  const documents = sessions.map((turns, session) => ({
    id: `${id}/session-${session + 1}`,
    title: dates[session]!,
    format: 'plain' as const,
    ...documentOfPieces(turns.map(({ line }) => line)),
  }))
  const places = new Map(
    sessions.flatMap((turns, session) => turns.map((turn, place) => [turn.id, pieceName(documents[session]!.id, place)])),
  )
  const rank = rankPieces(documents)
  const questions = asked.flatMap(({ text, category, evidence }, number): EvalQuestion[] => {
    const wanted = evidence.flatMap((turn) => places.get(turn) ?? [])
    if (wanted.length === 0) return []
    const judge: EvalQuestion['judge'] = (found) => [recallAt(rank(found), wanted, first)]
    return [{ id: `${id}/${number}`, text, part: at % 2 === 1 ? 'test' : 'dev', category, judge }]
  })
  return { id, documents: documents.filter(({ text }) => text !== ''), questions }
}
