import { openSync, writeSync } from 'node:fs'
import { between, openRandom } from '../../../../bench/inputs/random.ts'
import type { Store } from '../../src/store/store.ts'
import { historyDocument, tornRecord, tornSearch, versionOf } from './history-document.ts'
import { type HistoryLine, historyTime } from './history-log.ts'

/** What one writer does. */
export interface HistoryWriter {
  /** Documents whose ids begin so are its own. */
  readonly name: string
  /** How many it has. @default 4 */
  readonly documents?: number
  /** Documents that all writers write to, besides. @default 0 */
  readonly shared?: number
  readonly seed: number
  /** Its versions are above this, so that writers of shared documents can be told apart. @default 0 */
  readonly above?: number
  readonly isOver: () => boolean
}

/** Tells a log something, with the time. */
export type Say = (line: DistributiveOmit<HistoryLine, 'at'>) => void

type DistributiveOmit<Type, Key extends PropertyKey> = Type extends unknown ? Omit<Type, Key> : never

/** Opens a log. A line is with the kernel when `say` returns: it stays when the process is killed. */
export function openHistory(log: string): Say {
  const file = openSync(log, 'a')
  return (line) => void writeSync(file, `${JSON.stringify({ ...line, at: historyTime() })}\n`)
}

/** Puts, replaces and removes documents, alone and several together, and sometimes maintains the store; until it is over. */
export async function writeHistory(store: Store, { seed, isOver, ...writer }: HistoryWriter, say: Say): Promise<number> {
  const { name, documents = 4, shared = 0, above = 0 } = writer
  const random = openRandom(seed)
  let longest = 0
  for (let version = above + 1; !isOver(); version++) {
    // Also those who are waiting for a timer get their turn.
    await new Promise((done) => setImmediate(done))
    const started = performance.now()
    if (random() < 0.03) {
      await store.maintain({ purge: random() < 0.3 })
      continue
    }
    const own = (): string => `${name}${between(random, 1, documents)}`
    const first = shared > 0 && random() < 0.3 ? `shared${between(random, 1, shared)}` : own()
    const isRemoval = random() < 0.2
    const ids = isRemoval || random() < 0.8 ? [first] : [...new Set([first, own(), own()])]
    for (const id of ids) say({ is: 'begun', id, version: isRemoval ? 0 : version })
    if (isRemoval) await store.remove(ids)
    else await store.put(ids.map((id) => historyDocument(id, version)))
    for (const id of ids) say({ is: 'done', id, version: isRemoval ? 0 : version })
    longest = Math.max(longest, performance.now() - started)
  }
  return longest
}

/** What a reader saw. */
export interface Reading {
  readonly reads: number
  readonly torn: readonly string[]
  readonly failed: readonly string[]
}

/** Fetches documents and searches for what it found, until it is over. */
export async function readDocuments(
  store: Store,
  { ids, seed, isOver }: { readonly ids: readonly string[]; readonly seed: number; readonly isOver: () => boolean },
): Promise<Reading> {
  const random = openRandom(seed)
  const torn: string[] = []
  const failed: string[] = []
  let reads = 0
  for (; !isOver(); reads++) {
    const wanted = Array.from({ length: 3 }, () => ids[between(random, 0, ids.length - 1)] as string)
    try {
      const records = (await store.get(wanted)).filter((record) => record !== undefined)
      for (const record of records) torn.push(...tornRecord(record))
      const [one] = records
      if (one !== undefined) torn.push(...(await tornSearch(store, one.id, versionOf(one))))
    } catch (error) {
      failed.push(error instanceof Error ? error.message : String(error))
    }
    await new Promise((done) => setTimeout(done, 2))
  }
  return { reads, torn, failed }
}
