import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluationFolder } from './evaluation-folder.ts'

/** One turn of a conversation. */
export interface LocomoTurn {
  readonly id: string
  /** Speaker, text and what a picture shows, ended by a line break. */
  readonly line: string
}

/** A question, and the ids of the turns that answer it. */
interface LocomoQuestion {
  readonly text: string
  /** What it takes to answer it. */
  readonly category: string
  readonly evidence: readonly string[]
}

export interface LocomoConversation {
  readonly id: string
  readonly sessions: readonly (readonly LocomoTurn[])[]
  /** When each session took place: `1:56 pm on 8 May, 2023`. */
  readonly dates: readonly string[]
  readonly questions: readonly LocomoQuestion[]
}

interface Turn {
  readonly speaker: string
  readonly dia_id: string
  readonly text: string
  readonly blip_caption?: string
}

interface Sample {
  readonly sample_id: string
  readonly conversation: Readonly<Record<string, unknown>>
  readonly qa: readonly { readonly question: string; readonly category: number; readonly evidence: readonly string[] }[]
}

/** What the authors' code calls their five kinds. */
const categories = ['multi-hop', 'temporal', 'open-domain', 'single-hop', 'adversarial']

/** The conversations of LoCoMo; a third of the first one's questions where it has to be quick. Null when the folder is not there. */
export function readLocomoConversations({ quick }: { readonly quick: boolean }): readonly LocomoConversation[] | null {
  const folder = evaluationFolder()
  if (folder === null) return null
  const samples = JSON.parse(readFileSync(join(folder, 'locomo', 'locomo10.json'), 'utf8')) as Sample[]
  const some = samples.slice(0, 1).map((sample) => ({ ...sample, qa: sample.qa.filter((_, at) => at % 3 === 0) }))
  return (quick ? some : samples).map(({ sample_id, conversation, qa }) => {
    const keys = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key) && Array.isArray(conversation[key]))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    return {
      id: sample_id,
      sessions: keys.map((key) => (conversation[key] as Turn[]).map(toTurn)),
      dates: keys.map((key) => String(conversation[`${key}_date_time`])),
      questions: qa.map(({ question, category, evidence }) => ({
        text: question,
        category: categories[category - 1]!,
        evidence: evidence.flatMap(turnsNamed),
      })),
    }
  })
}

function toTurn({ speaker, dia_id, text, blip_caption }: Turn): LocomoTurn {
  return { id: dia_id, line: `${speaker}: ${text}${blip_caption === undefined ? '' : ` [${blip_caption}]`}\n` }
}

/** Ids of turns are written in several ways, some of them several to an entry. */
function turnsNamed(evidence: string): string[] {
  return [...evidence.matchAll(/D:?(\d+):(\d+)/g)].map(([, session, turn]) => `D${Number(session)}:${Number(turn)}`)
}
