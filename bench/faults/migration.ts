import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import { memoryData, memoryStore, type Store } from 'ashlar/stores'
import { type EmbeddingMove, moveEmbedding } from '../../packages/ashlar/test/store/move-embedding.ts'
import { type BenchOptions, type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { faultyPostgres, faultySqlite } from '../stores/faulty-engines.ts'

/** Moves the children of a workspace from one embedder to another while four readers search. */
export async function migration({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const children = quick ? 2_000 : 20_000
  const moves = new Map<string, EmbeddingMove>()
  const move = async (engine: string, open: () => Promise<Store>): Promise<void> => {
    progress.step(`${engine}, ${children} children`)
    moves.set(engine, await moveEmbedding(children, open))
  }
  const data = memoryData()
  await move('memory', async () => memoryStore({ workspace: 'one', data }))
  await using sqlite = faultySqlite()
  await move('sqlite', () => sqliteStore(sqlite.place, { workspace: 'one' }))
  await using postgres = await faultyPostgres()
  await move('postgres', () => postgresStore(postgres.place, { workspace: 'one' }))
  const phases = ['building', 'cut over', 'rolled back', 'cut over again'] as const
  return {
    figures: [...moves].flatMap(([engine, one]): Figure[] => [
      figure(`${engine}: children moved`, one.left.length === 1 ? (one.left[0]?.children ?? 0) : 0, 'children', `>= ${children}`),
      ...phases.map((phase) => figure(`${engine}: searches, ${phase}`, one.searches[phase], 'searches', '>= 1')),
      figure(`${engine}: searches that failed`, one.failed.length, 'searches', '= 0'),
      figure(`${engine}: hits that were mixed up or missing`, one.mixed.length, 'hits', '= 0'),
      figure(`${engine}: recall@20 of all searches`, one.recall, '', '>= 0.97'),
      figure(`${engine}: cut-over refused while vectors were missing`, one.refusedHalfway ? 1 : 0, 'times', '= 1'),
    ]),
    table: {
      title: `${children} children moved from one embedder to another while 4 readers search`,
      columns: ['engine', 'children', ...phases, 'failed', 'mixed', 'recall@20'],
      rows: [...moves].map(([engine, one]) => [
        engine,
        one.children,
        ...phases.map((phase) => one.searches[phase]),
        one.failed.length,
        one.mixed.length,
        one.recall.toFixed(4),
      ]),
    },
    notes: [
      'Searches by phase: while the new vectors are put, after searches are told to use them, after they are told to use the old ones again, and after the second cut-over. A hit is mixed up when its cosine is not that of its own vector by the embedder in use; recall is against comparing with every child by that embedder.',
      ...[...moves.values()].flatMap(({ failed, mixed }) => [...failed, ...mixed]).slice(0, 5),
    ],
  }
}
