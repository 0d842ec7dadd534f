import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from './evaluation-folder.ts'
import { readLines } from './read-lines.ts'

/** What one of the two speakers of a conversation says. */
export interface BeamMessage {
  readonly id: number
  readonly role: string
  readonly batch: number
  readonly turn: number
  /** The day of what follows, with the first message of a batch. */
  readonly time_anchor?: string
  readonly content: string
}

/** A question about a conversation, with the messages that answer it. */
interface BeamQuestion {
  readonly conversation: string
  readonly category: string
  /** Which of its category. */
  readonly n: number
  readonly question: string
  readonly source_ids: readonly number[]
}

/** About how many tokens a conversation has. */
type BeamSize = '100K' | '500K' | '1M'

/** BEAM: long conversations, and questions about them. */
export interface Beam {
  questions(size: BeamSize): readonly BeamQuestion[]
  /** The conversations of a size by number: `100K-1`. */
  names(size: BeamSize): readonly string[]
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
  const lines = <Record>(name: string): Record[] => readLines(gunzipSync(readFileSync(join(home, name))).toString('utf8'))
  const all = readdirSync(home)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort()
  const messages = (conversation: string): readonly BeamMessage[] => lines(`${conversation}${ending}`)
  return {
    questions: (size) => lines(`questions_${size}.jsonl.gz`),
    names: (size) =>
      all
        .filter((name) => name.startsWith(`${size}-`))
        .sort((left, right) => Number(left.slice(size.length + 1)) - Number(right.slice(size.length + 1))),
    messages,
    *conversations() {
      for (const name of all) yield messages(name)
    },
  }
}
