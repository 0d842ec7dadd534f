/** The thread that ingests for `threadedIngest`: started by its file name. */
import { parentPort, workerData } from 'node:worker_threads'
import { AshlarError } from '../../error/ashlar-error.ts'
import { sqliteCache } from '../../model/sqlite-cache.ts'
import { staticEmbedder } from '../../model/static-embedder.ts'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Ingest } from '../ingest.ts'
import { type MayRemove, runIngest } from '../run-ingest.ts'
import { folderSource } from './folder-source.ts'
import type { IngestAnswer, IngestRequest, ThreadIngest } from './ingest-message.ts'
import { plainFailure } from './plain-failure.ts'
import { workerReader } from './worker-reader.ts'

type Run = Extract<IngestRequest, { readonly run: number }>

const { path, journal, scope, model, ...rest } = workerData as ThreadIngest
await using store = await sqliteStore(path, scope)
await using kept = sqliteCache(journal)
await using reader = workerReader()
const ingest: Ingest = {
  ...rest,
  store,
  journal: kept,
  reader,
  // Its vocabulary is laid out where something is embedded, which is in threads of the reader.
  ...(model !== undefined && { embedder: staticEmbedder(model) }),
}
const running = new Map<number, { readonly stop: AbortController; readonly end: Promise<void> }>()
/** Those who wait for a decision about removals. */
const deciding = new Map<number, (mayRemove: boolean) => void>()

await new Promise<void>((close) => {
  parentPort?.on('message', (request: IngestRequest) => {
    if (request === 'close') close()
    else if ('abort' in request) running.get(request.abort)?.stop.abort()
    else if ('decided' in request) deciding.get(request.decided)?.(request.mayRemove)
    else start(request)
  })
})
const closed = new AshlarError('STORE_CLOSED', `The store in ${path} is closed.`)
for (const { stop } of running.values()) stop.abort(closed)
await Promise.all([...running.values()].map(({ end }) => end))
parentPort?.close()

function start(request: Run): void {
  const stop = new AbortController()
  running.set(request.run, { stop, end: work(request, stop.signal) })
}

async function work({ run, source, remove, claim, isHeard }: Run, signal: AbortSignal): Promise<void> {
  const decide: MayRemove = (...asks) =>
    new Promise((resolve, reject) => {
      deciding.set(run, resolve)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      answer({ run, asks })
    })
  try {
    const receipt = await runIngest(folderSource(source.path, source.options), ingest, {
      remove: remove === 'ask' ? decide : remove,
      claim,
      signal,
      ...(isHeard && { onEvent: (event) => answer({ run, event }) }),
    })
    answer({ run, receipt })
  } catch (error) {
    answer({ run, failure: plainFailure(error) })
  } finally {
    running.delete(run)
    deciding.delete(run)
  }
}

function answer(message: IngestAnswer): void {
  parentPort?.postMessage(message)
}
