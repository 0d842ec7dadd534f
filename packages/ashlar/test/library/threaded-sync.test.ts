import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { embeddingIdentity } from '../../src/ingest/embedding-identity.ts'
import type { IngestEvent } from '../../src/ingest/ingest-event.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { folderSource } from '../../src/ingest/node/folder-source.ts'
import { ThreadedIngest } from '../../src/ingest/node/threaded-ingest.ts'
import { workerReader } from '../../src/ingest/node/worker-reader.ts'
import type { ThreadSource } from '../../src/ingest/source.ts'
import { type NodeLibrary, open } from '../../src/library/node/open.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { smallStaticModel } from '../model/small-static-model.ts'

const home = await mkdtemp(join(tmpdir(), 'ashlar-threaded-'))
let cases = 0

afterAll(() => rm(home, { recursive: true, force: true }))

async function newFolder(files: number): Promise<{ readonly docs: string; readonly file: string }> {
  const base = join(home, `case${++cases}`)
  const docs = join(base, 'docs')
  await mkdir(docs, { recursive: true })
  for (let at = 0; at < files; at++)
    await writeFile(join(docs, `${at}.md`), `# Wall ${at}\n\nThe cats sat on wall ${at}. A token did not.\n`)
  return { docs, file: join(base, 'walls.db') }
}

/** Everything that is kept, as it was made. */
async function records(library: NodeLibrary, ids: readonly string[]): Promise<unknown> {
  const embedding = embeddingIdentity({ embedder: smallStaticModel() })
  return library.store.get(ids, embedding === undefined ? {} : { embedding })
}

test('a thread stores what this one would store, and tells the same', async () => {
  const { docs, file } = await newFolder(7)
  await writeFile(join(docs, 'broken.pdf'), '%PDF-1.7 and nothing else')
  const kinds = new Map<string, string[]>()
  const sync = async (name: string, own: object): Promise<unknown> => {
    await using library = await open(`${file}-${name}`, { base: docs, embedder: smallStaticModel(), ...own })
    const events: IngestEvent[] = []
    const { times: _, ...receipt } = await library.sync(docs, { onEvent: (event) => void events.push(event) })
    kinds.set(
      name,
      events.map(({ type }) => type).filter((type) => type !== 'progress'),
    )
    expect(events.at(-1)).toMatchObject({ type: 'progress', done: { items: 8 } })
    const kept = await records(library, ['0.md', '6.md', 'broken.pdf'])
    return { receipt, kept, again: (await library.sync(docs)).counts, problems: (await library.verify()).problems }
  }
  // A reader of one's own cannot be handed to a thread.
  await using reader = workerReader()
  const here = await sync('here', { reader })
  expect(await sync('there', {})).toEqual(here)
  expect(here).toMatchObject({ receipt: { written: 7, counts: { failed: 1 } }, again: { unchanged: 7, failed: 1 }, problems: [] })
  expect(kinds.get('there')?.toSorted()).toEqual(kinds.get('here')?.toSorted())
})

test('who is asked before much is removed is asked from the thread as well', async () => {
  const { docs, file } = await newFolder(3)
  await using library = await open(file, { embedder: 'none' })
  await library.sync(docs)
  await rm(join(docs, '1.md'))
  const asked: number[][] = []
  expect(await library.sync(docs, { remove: (...given) => asked.push(given) === 0 })).toMatchObject({ removed: 0 })
  expect(asked).toEqual([[1, 3]])
  await expect(
    library.sync(docs, {
      remove: () => {
        throw new Error('not today')
      },
    }),
  ).rejects.toThrow('not today')
  expect(await library.sync(docs, { remove: async () => true })).toMatchObject({ removed: 1 })
  expect(await library.get('docs/1.md')).toBeUndefined()
})

test('an abort ends the run with its reason, and what was stored stays', async () => {
  const { docs, file } = await newFolder(400)
  await using library = await open(file, { embedder: smallStaticModel() })
  const stop = new AbortController()
  const reason = new Error('enough')
  const run = library.sync(docs, {
    signal: stop.signal,
    onEvent: (event) => {
      if (event.type === 'found') stop.abort(reason)
    },
  })
  await expect(run).rejects.toBe(reason)
  await expect(library.sync(docs, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const { counts } = await library.sync(docs)
  expect(counts.new + counts.unchanged).toBe(400)
  expect((await library.verify()).problems).toEqual([])
})

test('runs that were begun end when the library is closed', async () => {
  const { docs, file } = await newFolder(200)
  const library = await open(file, { embedder: 'none' })
  const run = library.sync(docs).then(
    () => 'done',
    (error: { readonly code?: string }) => error.code,
  )
  await library.close()
  expect(['done', 'STORE_CLOSED', 'STORE_FAILED']).toContain(await run)
})

test('a source that is more than data is read in this thread', async () => {
  const { docs, file } = await newFolder(2)
  await using library = await open(file, { embedder: 'none', fields: { year: 'number' } })
  await library.sync(folderSource(docs, { metadata: () => ({ year: 1998 }) }))
  const { items } = await library.list({ where: { year: 1998 } })
  expect(items.length).toBe(2)
  // An error of a run is told as it is there.
  await expect(library.sync(join(docs, 'nowhere'))).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
})

test('a thread that has too little memory begins again with more', async () => {
  const { docs, file } = await newFolder(2)
  const paragraph = 'A dry stone wall has no mortar, and stands for as long as its stones keep each other in place.\n\n'
  await writeFile(join(docs, 'large.txt'), paragraph.repeat(20_000))
  await using store = await sqliteStore(file, { workspace: 'a', fields: ingestFields })
  await using thread = new ThreadedIngest(
    file,
    () => ({ path: file, journal: `${file}.journal`, scope: { workspace: 'a', fields: ingestFields } }),
    20,
  )
  const source = folderSource(docs).forThread?.() as ThreadSource
  let found = 0
  const onEvent = ({ type }: IngestEvent): void => {
    if (type === 'found') found++
  }
  expect(await thread.run(source, { onEvent })).toMatchObject({ failures: [], counts: { failed: 0 } })
  // Once by each of two threads.
  expect(found).toBe(6)
  expect((await store.list()).items.map(({ id }) => id)).toEqual(['0.md', '1.md', 'large.txt'])
})
