import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ingestFields, type SourceItem } from 'ashlar/ingest'
import { folderSource, open, type WorkerReader, workerReader } from 'ashlar/node'
import { sqliteStore } from 'ashlar/sqlite'
import type { DocumentEmbedding, Store, StoredDocument } from 'ashlar/stores'
import type { Tree } from 'ashlar/tree'
import { embedLate, lateIdentity } from 'ashlar/vectors'
import { potion } from 'ashlar-potion'

/** What one process is to do. */
export interface IngestJob {
  readonly folder: string
  /** Where stores are made. */
  readonly home: string
  readonly rounds: number
}

/** Milliseconds by the clock and of all cores. */
export interface Time {
  readonly clock: number
  readonly cpu: number
}

export interface IngestMeasure {
  /** One a round. */
  readonly read: readonly Time[]
  readonly embed: readonly Time[]
  readonly store: readonly Time[]
  readonly whole: readonly Time[]
  readonly documents: number
  readonly bytes: number
  readonly children: number
}

const embedder = await potion()

/** Each stage of an ingest alone, and the whole through `open` and `sync`, on one folder in turns. */
export async function work({ folder, home, rounds }: IngestJob): Promise<IngestMeasure> {
  const times = { read: [] as Time[], embed: [] as Time[], store: [] as Time[], whole: [] as Time[] }
  await using reader = workerReader()
  let facts = { documents: 0, bytes: 0, children: 0 }
  for (let round = 0; round < rounds; round++) {
    const trees: Tree[] = []
    times.read.push(await timed(async () => void trees.push(...(await readAll(folder, reader)))))
    const embeddings: DocumentEmbedding[] = []
    times.embed.push(await timed(async () => void embeddings.push(...(await embedAllTrees(trees)))))
    const documents = trees.map((tree, at) => ({ tree, embeddings: [embeddings[at] as DocumentEmbedding] }))
    times.store.push(
      await inFolder(home, async (place) => {
        await using store = await sqliteStore(join(place, 'store.db'), { workspace: 'bench', fields: ingestFields })
        return await timed(() => putAll(store, documents))
      }),
    )
    times.whole.push(
      await inFolder(home, async (place) => {
        await using library = await open(join(place, 'library.db'), { base: folder, embedder })
        return await timed(async () => {
          const { counts, failures, written, bytes, children } = await library.sync(folder)
          if (counts.failed > 0) throw new Error(`${counts.failed} files failed: ${failures[0]?.message}`)
          facts = { documents: written, bytes, children: children.all }
        })
      }),
    )
  }
  return { ...times, ...facts }
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
    if (batch.length < 200 && children < 1_000) continue
    await store.put(batch)
    batch = []
    children = 0
  }
  if (batch.length > 0) await store.put(batch)
}

async function inFolder<Result>(home: string, run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(home, 'store-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timed(run: () => Promise<void>): Promise<Time> {
  globalThis.gc?.()
  const before = process.cpuUsage()
  const start = performance.now()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - start, cpu: (user + system) / 1e3 }
}
