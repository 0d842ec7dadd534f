import type { Tree, TreePiece } from 'ashlar/tree'
import { type LocomoConversation, type LocomoTurn, readLocomoConversations } from '../inputs/locomo.ts'
import type { Collection, Place, RankingSet } from './ranking-set.ts'

const parentSize = 800
const first = 10

/** LoCoMo: each conversation a collection of its own, a child a turn, a section a session, judged by the evidence turns among the first ten. */
export function readLocomo(options: { readonly quick: boolean }): RankingSet | null {
  const conversations = readLocomoConversations(options)
  if (conversations === null) return null
  return { name: 'LoCoMo', measure: `evidence turns in the first ${first}`, collections: conversations.map(toCollection) }
}

function toCollection({ sessions, questions: asked }: LocomoConversation): Collection {
  const turns = new Map(sessions.flat().map(({ id }, child) => [id, child]))
  const questions = asked.flatMap(({ text, evidence }) => {
    const wanted = new Set(evidence.flatMap((id) => turns.get(id) ?? []))
    if (wanted.size === 0) return []
    const judge = (ranked: readonly Place[]): number =>
      ranked.slice(0, first).filter(({ child }) => wanted.has(child)).length / wanted.size
    return [{ text, judge }]
  })
  return { trees: [toTree(sessions)], questions }
}

/** A conversation as a tree: turns, runs of turns up to 800 characters, sessions. */
function toTree(sessions: readonly (readonly LocomoTurn[])[]): Tree {
  const children: TreePiece[] = []
  const parents: TreePiece[] = []
  const sections: TreePiece[] = []
  let text = ''
  const close = (level: TreePiece[], below: readonly TreePiece[], from: number, above: number): void => {
    if (from === below.length) return
    const start = below[from]!.start
    level.push({ ...piece(text, start, level.length), above, first: from, after: below.length })
  }
  for (const session of sessions) {
    const firstParent = parents.length
    let firstChild = children.length
    for (const { line } of session) {
      if (firstChild < children.length && text.length + line.length - children[firstChild]!.start > parentSize) {
        close(parents, children, firstChild, sections.length)
        firstChild = children.length
      }
      const start = text.length
      text += line
      children.push({ ...piece(text, start, children.length), above: parents.length, first: 0, after: 0 })
    }
    close(parents, children, firstChild, sections.length)
    close(sections, parents, firstParent, 0)
  }
  return { document: 'conversation', title: '', format: 'turns', text, sections, parents, children }
}

function piece(text: string, start: number, index: number): Omit<TreePiece, 'above' | 'first' | 'after'> {
  return { id: `${start}`, start, end: text.length, text: text.slice(start), lead: 0, index, outline: [] }
}
