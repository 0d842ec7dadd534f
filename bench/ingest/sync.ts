import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Ingest, ingestFields, runIngest } from 'ashlar/ingest'
import type { Embedder } from 'ashlar/models'
import { folderSource, workerReader } from 'ashlar/node'
import { sqliteStore } from 'ashlar/sqlite'
import { type Bench, figure } from '../harness/bench.ts'
import { openRandom, pick } from '../inputs/random.ts'
import { writeTextFolder } from '../inputs/text-folder.ts'
import { openStaticModel } from '../provider/static-model.ts'

type Time = Awaited<ReturnType<typeof timed>>

/** A folder that has not changed, synced again, against hashing its files; and what small edits embed. */
export const sync: Bench = {
  summary: 'a sync of 10,000 unchanged files against hashing them, and what one edited paragraph embeds again',
  async run({ quick, progress }) {
    const files = quick ? 400 : 10_000
    const edits = quick ? 5 : 100
    const rounds = quick ? 5 : 9
    const home = mkdtempSync(join(tmpdir(), 'ashlar-sync-'))
    try {
      const folder = join(home, 'files')
      const { bytes, source } = writeTextFolder(folder, { files })
      const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(md|txt)$/.test(name))
        .map((name) => join(folder, name))
      await using reader = workerReader()
      const times = { hash: [] as Time[], sync: [] as Time[] }
      progress.step('first ingest')
      await using store = await sqliteStore(join(home, 'store.db'), { workspace: 'bench', fields: ingestFields })
      const ingest: Ingest = { store, reader }
      await runIngest(folderSource(folder), ingest)
      for (let round = 0; round < rounds; round++) {
        progress.step('hashing and syncing', round, rounds)
        times.hash.push(await timed(async () => void hashAll(paths)))
        times.sync.push(
          await timed(async () => {
            const { counts } = await runIngest(folderSource(folder), ingest)
            if (counts.unchanged !== files) throw new Error(`${counts.unchanged} of ${files} files are unchanged`)
          }),
        )
      }
      const ratios = times.sync.map(({ cpu }, at) => cpu / (times.hash[at] as Time).cpu)
      const clocks = times.sync.map(({ clock }, at) => clock / (times.hash[at] as Time).clock)
      progress.step('edits')
      const windows = await editParagraphs(join(home, 'windows'), true, edits)
      const chunks = await editParagraphs(join(home, 'chunks'), false, edits)
      const least = (values: readonly number[]): number => Math.min(...values)
      return {
        figures: [
          figure(
            'sync of unchanged files against hashing them, CPU time, median of rounds in turns',
            median(ratios),
            'x',
            '<= 3',
          ),
          figure('the same by the clock, best round', least(clocks), 'x'),
          figure('hashing, CPU time', least(times.hash.map(({ cpu }) => cpu)), 'ms'),
          figure('sync, CPU time', least(times.sync.map(({ cpu }) => cpu)), 'ms'),
          figure('windows embedded after an edit of one paragraph, most', Math.max(...windows), 'windows', '<= 2'),
          figure('windows embedded after an edit of one paragraph, mean', mean(windows), 'windows'),
          figure('edits of one paragraph that embed at most 2 windows', shareUpTo(windows, 2), '%'),
          figure('chunks embedded after an edit of one paragraph, without windows, most', Math.max(...chunks), 'chunks', '<= 3'),
          figure('chunks embedded after an edit of one paragraph, without windows, mean', mean(chunks), 'chunks'),
          figure('edits of one paragraph that embed at most 3 chunks', shareUpTo(chunks, 3), '%'),
        ],
        table: [
          {
            columns: ['round', 'hashing CPU ms', 'sync CPU ms', 'ratio', 'ratio by the clock'],
            rows: ratios.map((ratio, at) => [
              at + 1,
              Math.round((times.hash[at] as Time).cpu),
              Math.round((times.sync[at] as Time).cpu),
              ratio.toFixed(2),
              (clocks[at] as number).toFixed(2),
            ]),
          },
          {
            title: 'Edits of one paragraph by what they embed again',
            columns: ['embedded', 'edits, in windows', 'edits, in chunks'],
            rows: Array.from({ length: Math.max(...windows, ...chunks) }, (_, at) => [
              at + 1,
              windows.filter((count) => count === at + 1).length,
              chunks.filter((count) => count === at + 1).length,
            ]),
          },
        ],
        notes: [
          `${files} files of ${source}, ${(bytes / 1e6).toFixed(1)} MB. Hashing is a loop of readFileSync and SHA-256 over the known paths; a sync lists the folder, hashes every file and compares it with a SQLite store.`,
          `Edits: ${edits} times one paragraph of one file gets a new first sentence; counted is what reaches the embedder in the sync after it.`,
        ],
      }
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
}

/** For each edit, how many texts the embedder was asked for. */
async function editParagraphs(home: string, inWindows: boolean, edits: number): Promise<number[]> {
  const folder = join(home, 'files')
  writeTextFolder(folder, { files: 20 }, 7)
  let asked = 0
  const model = openStaticModel()
  const { tokenTable: _, ...plain } = model
  const embedder: Embedder = {
    ...plain,
    givesTokens: inWindows,
    embed: (texts, options) => {
      asked += texts.length
      return model.embed(texts, options)
    },
  }
  await using store = await sqliteStore(join(home, 'store.db'), { workspace: 'bench', fields: ingestFields })
  const ingest: Ingest = { store, embedder }
  await runIngest(folderSource(folder), ingest)
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(md|txt)$/.test(name))
  const random = openRandom(20_261_115)
  const counts: number[] = []
  for (let edit = 0; edit < edits; edit++) {
    const path = join(folder, pick(random, paths))
    const paragraphs = readFileSync(path, 'utf8').split('\n\n')
    const places = [...paragraphs.keys()].filter((at) => (paragraphs[at] as string).length > 80)
    const at = pick(random, places)
    paragraphs[at] = `This was revised in edit ${edit}. ${paragraphs[at]}`
    writeFileSync(path, paragraphs.join('\n\n'))
    asked = 0
    const { counts: found } = await runIngest(folderSource(folder), ingest)
    if (found.changed !== 1) throw new Error(`${found.changed} files changed instead of one`)
    counts.push(asked)
  }
  return counts
}

function hashAll(paths: readonly string[]): number {
  let sum = 0
  for (const path of paths) sum += createHash('sha256').update(readFileSync(path)).digest('hex').length
  return sum
}

/** CPU time of all threads, and time on the clock, in milliseconds. */
async function timed(run: () => Promise<void>): Promise<{ readonly cpu: number; readonly clock: number }> {
  const start = performance.now()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1_000, clock: performance.now() - start }
}

function shareUpTo(values: readonly number[], most: number): number {
  return (100 * values.filter((value) => value <= most).length) / values.length
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] as number
}
