import { type LocomoConversation, readLocomoConversations } from '../../bench/inputs/locomo.ts'
import type { EvalCollection, EvalSet } from '../eval-set.ts'
import { nestedTree } from '../nested-tree.ts'

const first = 10
const turnsOfParent = 5

/** LoCoMo: each conversation a collection, judged by the evidence turns among the first ten. */
export function readLocomo(options: { readonly quick: boolean }): EvalSet | null {
  const conversations = readLocomoConversations(options)
  if (conversations === null) return null
  return {
    name: 'LoCoMo',
    measures: [`evidence turns in the first ${first}`],
    depth: first,
    documents: false,
    collections: conversations.map(toCollection),
    note: `LoCoMo: a child is a turn (speaker, text, caption), a parent ${turnsOfParent} turns, a section a session; 1,982 questions with evidence of five kinds, those of the odd conversations as the test half.`,
  }
}

function toCollection({ id, sessions, questions: asked }: LocomoConversation, at: number): EvalCollection {
  const tree = nestedTree(
    id,
    'turns',
    sessions
      .filter((turns) => turns.length > 0)
      .map((turns) =>
        Array.from({ length: Math.ceil(turns.length / turnsOfParent) }, (_, i) =>
          turns.slice(turnsOfParent * i, turnsOfParent * (i + 1)).map(({ line }) => line),
        ),
      ),
  )
  const starts = new Map(sessions.flat().map(({ id }, child) => [id, tree.children[child]!.start]))
  const questions = asked.flatMap(({ text, evidence }) => {
    const wanted = new Set(evidence.flatMap((id) => starts.get(id) ?? []))
    if (wanted.size === 0) return []
    return [
      {
        text,
        test: at % 2 === 1,
        judge: (ranked: Parameters<EvalCollection['questions'][number]['judge']>[0]) => [
          ranked.slice(0, first).filter(({ start }) => wanted.has(start)).length / wanted.size,
        ],
      },
    ]
  })
  return { trees: [tree], questions }
}
