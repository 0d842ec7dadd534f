import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalCollection, EvalSet } from '../eval-set.ts'
import { nestedTree } from '../nested-tree.ts'

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Sample {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: string; readonly evidence: readonly string[] }[]
}

const first = 10
const turnsOfParent = 5

/** LoCoMo: each conversation a collection, judged by the evidence turns among the first ten. */
export function readLocomo({ quick }: { readonly quick: boolean }): EvalSet | null {
  const folder = evaluationFolder()
  if (folder === null) return null
  const samples = JSON.parse(readFileSync(join(folder, 'locomo', 'locomo10.json'), 'utf8')) as Sample[]
  const thirds = samples.slice(0, 1).map((sample) => ({ ...sample, qa: sample.qa.filter((_, at) => at % 3 === 0) }))
  return {
    name: 'LoCoMo',
    measures: [`evidence turns in the first ${first}`],
    depth: first,
    documents: false,
    collections: (quick ? thirds : samples).map(toCollection),
    note: `LoCoMo: a child is a turn (speaker, text, caption), a parent ${turnsOfParent} turns, a section a session; 1,982 questions with evidence of five kinds, those of the odd conversations as the test half.`,
  }
}

function toCollection({ sample_id, conversation, qa }: Sample, at: number): EvalCollection {
  const sessions = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key) && Array.isArray(conversation[key]))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .map((key) => conversation[key] as Turn[])
  const tree = nestedTree(
    sample_id,
    'turns',
    sessions
      .filter((turns) => turns.length > 0)
      .map((turns) =>
        Array.from({ length: Math.ceil(turns.length / turnsOfParent) }, (_, i) =>
          turns.slice(turnsOfParent * i, turnsOfParent * (i + 1)).map(toLine),
        ),
      ),
  )
  const starts = new Map(sessions.flat().map(({ dia_id }, child) => [dia_id, tree.children[child]!.start]))
  const questions = qa.flatMap(({ question, evidence }) => {
    const named = evidence.flatMap((one) => [...one.matchAll(/D:?(\d+):(\d+)/g)].map(([, s, t]) => `D${Number(s)}:${Number(t)}`))
    const wanted = new Set(named.flatMap((id) => starts.get(id) ?? []))
    if (wanted.size === 0) return []
    return [
      {
        text: question,
        test: at % 2 === 1,
        judge: (ranked: Parameters<EvalCollection['questions'][number]['judge']>[0]) => [
          ranked.slice(0, first).filter(({ start }) => wanted.has(start)).length / wanted.size,
        ],
      },
    ]
  })
  return { trees: [tree], questions }
}

function toLine({ speaker, text, blip_caption }: Turn): string {
  return `${speaker}: ${text}${blip_caption === undefined ? '' : ` [${blip_caption}]`}\n`
}
