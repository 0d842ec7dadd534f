import { describe, expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { checkScope } from '../../src/store/check-scope.ts'
import type { Engine, EngineReader, EngineWriter, RowBatch } from '../../src/store/engine.ts'
import { MemoryData } from '../../src/store/memory-data.ts'
import { MemoryEngine } from '../../src/store/memory-engine.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { StoreSupports } from '../../src/store/store.ts'
import { TreeStore } from '../../src/store/tree-store.ts'
import { sampleDocument, sampleEmbedding, sampleIdentity, sampleText, sampleVector } from '../../src/testing/store-samples.ts'
import { buildTree } from '../../src/tree/build-tree.ts'

const identity = sampleIdentity('first')

/** An engine that does what its tests say before or instead of what it should. */
class TroubledEngine implements Engine {
  readonly #engine: MemoryEngine
  readonly supports: StoreSupports
  passWrites = Number.POSITIVE_INFINITY
  again = false
  batches: RowBatch[] = []

  constructor(data: MemoryData) {
    this.#engine = new MemoryEngine(data, checkScope({ workspace: 'one' }))
    this.supports = this.#engine.supports
  }

  read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#engine.read(work, signal)
  }

  async write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.passWrites-- <= 0) throw new Error('disk full')
    return this.#engine.write(async (writer) => {
      if (this.again) await work(instead(writer, { write: noChange, addEmbedding: noChange, useEmbedding: noChange }))
      return work(
        instead(writer, {
          write: (batch: RowBatch) => {
            this.batches.push(batch)
            return writer.write(batch)
          },
        }),
      )
    }, signal)
  }

  maintain(): Promise<void> {
    return this.#engine.maintain()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#engine[Symbol.asyncDispose]()
  }
}

/** A writer of which some methods do something else. */
function instead(writer: EngineWriter, others: Partial<EngineWriter>): EngineWriter {
  return new Proxy(writer, {
    get(target, name) {
      const value = Reflect.get(others, name) ?? Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function noChange(): Promise<void> {}

function openTroubled(): { readonly engine: TroubledEngine; readonly store: TreeStore } {
  const engine = new TroubledEngine(new MemoryData())
  return { engine, store: new TreeStore({ scope: checkScope({ workspace: 'one' }), engine }) }
}

describe('a store over an engine', () => {
  test('an edit near the top of 1 MB of markdown writes at most 20 rows', async () => {
    const store = memoryStore({ workspace: 'one' })
    const text = sampleText(5, { sections: 300, paragraphs: 6, lines: 12 })
    expect(text.length).toBeGreaterThan(1_000_000)
    const put = async (source: string) => {
      const tree = buildTree(source, { document: 'd', format: markdown })
      const notes = tree.children.filter((_, index) => index % 3 === 0).map(({ id }) => ({ child: id, context: `about ${id}` }))
      const [receipt] = await store.put([{ tree, notes, embeddings: [sampleEmbedding(tree, identity)] }])
      return { tree, receipt }
    }
    await put(text)
    const { tree, receipt } = await put(`${text.slice(0, 700)} Some words that were not there. ${text.slice(700)}`)
    expect(receipt?.rows.written).toBeLessThanOrEqual(20)
    expect(receipt?.rows.deleted).toBeLessThanOrEqual(20)
    expect((await store.get(['d']))[0]?.tree).toEqual(tree)
    console.log(`an edit near the top of ${text.length} characters in ${tree.children.length} children:`, receipt?.rows)
  })

  test('says which documents are stored when the engine fails on the way', async () => {
    const { engine, store } = openTroubled()
    const documents = Array.from({ length: 500 }, (_, index) => sampleDocument(`d${index}`, `line ${index}`))
    engine.passWrites = 1
    try {
      await store.put(documents)
      expect.unreachable()
    } catch (error) {
      expect(isAshlarError(error) && error.code).toBe('STORE_FAILED')
      const { details, cause } = error as { details: { receipts: { document: string }[]; documents: string[] }; cause: Error }
      expect(cause.message).toBe('disk full')
      expect(details.receipts.map(({ document }) => document)).toEqual(documents.slice(0, 200).map(({ tree }) => tree.document))
      expect(details.documents[0]).toBe('d200')
    }
    engine.passWrites = Number.POSITIVE_INFINITY
    expect((await store.list({ limit: 1000 })).items).toHaveLength(200)
    const receipts = await store.put(documents)
    expect(receipts.filter(({ changed }) => changed)).toHaveLength(300)
  })

  test('does the same when the engine runs a transaction again', async () => {
    const { engine, store } = openTroubled()
    engine.again = true
    await store.put([sampleDocument('d', sampleText(1), [identity])])
    await store.put([sampleDocument('d', sampleText(1).replace('.', ' edited.'), [identity])])
    const [record] = await store.get(['d'])
    expect(record?.tree).toEqual(sampleDocument('d', sampleText(1).replace('.', ' edited.')).tree)
    expect((await store.remove(['d']))[0]?.found).toBe(true)
    expect((await store.embeddings())[0]?.children).toBe(0)
  })

  test('hands the engine one batch for the documents of a call, with one segment', async () => {
    const { engine, store } = openTroubled()
    await store.put(Array.from({ length: 50 }, (_, index) => sampleDocument(`d${index}`, sampleText(index), [identity])))
    const batches = engine.batches.filter(({ documents }) => documents.length > 0)
    expect(batches).toHaveLength(1)
    expect(batches[0]?.segments).toHaveLength(1)
    expect(batches[0]?.tombstones).toHaveLength(0)
    const keys = [...(batches[0]?.documents ?? []), ...(batches[0]?.parents ?? [])].map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  test('keeps what it was given, whatever happens to the original', async () => {
    const store = memoryStore({ workspace: 'one' })
    const tags = ['a']
    const document = sampleDocument('d', sampleText(1), [identity], { metadata: { tags } })
    const embedding = document.embeddings?.[0]
    await store.put([document])
    for (const vector of embedding?.vectors ?? []) vector?.fill(0)
    for (const { blob } of embedding?.windows ?? []) blob?.fill(0)
    tags.push('b')
    const [record] = await store.get(['d'])
    expect(record?.metadata).toEqual({ tags: ['a'] })
    expect(Object.isFrozen(record?.metadata['tags'])).toBe(true)
    const { children } = await store.nominate({ vector: { identity, values: sampleVector('a', identity), limit: 5 } })
    const fetched = await store.children(children, { vectors: identity, windows: identity })
    expect(fetched.children.every(({ vector }) => vector?.some((number) => number !== 0))).toBe(true)
    expect([...fetched.windows.values()].every((blob) => blob.some((byte) => byte !== 0))).toBe(true)
  })
})
