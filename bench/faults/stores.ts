import { join } from 'node:path'
import { postgresStore } from 'ashlar/postgres'
import pg from 'pg'
import { historyScope } from '../../packages/ashlar/test/store/history-document.ts'
import { type KillOptions, type KillTrial, killClient, killServer } from '../../packages/ashlar/test/store/kill-trial.ts'
import { sqliteIsWriting } from '../../packages/ashlar/test/store/sqlite-is-writing.ts'
import { openWatched } from '../../packages/ashlar/test/store/watch-transactions.ts'
import type { PostgresServer } from '../../scripts/postgres.ts'
import { type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { openRandom } from '../inputs/random.ts'
import { type FaultyEngine, faultyPostgres, faultySqlite } from '../stores/faulty-engines.ts'

const seed = 20_261_116
const serverWriters = 3

/** Something that is killed again and again. */
interface Victim {
  readonly name: string
  readonly at: FaultyEngine
  readonly killOnce: (options: KillOptions) => Promise<KillTrial>
}

/** Kills clients and servers at random instants of writing, replacing and removing documents, and looks at what they leave. */
export async function stores({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const kills = quick ? 4 : 100
  await using sqlite = faultySqlite()
  await using forClients = await faultyPostgres()
  await using forServers = await faultyPostgres()
  const pools = Array.from({ length: serverWriters }, () => openPool(forServers.place))
  try {
    const watched = await Promise.all(
      pools.map((pool) => openWatched(pool, (watchedPool) => postgresStore(watchedPool, historyScope))),
    )
    const server = forServers.server as PostgresServer
    const victims: readonly Victim[] = [
      clients('sqlite client', sqlite, () => sqliteIsWriting(sqlite.place)),
      clients('postgres client', forClients),
      {
        name: 'postgres server',
        at: forServers,
        killOnce: (options) => killServer({ ...options, server, stores: watched, seed }),
      },
    ]
    const trials = new Map<string, readonly KillTrial[]>()
    for (const { name, at, killOnce } of victims) {
      const own: KillTrial[] = []
      const random = openRandom(seed + trials.size)
      // All kills of one kind hit the same store: what one leaves, the next begins with.
      for (let kill = 0; kill < kills; kill++) {
        progress.step(`${name}, killed while writing`, kill, kills)
        const before = own.at(-1)?.present ?? new Map()
        own.push(await killOnce({ random, kill, before, open: at.open, orphans: at.orphans }))
      }
      trials.set(name, own)
    }
    return judge(trials, quick)
  } finally {
    await Promise.all(pools.map((pool) => pool.end()))
  }
}

function clients(name: string, at: FaultyEngine, isWriting?: () => boolean): Victim {
  const { engine, place, folder, start } = at
  const watch = isWriting === undefined ? {} : { isWriting }
  return {
    name,
    at,
    killOnce: (options) => {
      const job = { engine, place, log: join(folder, `${options.kill}.log`), seed: seed + options.kill }
      return killClient({ ...options, ...watch, job, start })
    },
  }
}

function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  return pool
}

const phases = ['between operations', 'under way', 'in a transaction', 'at a commit'] as const

function judge(trials: ReadonlyMap<string, readonly KillTrial[]>, quick: boolean): BenchResult {
  const sum = (own: readonly KillTrial[], of: (trial: KillTrial) => number): number =>
    own.reduce((total, one) => total + of(one), 0)
  const inTransaction = (own: readonly KillTrial[]): number =>
    sum(own, ({ phase }) => (phase === 'in a transaction' || phase === 'at a commit' ? 1 : 0))
  return {
    figures: [...trials].flatMap(([name, own]): Figure[] => [
      figure(`${name}: kills`, own.length, 'kills'),
      // A few kills may all miss the transactions.
      figure(`${name}: kills in a transaction`, inTransaction(own), 'kills', quick ? null : `>= ${Math.ceil(own.length / 5)}`),
      figure(
        `${name}: reported writes checked`,
        sum(own, ({ reported }) => reported),
        'writes',
      ),
      figure(
        `${name}: not reported and stored`,
        sum(own, ({ stored }) => stored),
        'writes',
      ),
      figure(
        `${name}: not reported and not stored`,
        sum(own, ({ undone }) => undone),
        'writes',
      ),
      figure(
        `${name}: lost, torn or not searchable`,
        sum(own, ({ wrong }) => wrong.length),
        'documents',
        '= 0',
      ),
      figure(
        `${name}: orphans`,
        sum(own, ({ orphans }) => orphans.length),
        'rows',
        '= 0',
      ),
    ]),
    table: {
      title: `kill -9 while documents are written, replaced and removed, seed ${seed}`,
      columns: ['killed', 'kills', ...phases, 'reported', 'stored', 'undone', 'wrong', 'orphans'],
      rows: [...trials].map(([name, own]) => [
        name,
        own.length,
        ...phases.map((phase) => own.filter((trial) => trial.phase === phase).length),
        sum(own, ({ reported }) => reported),
        sum(own, ({ stored }) => stored),
        sum(own, ({ undone }) => undone),
        sum(own, ({ wrong }) => wrong.length),
        sum(own, ({ orphans }) => orphans.length),
      ]),
    },
    notes: [
      'A client is a process that writes to one store; it gets SIGKILL some reports after its start and up to one and a half times as long as a write takes after that, or while it opens the store. A server gets SIGKILL with all of its processes under three writers, which live on, and is started again on what it left.',
      'Then the store is opened again: every document has the version that was reported last or one that was under way (stored, undone); its text, metadata, children, vectors, words, notes and token states are those of that version and of no other, and the index counts no child that no document has.',
      'Where a kill hit: what a client of PostgreSQL had sent says so; of SQLite, whether somebody else could have begun to write while the client stood still. Under way is before or after its transaction; at a commit is from sending it to hearing of it.',
      ...[...trials.values()].flatMap((own) => own.flatMap(({ wrong, orphans }) => [...wrong, ...orphans])).slice(0, 5),
    ],
  }
}
