import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from './evaluation-folder.ts'

/** What one of the two speakers of a conversation says. */
export interface BeamMessage {
  readonly id: number
  readonly role: string
  readonly batch: number
  readonly turn: number
  readonly content: string
}

/** A question about a conversation of 100,000 tokens, with the messages that answer it. */
export interface BeamQuestion {
  readonly conversation: string
  readonly category: string
  readonly question: string
  readonly source_ids: readonly number[]
}

/** BEAM: long conversations, and questions about the shorter of them. */
export interface Beam {
  readonly questions: readonly BeamQuestion[]
  /** Of one conversation: `100K-1`. */
  messages(conversation: string): readonly BeamMessage[]
  /** All conversations in the order of their files, each read when its turn comes. */
  conversations(): Generator<readonly BeamMessage[]>
}

const ending = '.messages.jsonl.gz'

/** Opens BEAM; null without the folder. */
export function openBeam(): Beam | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'beam')
  if (!existsSync(home)) return null
  const lines = <Record>(name: string): Record[] =>
    gunzipSync(readFileSync(join(home, name)))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record)
  const messages = (conversation: string): readonly BeamMessage[] => lines(`${conversation}${ending}`)
  return {
    questions: lines('questions_100K.jsonl.gz'),
    messages,
    *conversations() {
      for (const name of readdirSync(home)
        .filter((name) => name.endsWith(ending))
        .sort())
        yield messages(name.slice(0, -ending.length))
    },
  }
}
