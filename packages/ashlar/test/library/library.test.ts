import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { feedbackFields } from '../../src/library/feedback-fields.ts'
import type { Library } from '../../src/library/library.ts'
import { open } from '../../src/library/open.ts'
import type { Generator, Prompt } from '../../src/model/generator.ts'
import { noUsage } from '../../src/model/usage.ts'
import { memoryData, memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, StoreScope } from '../../src/store/store.ts'
import { letterEmbedder } from '../ingest/letter-embedder.ts'
import { openTestDatabase } from '../store/postgres-database.ts'

interface Fields {
  readonly year?: number
  readonly topic?: string
}

const folder = await mkdtemp(join(tmpdir(), 'ashlar-library-'))
const database = await openTestDatabase()
const pool = database?.connect()
let cases = 0

afterAll(async () => {
  await database?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** What opens the stores of one case, by engine. */
const engines: Readonly<Record<string, () => (scope: StoreScope) => Promise<Store>>> = {
  memory: () => {
    const data = memoryData()
    return async (scope) => memoryStore({ ...scope, data })
  },
  sqlite: () => {
    const path = join(folder, `case${++cases}.db`)
    return (scope) => sqliteStore(path, scope)
  },
  ...(pool === undefined
    ? {}
    : {
        postgres: () => {
          const schema = `library${++cases}`
          return (scope: StoreScope) => postgresStore(pool, scope, { schema })
        },
      }),
}

const walls = '# Walls\n\nA dry stone wall has no mortar.\n\n## Coping\n\nThe coping keeps rain out of the wall.\n'
const roofs = '# Roofs\n\nSlate is hung on battens with copper nails.\n'

async function openOn(engine: string, options: { readonly generator?: Generator; readonly reader?: never } = {}) {
  const openStore = engines[engine]?.() as (scope: StoreScope) => Promise<Store>
  const embedder = letterEmbedder()
  const library = await open<Fields>({
    store: await openStore({ workspace: 'w', fields: { ...ingestFields, year: 'number', topic: 'string' } }),
    feedback: await openStore({ workspace: 'w/feedback', fields: feedbackFields }),
    embedder,
    tree: { least: 0 },
    ...options,
  })
  return { library, embedder, openStore }
}

async function addBoth(library: Library<Fields>): Promise<void> {
  const receipt = await library.add([
    { id: 'walls.md', text: walls, format: 'markdown', title: 'Walls', metadata: { year: 2020, topic: 'stone' } },
    { id: 'roofs.md', text: roofs, format: 'markdown', title: 'Roofs', metadata: { year: 2024, topic: 'slate' } },
  ])
  expect(receipt).toMatchObject({ written: 2, failures: [] })
}

/** Answers every question with what a test says, and keeps what it was asked. */
function scripted(answer: string): Generator & { readonly prompts: Prompt[] } {
  const prompts: Prompt[] = []
  return {
    identity: { model: 'test/scripted', options: {} },
    maxTokens: undefined,
    promptCache: 'none',
    prompts,
    async generate(prompt) {
      prompts.push(prompt)
      return { text: answer, finish: 'stop', usage: { ...noUsage, inputTokens: 7 } }
    },
  }
}

describe.each(Object.keys(engines))('a library on %s', (engine) => {
  test('adds, finds, reads and lists', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    const { hits, nothing, degraded } = await library.search('what keeps rain out?')
    expect(hits[0]).toMatchObject({ document: { id: 'walls.md' }, outline: ['Walls', 'Coping'] })
    expect(hits[0]?.text).toContain('The coping keeps rain out')
    expect(walls.slice(hits[0]?.start, hits[0]?.end)).toBe(hits[0]?.text)
    expect({ nothing, degraded }).toEqual({ nothing: false, degraded: [] })
    const document = await library.get('walls.md')
    expect(document).toMatchObject({ id: 'walls.md', text: walls, title: 'Walls', metadata: { year: 2020, topic: 'stone' } })
    expect(document?.placeOf(walls.indexOf('## Coping'))).toEqual({ kind: 'line', line: 5, column: 1 })
    expect(Object.keys(document?.metadata ?? {}).filter((name) => name.startsWith('ashlar.'))).toEqual([])
    expect(await library.get('nowhere')).toBeUndefined()
    expect((await library.list()).items.map(({ id }) => id)).toEqual(['roofs.md', 'walls.md'])
    expect((await library.list({ where: { year: { gte: 2021 } } })).items.map(({ id }) => id)).toEqual(['roofs.md'])
  })

  test('filters as people write it', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    const { hits } = await library.search('stone wall', { where: { year: { gte: 2021 } } })
    expect(new Set(hits.map(({ document }) => document.id))).toEqual(new Set(['roofs.md']))
    const many = await library.searchMany(['copper nails', 'mortar'], { limit: 1 })
    expect(many.map(({ hits }) => hits[0]?.document.id)).toEqual(['roofs.md', 'walls.md'])
  })

  test('changes metadata without embedding anything again', async () => {
    const { library, embedder } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    embedder.taken()
    expect(await library.update('walls.md', { year: 2025, topic: null })).toBe(true)
    expect(await library.update('nowhere', { year: 1 })).toBe(false)
    expect(embedder.taken()).toEqual([])
    expect((await library.get('walls.md'))?.metadata).toEqual({ year: 2025 })
    expect((await library.search('coping', { where: { year: 2025 } })).hits[0]?.document.id).toBe('walls.md')
    await Promise.all([1, 2, 3, 4].map((year) => library.update('walls.md', { year })))
    expect((await library.get('walls.md'))?.text).toBe(walls)
    await expect(library.update('walls.md', { 'ashlar.hash': 'x' } as object)).rejects.toThrow(/library's own/)
  })

  test('takes chunks that somebody else cut, and a chunker of one’s own', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    const text = 'One. Two. Three.'
    await library.add([
      {
        id: 'sliced',
        text,
        chunks: [
          { start: 0, end: 5 },
          { start: 5, end: 16 },
        ],
      },
      {
        id: 'cut',
        text,
        chunks: (given) => [
          { start: 0, end: given.indexOf('Two') },
          { start: given.indexOf('Two'), end: given.length },
        ],
      },
      { id: 'alone', chunks: ['Mortar sets.', 'Lime burns.'] },
    ])
    expect((await library.search('Three', { where: { op: 'document', ids: ['sliced'] } })).hits[0]?.text).toBe('Two. Three.')
    expect((await library.search('lime')).hits[0]).toMatchObject({ document: { id: 'alone' }, text: 'Lime burns.' })
  })

  test('names texts by their content, and takes files', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    expect(await library.add('Stone on stone.')).toMatchObject({ written: 1 })
    expect(await library.add(['Stone on stone.', 'Slate on wood.'])).toMatchObject({ written: 1, counts: { unchanged: 1 } })
    await library.add(new File(['# Lime\n\nQuick and slaked.\n'], 'lime.md', { type: 'text/markdown' }))
    expect(await library.get('lime.md')).toMatchObject({ format: 'markdown', title: 'Lime' })
  })

  test('erases with a receipt, also what was said about it', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    const [hit] = (await library.search('coping')).hits
    await library.feedback({ query: 'coping', verdict: 'helpful', hit: hit?.id ?? '', document: 'walls.md', comment: 'good' })
    await library.feedback({ query: 'gutters', verdict: 'missing' })
    expect((await library.stats()).feedback).toEqual({ helpful: 1, unhelpful: 0, missing: 1 })
    const receipt = await library.remove(['walls.md', 'nowhere'])
    expect(receipt).toMatchObject({ removed: 1, feedback: 1, erased: true })
    expect(receipt.rows).toBeGreaterThan(0)
    expect(await library.get('walls.md')).toBeUndefined()
    expect((await library.search('coping')).hits.filter(({ document }) => document.id === 'walls.md')).toEqual([])
    expect((await library.stats()).feedback).toEqual({ helpful: 0, unhelpful: 0, missing: 1 })
  })

  test('counts what there is and how searches went', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    await library.search('coping')
    const stats = await library.stats()
    expect(stats).toMatchObject({ workspace: 'w', engine, documents: 2, characters: walls.length + roofs.length })
    expect(stats.searches).toMatchObject({ count: 1, degraded: 0, failed: 0 })
    expect(stats.embeddings).toMatchObject([{ active: true, children: stats.pieces }])
  })

  test('finds its own laws kept', async () => {
    const { library } = await openOn(engine)
    await using _ = library
    await addBoth(library)
    const report = await library.verify()
    expect(report).toMatchObject({ ok: true, documents: 2, problems: [] })
    expect(report.searched.byWords).toBeGreaterThan(0)
    expect(report.searched.byVector).toBeGreaterThan(0)
  })

  test('answers from the evidence with citations, or says that it is missing', async () => {
    const generator = scripted('The coping keeps rain out [1][9].')
    const { library } = await openOn(engine, { generator })
    await using _ = library
    expect(await library.ask('rain?')).toMatchObject({ missing: true, reason: 'nothing found', hits: [] })
    expect(generator.prompts).toEqual([])
    await addBoth(library)
    const answer = await library.ask('What keeps rain out?', { limit: 3, instructions: 'Be brief.' })
    expect(answer).toMatchObject({ text: 'The coping keeps rain out [1][9].', missing: false, unknown: [9], cutOff: false })
    expect(answer.citations).toEqual([{ number: 1, hit: answer.hits[0] }])
    expect(answer.usage.inputTokens).toBe(7)
    const [prompt] = generator.prompts
    expect(prompt?.system).toMatch(/^Be brief\./)
    expect(prompt?.parts[0]?.text).toContain('The coping keeps rain out of the wall.')
    const silent = await library.ask('What keeps rain out?', { generator: scripted('No answer in the passages.') })
    expect(silent).toMatchObject({ text: '', missing: true, reason: 'not answered', citations: [] })
  })
})

test('ask says what it lacks', async () => {
  const { library } = await openOn('memory')
  await using _ = library
  await expect(library.ask('rain?')).rejects.toThrow(/needs a generator/)
})

test('feedback needs a place', async () => {
  await using library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
  expect(() => library.feedback({ query: 'a', verdict: 'helpful' })).toThrow(/keeps no feedback/)
})

test('works without an embedder, by words', async () => {
  await using library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
  await library.add({ id: 'walls.md', text: walls, format: 'markdown' })
  const { hits, legs } = await library.search('coping')
  expect(hits[0]?.document.id).toBe('walls.md')
  expect(legs).not.toContain('vector')
})
