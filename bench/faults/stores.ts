import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteOrphans } from '../../packages/ashlar/test/store/sqlite-orphans.ts'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { between, openRandom, type Random } from '../inputs/random.ts'
import {
  openHistoryStore,
  possibleVersions,
  presentVersions,
  readHistory,
  type StoreEngine,
  wrongWith,
} from '../stores/store-history.ts'
import { startWriter } from '../stores/writer-process.ts'

const seed = 20_261_116

/** What one kill left. */
interface Trial {
  /** Writes and removals that had been reported when the process was killed. */
  readonly reported: number
  /** Whether one was under way. */
  readonly isMidway: boolean
  readonly wrong: readonly string[]
  readonly orphans: readonly string[]
}

/** How an engine is harmed and looked at. */
interface Victim {
  readonly engine: StoreEngine
  readonly place: string
  readonly orphans: () => readonly string[]
}

/** Kills processes that write, replace and remove documents at random instants, and looks at what they leave. */
export async function stores({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const kills = quick ? 8 : 100
  const random = openRandom(seed)
  const home = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  const file = join(home, 'store.db')
  const victims: readonly Victim[] = [{ engine: 'sqlite', place: file, orphans: () => sqliteOrphans(file) }]
  try {
    const trials = new Map<StoreEngine, Trial[]>()
    for (const victim of victims) {
      const results: Trial[] = []
      trials.set(victim.engine, results)
      let before: ReadonlyMap<string, number> = new Map()
      for (let kill = 0; kill < kills; kill++) {
        progress.step(`${victim.engine}, killed while writing`, kill, kills)
        const { trial, present } = await killOnce(victim, home, random, kill, before)
        results.push(trial)
        before = present
      }
    }
    return judge(trials)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** All kills hit the same file: what one leaves, the next begins with. */
async function killOnce(
  { engine, place, orphans }: Victim,
  home: string,
  random: Random,
  kill: number,
  before: ReadonlyMap<string, number>,
): Promise<{ readonly trial: Trial; readonly present: ReadonlyMap<string, number> }> {
  const log = join(home, `${engine}-${kill}.log`)
  // Counted in lines of the log and not in seconds, so that a busy machine does not move all kills to one end.
  const lines = between(random, 1, 60)
  const delay = random() * 15
  // Two sets of documents in turn: what a kill left is looked at again after the next, and then written over.
  const name = `d${kill % 2}x`
  const writer = startWriter({ engine, place, log, name, writers: 1, shared: 0, for: 60_000, seed: seed + kill })
  while (readHistory(log).length < lines && writer.process.exitCode === null) await new Promise((done) => setTimeout(done, 1))
  await new Promise((done) => setTimeout(done, delay))
  writer.process.kill('SIGKILL')
  await writer.end
  const history = readHistory(log)
  await using store = await openHistoryStore(engine, place)
  const wrong: string[] = []
  for (const [id, versions] of possibleVersions(history, before)) wrong.push(...(await wrongWith(store, id, versions)))
  const listed = await store.list({ limit: 1000 })
  const children = listed.items.reduce((sum, one) => sum + one.children, 0)
  const { count } = await store.nominate({})
  if (count !== children) wrong.push(`the lexical index has ${count} children and the documents have ${children}`)
  const trial = {
    reported: history.filter(({ is }) => is === 'done').length,
    isMidway: history.at(-1)?.is === 'begun',
    wrong,
    orphans: orphans(),
  }
  return { trial, present: await presentVersions(store) }
}

function judge(trials: ReadonlyMap<StoreEngine, readonly Trial[]>): BenchResult {
  return {
    figures: [...trials].flatMap(([engine, results]) => [
      figure(`${engine}: kills`, results.length, 'kills'),
      figure(
        `${engine}: kills in the middle of a write`,
        results.filter(({ isMidway }) => isMidway).length,
        'kills',
        `>= ${Math.ceil(results.length / 2)}`,
      ),
      figure(
        `${engine}: reported writes checked`,
        results.reduce((sum, { reported }) => sum + reported, 0),
        'writes',
      ),
      figure(
        `${engine}: lost, torn or not searchable`,
        results.reduce((sum, { wrong }) => sum + wrong.length, 0),
        'documents',
        '= 0',
      ),
      figure(
        `${engine}: orphans`,
        results.reduce((sum, { orphans }) => sum + orphans.length, 0),
        'rows',
        '= 0',
      ),
    ]),
    table: {
      title: `kill -9 of the writing process, seed ${seed}`,
      columns: ['engine', 'kill', 'reported', 'midway', 'wrong', 'orphans'],
      rows: [...trials].flatMap(([engine, results]) =>
        results.map(({ reported, isMidway, wrong, orphans }, kill) => [
          engine,
          kill + 1,
          reported,
          isMidway ? 'yes' : 'no',
          wrong.length,
          orphans.length,
        ]),
      ),
    },
    notes: [
      'Each kill is SIGKILL to a process that writes, replaces and removes documents of one store, some reports and up to 15 ms after its start. Then the store is opened again: every document has the version that was reported last or the one that was under way, its text, children, vectors and words are those of that version and of no other, and the index counts no child that no document has.',
      ...[...trials.values()].flatMap((results) => results.flatMap(({ wrong, orphans }) => [...wrong, ...orphans])).slice(0, 5),
    ],
  }
}
