import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Enrichment, EnrichmentKind } from '../../src/enrich/enrichment.ts'
import { search } from '../../src/search/search.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { enrichUnsaid, unsaidCases, unsaidWords } from '../enrich/unsaid-cases.ts'
import { openTestDatabase, type TestDatabase } from '../store/postgres-database.ts'

const database = await openTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'ashlar-enriched-'))

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await database?.[Symbol.asyncDispose]()
})

const trees = unsaidCases.map(({ text }, at) => buildTree(text, { document: `case ${at}`, title: `Case ${at}` }))
let enrichments: readonly Enrichment[] = []

beforeAll(async () => {
  enrichments = await enrichUnsaid(trees)
})

/** The documents, each with what was generated of one kind, or with nothing. */
function documents(kind?: EnrichmentKind): readonly StoredDocument[] {
  return trees.map((tree, at) => {
    const { provenance, ...generated } = enrichments[at] as Enrichment
    if (kind === undefined) return { tree }
    return { tree, notes: [{ child: tree.children[0]?.id as string, [kind]: generated[kind], provenance: { ...provenance } }] }
  })
}

const engines: Readonly<Record<string, (workspace: string) => Promise<Store>>> = {
  memory: async (workspace) => memoryStore({ workspace }),
  sqlite: (workspace) => sqliteStore(join(folder, 'store.db'), { workspace }),
  ...(database === undefined
    ? {}
    : { postgres: (workspace: string) => postgresStore((database as TestDatabase).url, { workspace }, { connections: 2 }) }),
}

describe.each(Object.entries(engines))('what was generated is found in the store %s', (_, open) => {
  test.each(['context', 'questions', 'keywords'] as const)('by %s, and only where it is kept', async (kind) => {
    await using store = await open(kind)
    const found = async (query: string): Promise<readonly string[]> =>
      (await search(store, query)).hits.map(({ document, text }) => `${document.id}: ${text}`)
    const answers = unsaidCases.map(({ text }, at) => `case ${at}: ${text}`)
    const queries = unsaidWords[kind]

    await store.put(documents())
    for (const query of queries) expect(await found(query), query).toEqual([])
    await store.put(documents(kind))
    for (const [at, query] of queries.entries()) expect((await found(query))[0], query).toBe(answers[at])
    const [hit] = (await search(store, queries[0] as string)).hits
    expect(hit?.note?.[kind]).toEqual(enrichments[0]?.[kind])
    await store.put(documents())
    for (const query of queries) expect(await found(query), query).toEqual([])
  })
})
