/**
 * A process that writes to a store until its time is over or it is killed: `node store-writer-case.ts <job as JSON>`. Its log says what it
 * is about to do and what the store has reported as done.
 */
import { openSync, writeSync } from 'node:fs'
import { between, openRandom } from './inputs/random.ts'
import { type HistoryLine, historyDocument, openHistoryStore, type WriterJob } from './stores/store-history.ts'

const job = JSON.parse(process.argv[2] ?? '') as WriterJob
const log = openSync(job.log, 'a')
const say = (line: HistoryLine): unknown => writeSync(log, `${JSON.stringify(line)}\n`)
const until = performance.now() + job.for

await using store = await openHistoryStore(job.engine, job.place)
await Promise.all(Array.from({ length: job.writers }, (_, writer) => write(`${job.name}w${writer}x`, job.seed * 16 + writer)))

async function write(name: string, seed: number): Promise<void> {
  const random = openRandom(seed)
  for (let version = 1; performance.now() < until; version++) {
    if (job.shared > 0 && random() < 0.3) {
      // Whose version stays is not known to anybody, only that it stays whole.
      const id = `shared${between(random, 1, job.shared)}`
      await store.put([historyDocument(id, between(random, 1, 1000))])
      continue
    }
    const id = `${name}${between(random, 1, 6)}`
    const isRemoval = random() < 0.2
    const line = { id, version: isRemoval ? 0 : version }
    say({ is: 'begun', ...line })
    if (isRemoval) await store.remove([id])
    else await store.put([historyDocument(id, version)])
    say({ is: 'done', ...line })
  }
}
