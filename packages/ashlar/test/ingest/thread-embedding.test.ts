import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { embeddingIdentity } from '../../src/ingest/embedding-identity.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { folderSource } from '../../src/ingest/node/folder-source.ts'
import { packWindows, unpackWindows } from '../../src/ingest/node/packed-windows.ts'
import { workerReader } from '../../src/ingest/node/worker-reader.ts'
import type { Reader } from '../../src/ingest/reader.ts'
import { runIngest } from '../../src/ingest/run-ingest.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { type EmbeddedWindow, embedLate } from '../../src/vector/embed-late.ts'
import { smallStaticModel } from '../model/small-static-model.ts'

const text = Array.from(
  { length: 40 },
  (_, at) => `# Part ${at}\n\nThe cats sat on wall ${at}, é 中 a token. The other ${at} did not.\n\n`,
).join('')

test('windows come out of packing as they went in', async () => {
  const windows: EmbeddedWindow[] = []
  for await (const window of embedLate(buildTree(text), { embedder: smallStaticModel() })) windows.push(window)
  expect(windows.length).toBeGreaterThan(2)
  expect(unpackWindows(packWindows(windows))).toEqual(windows)
  expect(unpackWindows(packWindows([]))).toEqual([])
})

test('threads make the windows that this one would make', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ashlar-threads-'))
  try {
    for (let at = 0; at < 5; at++) await writeFile(join(folder, `${at}.md`), text.slice(at * 100))
    await writeFile(join(folder, 'empty.txt'), '')
    // Not light: a process parses it before a thread cuts and embeds it.
    await writeFile(join(folder, 'data.json'), JSON.stringify({ walls: 'The cats sat on it.', roofs: 'A token did not.' }))
    const embedder = smallStaticModel()
    const stored = async (reader?: Reader): Promise<unknown> => {
      await using store = memoryStore({ workspace: 'a', fields: ingestFields })
      const ingest = { store, embedder, ...(reader !== undefined && { reader }) }
      const source = folderSource(folder, { root: 'files' })
      const { children, windows, usage, counts, failures } = await runIngest(source, ingest)
      await writeFile(join(folder, '0.md'), `${text}One more.`)
      const again = await runIngest(source, ingest)
      await writeFile(join(folder, '0.md'), text)
      const embedding = embeddingIdentity(ingest)
      const ids = ['0.md', '1.md', '4.md', 'data.json', 'empty.txt']
      return {
        ...{ children, windows, usage, counts, failures, again: [again.children, again.windows, again.usage] },
        records: await store.get(ids, embedding === undefined ? {} : { embedding }),
      }
    }
    await using reader = workerReader({ threads: 2 })
    const threaded = await stored(reader)
    expect(threaded).toEqual(await stored())
    expect(threaded).toMatchObject({ failures: [], counts: { new: 7 } })
    // Once its weights are shared, the embedder here gives what it gave before.
    const texts = ['the cats', 'a token']
    const [here, fresh] = await Promise.all([embedder, smallStaticModel()].map((one) => one.embed(texts, { as: 'document' })))
    expect(here).toEqual(fresh)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
