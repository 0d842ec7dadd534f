/**
 * Keeps a library in step with a folder and searches it meanwhile: type what you look for, change files as you like.
 *
 *   node watcher.ts documents library.db
 */
import { createInterface } from 'node:readline'
import { folderSource, open, watchFolder } from 'ashlar/node'

const [folder = 'documents', place = 'library.db'] = process.argv.slice(2)
const stop = new AbortController()
const { signal } = stop
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())

const library = await open(place)
// The name of the set of documents: the folder may be moved without being read again.
const source = folderSource(folder, { root: 'watched' })

async function sync(): Promise<void> {
  const { failures } = await library.sync(source, {
    signal,
    onEvent(event) {
      if (event.type === 'stored' && event.changed) console.log(`+ ${event.id} (${event.change})`)
      if (event.type === 'removed') console.log(`- ${event.id}`)
    },
  })
  for (const { id, message } of failures) console.log(`! ${id}: ${message}`)
}

async function keepInStep(): Promise<void> {
  // Before the first look at the folder, so that no change falls between the two.
  const changes = watchFolder(folder, source, { signal })
  await sync()
  console.log(`Watching ${folder}.`)
  for await (const _ of changes) await sync()
}

async function answer(question: string): Promise<void> {
  const { hits, nothing } = await library.search(question, { limit: 3, signal })
  if (nothing) console.log('Nothing here seems to be about that.')
  for (const { citation, text } of hits) console.log(`= ${citation}\n${text.trim().replace(/^/gm, '  ')}`)
  console.log('.')
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line.trim() !== '') answer(line).catch(fail)
})

function fail(error: unknown): void {
  if (signal.aborted) return
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
  stop.abort()
}

try {
  await keepInStep()
} catch (error) {
  fail(error)
} finally {
  lines.close()
  process.stdin.unref?.()
  await library.close()
}
