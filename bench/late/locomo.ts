import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree, TreePiece } from 'ashlar/tree'
import { evaluationFolder } from '../inputs/evaluation-folder.ts'
import type { Collection, Place, RankingSet } from './ranking-set.ts'

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Sample {
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: string; readonly evidence: readonly string[] }[]
}

const parentSize = 800
const first = 10

/** LoCoMo: each conversation a collection of its own, a child a turn, a section a session, judged by the evidence turns among the first ten. */
export function readLocomo(options: { readonly quick: boolean }): RankingSet | null {
  const folder = evaluationFolder()
  if (folder === null) return null
  const samples = JSON.parse(readFileSync(join(folder, 'locomo', 'locomo10.json'), 'utf8')) as Sample[]
  const quick = samples.slice(0, 1).map(({ conversation, qa }) => ({ conversation, qa: qa.filter((_, at) => at % 3 === 0) }))
  const collections = (options.quick ? quick : samples).map(toCollection)
  return { name: 'LoCoMo', measure: `evidence turns in the first ${first}`, collections }
}

function toCollection({ conversation, qa }: Sample): Collection {
  const sessions = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key) && Array.isArray(conversation[key]))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .map((key) => conversation[key] as Turn[])
  const turns = new Map(sessions.flat().map(({ dia_id }, child) => [dia_id, child]))
  const questions = qa.flatMap(({ question, evidence }) => {
    const named = evidence.flatMap((one) => [...one.matchAll(/D:?(\d+):(\d+)/g)].map(([, s, t]) => `D${Number(s)}:${Number(t)}`))
    const wanted = new Set(named.flatMap((id) => turns.get(id) ?? []))
    if (wanted.size === 0) return []
    const judge = (ranked: readonly Place[]): number =>
      ranked.slice(0, first).filter(({ child }) => wanted.has(child)).length / wanted.size
    return [{ text: question, judge }]
  })
  return { trees: [toTree(sessions)], questions }
}

/** A conversation as a tree: turns, runs of turns up to 800 characters, sessions. */
function toTree(sessions: readonly (readonly Turn[])[]): Tree {
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
    for (const turn of session) {
      const line = `${turn.speaker}: ${turn.text}${turn.blip_caption === undefined ? '' : ` [${turn.blip_caption}]`}\n`
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
