/**
 * The client of the provider bench, in a process of its own so that it can be killed: embeds the texts of a folder with the real
 * OpenAI package against the address it is given, and keeps what it gets in a cache beside them.
 */
import { openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sqliteCache } from 'ashlar/cache'
import { createCaller, embedAll, embedderFrom, type ProviderEmbeddingModel, type WorkEvent } from 'ashlar/models'
import { type ClientJob, type ClientReport, clientFiles } from './provider/client.ts'

const folder = process.argv[2] ?? ''
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'))
const job = read(clientFiles.job) as ClientJob
const texts = read(clientFiles.texts) as readonly string[]
const started = performance.now()

const embedder = embedderFrom(await openModel(job.baseURL), { dimensions: job.dimensions, maxBatch: job.maxBatch })
const { concurrency, requestsPerMinute, tokensPerMinute, timeout } = job
const caller = createCaller({ concurrency, requestsPerMinute, tokensPerMinute, timeout })
const vectors = new Float32Array(texts.length * job.dimensions)
const cameOut = openSync(join(folder, clientFiles.cameOut), 'a')
const place = Buffer.alloc(4)
const retries: Record<string, number> = {}
let failed = 0
let firstError: string | null = null

{
  await using cache = sqliteCache(join(folder, clientFiles.cache))
  for await (const outcome of embedAll(embedder, texts, { caller, cache, onEvent: countRetry })) {
    if (outcome.error) {
      failed++
      firstError ??= outcome.error.message
      continue
    }
    vectors.set(outcome.vector, outcome.index * job.dimensions)
    place.writeUInt32LE(outcome.index)
    writeSync(cameOut, place)
  }
}

writeFileSync(join(folder, clientFiles.vectors), new Uint8Array(vectors.buffer))
const seconds = (performance.now() - started) / 1000
const report: ClientReport = { spent: caller.spent, seconds, failed, firstError, retries }
writeFileSync(join(folder, clientFiles.report), JSON.stringify(report))

function countRetry(event: WorkEvent): void {
  if (event.type !== 'call-retry') return
  const { code, details } = event.error
  const reason = `${code} ${details['status'] ?? (details['timeout'] === undefined ? 'no status' : 'timeout')}`
  retries[reason] = (retries[reason] ?? 0) + 1
}

/** The package is a development dependency of the library, not of the benches. */
async function openModel(baseURL: string): Promise<ProviderEmbeddingModel> {
  const require = createRequire(new URL('../packages/ashlar/package.json', import.meta.url))
  const { createOpenAI } = await import(pathToFileURL(require.resolve('@ai-sdk/openai')).href)
  return createOpenAI({ baseURL, apiKey: 'none' }).embedding('text-embedding-3-small')
}
