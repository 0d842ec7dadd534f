import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { open } from '../../src/library/node/open.ts'
import { letterEmbedder } from '../ingest/letter-embedder.ts'
import { openTestDatabase } from '../store/postgres-database.ts'

const folder = await mkdtemp(join(tmpdir(), 'ashlar-open-'))
const database = await openTestDatabase()
let cases = 0

afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function newHandbook(): Promise<{ readonly base: string; readonly docs: string; readonly file: string }> {
  const base = join(folder, `case${++cases}`)
  const docs = join(base, 'docs')
  await mkdir(docs, { recursive: true })
  await writeFile(join(docs, 'leave.md'), '# Leave\n\nParents receive sixteen weeks of paid leave.\n')
  await writeFile(join(docs, 'travel.txt'), 'Book at least 14 days ahead. Trains come before flights.\n')
  return { base, docs, file: join(base, 'handbook.db') }
}

test('a path keeps everything in one file, which is there when it is opened again', async () => {
  const { docs, file } = await newHandbook()
  const embedder = letterEmbedder()
  {
    await using library = await open(file, { embedder })
    expect((await library.plan(docs)).counts).toMatchObject({ new: 2, unchanged: 0 })
    expect(await library.sync(docs)).toMatchObject({ written: 2, failures: [] })
  }
  embedder.taken()
  await using library = await open(pathToFileURL(file), { embedder })
  expect(await library.sync(docs)).toMatchObject({ written: 0, counts: { unchanged: 2 } })
  await rename(join(docs, 'travel.txt'), join(docs, 'journeys.txt'))
  expect(await library.sync(docs)).toMatchObject({ written: 1, removed: 1, counts: { moved: 1 } })
  expect(embedder.taken()).toEqual([])
  const { hits } = await library.search('trains before flights')
  expect(hits[0]).toMatchObject({ document: { id: 'docs/journeys.txt' }, place: { kind: 'line', line: 1 } })
  expect((await library.get('docs/leave.md'))?.source).toMatch(/^file:.*leave\.md$/)
  expect((await library.verify()).problems).toEqual([])
})

test('workspaces of one file do not see each other, and share when told to', async () => {
  const { file } = await newHandbook()
  await using one = await open(file, { workspace: 'one', embedder: 'none' })
  await using two = await open(file, { workspace: 'two', alsoRead: ['shared'], embedder: 'none' })
  await using shared = await open(file, { workspace: 'shared', embedder: 'none' })
  await one.add({ id: 'a', text: 'Quoins are for corners.' })
  await shared.add({ id: 'b', text: 'Quoins are dressed stones.' })
  expect((await two.search('quoins')).hits.map(({ document }) => document.id)).toEqual(['b'])
  expect((await one.search('quoins')).hits.map(({ document }) => document.id)).toEqual(['a'])
})

test('nothing of what was erased is left in any byte beside the library', async () => {
  const { base, docs, file } = await newHandbook()
  const secret = 'Zephyrine Quackenbush earns 48213 ducats, says voucher KX-7719-QV.'
  await writeFile(join(docs, 'salaries.md'), `# Salaries of Zephyrine\n\n${secret}\n`)
  const embedder = letterEmbedder()
  await using library = await open(file, { embedder })
  await library.sync(docs)
  const [hit] = (await library.search('Zephyrine Quackenbush')).hits
  await library.feedback({ query: 'Quackenbush ducats', verdict: 'helpful', document: 'docs/salaries.md', hit: hit?.id ?? '' })
  expect(await windowsIn(base, secret, ['salaries.md'])).toBeGreaterThan(20)
  const receipt = await library.remove('docs/salaries.md')
  expect(receipt).toMatchObject({ removed: 1, erased: true, feedback: 1 })
  expect(await windowsIn(base, secret, ['salaries.md'])).toBe(0)
})

/** How many stretches of 12 characters of a text stand in any byte of the files of a folder, sources aside. */
async function windowsIn(base: string, text: string, except: readonly string[]): Promise<number> {
  const names = await readdir(base, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile() && !except.includes(entry.name))
  const bytes = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))))
  let found = 0
  for (let at = 0; at + 12 <= text.length; at++) {
    if (bytes.some((one) => one.includes(text.slice(at, at + 12)))) found++
  }
  return found
}

test.skipIf(database === undefined)('a URL keeps it in a database', async () => {
  const { docs } = await newHandbook()
  const url = database?.url as string
  await using library = await open(url, { workspace: `open ${cases}`, embedder: letterEmbedder(), base: docs })
  expect(await library.sync(docs)).toMatchObject({ written: 2, failures: [] })
  expect((await library.search('paid leave')).hits[0]?.document.id).toBe('leave.md')
  await library.feedback({ query: 'paid leave', verdict: 'helpful' })
  expect((await library.stats()).feedback).toEqual({ helpful: 1, unhelpful: 0, missing: 0 })
})
