import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Ingest, ingestFields, runIngest, type SourceItem } from 'ashlar/ingest'
import { folderSource, type WorkerReader, workerReader } from 'ashlar/node'
import { sqliteStore } from 'ashlar/sqlite'
import type { DocumentEmbedding, Store, StoredDocument } from 'ashlar/stores'
import type { Tree } from 'ashlar/tree'
import { embedLate, lateIdentity } from 'ashlar/vectors'
import { openStaticModel } from '../provider/static-model.ts'

/** What one process is to do. */
export interface IngestJob {
  readonly folder: string
  /** Where stores are made. */
  readonly home: string
  readonly rounds: number
  /** Whether stages are measured alone too, or the whole alone for its memory. */
  readonly stages: boolean
}

export interface IngestMeasure {
  /** Milliseconds of each round. */
  readonly read: readonly number[]
  readonly embed: readonly number[]
  readonly store: readonly number[]
  readonly whole: readonly number[]
  readonly documents: number
  readonly bytes: number
  readonly children: number
  /** Highest resident memory in MB. */
  readonly memory: number
  /** Resident memory in MB at each tenth of the run. */
  readonly tenths: readonly number[]
}

const embedder = openStaticModel()

/** Runs the whole ingest, and where asked each of its stages alone on the same folder, in turns. */
export async function work({ folder, home, rounds, stages }: IngestJob): Promise<IngestMeasure> {
  const times = { read: [] as number[], embed: [] as number[], store: [] as number[], whole: [] as number[] }
  await using reader = workerReader()
  let facts = { documents: 0, bytes: 0, children: 0, tenths: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    if (stages) {
      const trees: Tree[] = []
      times.read.push(await timed(async () => void trees.push(...(await readAll(folder, reader)))))
      const embeddings: DocumentEmbedding[] = []
      times.embed.push(await timed(async () => void embeddings.push(...(await embedAllTrees(trees)))))
      const documents = trees.map((tree, at) => ({ tree, embeddings: [embeddings[at] as DocumentEmbedding] }))
      times.store.push(await inStore(home, (store) => timed(() => putAll(store, documents))))
    }
    const whole = await inStore(home, async (store) => {
      const ingest: Ingest = { store, embedder, reader }
      const tenths: number[] = []
      const milliseconds = await timed(async () => {
        const receipt = await runIngest(folderSource(folder), ingest, {
          onEvent: (event) => {
            if (event.type === 'progress') tenths.push(process.memoryUsage.rss() / 1e6)
          },
        })
        if (receipt.counts.failed > 0) throw new Error(`${receipt.counts.failed} files failed: ${receipt.failures[0]?.message}`)
        facts = { documents: receipt.written, bytes: receipt.bytes, children: receipt.children.all, tenths }
      })
      return milliseconds
    })
    times.whole.push(whole)
  }
  const { tenths, ...rest } = facts
  const each = Array.from({ length: 10 }, (_, at) =>
    Math.max(0, ...tenths.slice((at * tenths.length) / 10, ((at + 1) * tenths.length) / 10)),
  )
  return { ...times, ...rest, memory: process.resourceUsage().maxRSS / 1e3, tenths: each.map(Math.round) }
}

async function readAll(folder: string, reader: WorkerReader): Promise<Tree[]> {
  const trees: Tree[] = []
  const under = new Set<Promise<void>>()
  for await (const entry of folderSource(folder).list()) {
    const item = entry as SourceItem
    const one = (async () => {
      const { tree } = await reader.read({ document: item.id, name: item.name ?? item.id, bytes: await item.read() })
      trees.push(tree)
    })()
    under.add(one)
    void one.finally(() => under.delete(one))
    if (under.size >= reader.concurrency * 2) await Promise.race(under)
  }
  await Promise.all(under)
  return trees
}

async function embedAllTrees(trees: readonly Tree[]): Promise<DocumentEmbedding[]> {
  const identity = lateIdentity({ embedder })
  const embeddings: DocumentEmbedding[] = []
  for (const tree of trees) {
    const windows = []
    for await (const window of embedLate(tree, { embedder })) windows.push(window)
    const vectors = windows.flatMap((window) => window.vectors)
    const contentKeys = windows.flatMap(({ key, vectors }) => vectors.map((_, at) => `${key}/${at}`))
    embeddings.push({ identity, vectors, contentKeys, windows })
  }
  return embeddings
}

/** As many at once as the ingest puts. */
async function putAll(store: Store, documents: readonly StoredDocument[]): Promise<void> {
  let batch: StoredDocument[] = []
  let children = 0
  for (const document of documents) {
    batch.push(document)
    children += document.tree.children.length
    if (batch.length < 200 && children < 4_000) continue
    await store.put(batch)
    batch = []
    children = 0
  }
  if (batch.length > 0) await store.put(batch)
}

async function inStore<Result>(home: string, run: (store: Store) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(home, 'store-'))
  try {
    await using store = await sqliteStore(join(folder, 'store.db'), { workspace: 'bench', fields: ingestFields })
    return await run(store)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timed(run: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const start = performance.now()
  await run()
  return performance.now() - start
}
