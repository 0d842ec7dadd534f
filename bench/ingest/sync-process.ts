/** Syncs a folder again and again until it is told to stop, or killed; its embedder is a server on the loopback address. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteCache } from 'ashlar/cache'
import { type Ingest, ingestFields, runIngest } from 'ashlar/ingest'
import { createCaller, type Embedder, noUsage } from 'ashlar/models'
import { folderSource } from 'ashlar/node'
import { sqliteStore } from 'ashlar/sqlite'

/** What the process works on, as its one argument. */
export interface SyncJob {
  /** The folder that is synced. */
  readonly folder: string
  /** Where the store and the journal are. */
  readonly home: string
  readonly url: string
  readonly maxBatch: number
  readonly concurrency: number
  readonly dimensions: number
  /** Where this file is there and a sync finds nothing to do, the process ends. */
  readonly stopFile: string
}

const { folder, home, url, maxBatch, concurrency, dimensions, stopFile } = JSON.parse(process.argv[2] ?? '{}') as SyncJob
const embedder: Embedder = {
  identity: {
    model: 'faults/loopback',
    options: {},
    dimensions,
    pooling: 'provider',
    normalized: true,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: undefined,
  },
  maxBatch,
  givesTokens: false,
  async embed(texts, { signal }) {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(texts), ...(signal !== undefined && { signal }) })
    const vectors = (await response.json()) as number[][]
    return { vectors: vectors.map((vector) => Float32Array.from(vector)), usage: noUsage }
  },
}
await using store = await sqliteStore(join(home, 'store.db'), { workspace: 'faults', fields: ingestFields })
await using journal = sqliteCache(join(home, 'journal.db'))
const ingest: Ingest = { store, embedder, journal, caller: createCaller({ concurrency }) }
process.send?.('ready')
for (let isDone = false; !isDone; ) {
  const isLast = existsSync(stopFile)
  const { counts } = await runIngest(folderSource(folder, { root: 'files' }), ingest)
  isDone = isLast && counts.new + counts.changed + counts.moved + counts.gone + counts.failed === 0
}
process.disconnect?.()
