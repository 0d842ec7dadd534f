import { describe, expect, test } from 'vitest'
import { checkScope } from '../../src/store/check-scope.ts'
import type { Engine, EngineReader, EngineWriter, RowBatch } from '../../src/store/engine.ts'
import { MemoryData } from '../../src/store/memory-data.ts'
import { MemoryEngine } from '../../src/store/memory-engine.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { StoreScope } from '../../src/store/store.ts'
import { TreeStore } from '../../src/store/tree-store.ts'
import { storeContract } from '../../src/testing/store-contract.ts'
import { memoryOrphans } from './memory-orphans.ts'

/** Something that is wrong with an engine, as changes to its readers and writers. */
type Fault = (writer: EngineWriter, scope: Readonly<Required<StoreScope>>, data: MemoryData) => Partial<EngineWriter>

const everybody: Readonly<Required<StoreScope>> = { workspace: 'one', alsoRead: [], fields: {} }

/** What engines have got wrong elsewhere; the contract must notice each. */
const faults: Readonly<Record<string, Fault>> = {
  'sees documents of other workspaces': (_, scope, data) => ({
    documentsByKey: async (keys) => keys.flatMap((key) => data.documents.get(key) ?? []),
    families: async (keys) =>
      keys.flatMap((key) => {
        const parent = data.parents.get(key)
        const document = data.documents.get(parent?.document ?? 0)
        return parent === undefined || document === undefined ? [] : [{ parent, version: document.version }]
      }),
    parents: async (keys) => keys.flatMap((key) => data.parents.get(key) ?? []),
    documentsById: async (ids) => [...data.documents.values()].filter(({ id }) => ids.includes(id) && scope.workspace !== ''),
  }),
  'compares vectors of other workspaces': (writer, _, data) => ({
    nearest: async (_embeddings, vector, limit, where) => {
      const all = [...data.embeddings.values()]
      const same = all.filter(({ identity }) => identity.dimensions === vector.length)
      const open = new MemoryEngine(data, { ...everybody, alsoRead: [...new Set(all.map(({ workspace }) => workspace))] })
      const found = await open.read((reader) =>
        reader.nearest(
          same.map(({ key }) => key),
          vector,
          limit,
          undefined,
        ),
      )
      return where === undefined ? found : writer.nearest(_embeddings, vector, limit, where)
    },
  }),
  'forgets the filter of a vector search': (writer) => ({
    nearest: (embeddings, vector, limit) => writer.nearest(embeddings, vector, limit, undefined),
  }),
  'filters after it has taken the nearest': (writer) => ({
    async nearest(embeddings, vector, limit, where) {
      const all = await writer.nearest(embeddings, vector, limit, undefined)
      if (where === undefined) return all
      const allowed = new Set((await writer.nearest(embeddings, vector, 10_000, where)).map(({ child }) => child))
      return all.slice(0, 3).filter(({ child }) => allowed.has(child))
    },
  }),
  'misses some of the nearest': (writer) => ({
    nearest: async (embeddings, vector, limit, where) =>
      (await writer.nearest(embeddings, vector, limit + 5, where)).filter((_, at) => at % 4 !== 1).slice(0, limit),
  }),
  'leaves vectors of removed children': (writer) => ({
    write: (batch) => writer.write({ ...batch, gone: { ...batch.gone, children: [] } }),
  }),
  'leaves documents that were removed': (writer) => ({
    write: (batch) => writer.write({ ...batch, gone: { ...batch.gone, documents: [] } }),
  }),
  'leaves parents that were replaced': (writer) => ({
    write: (batch) => writer.write({ ...batch, gone: { ...batch.gone, parents: [] } }),
  }),
  'leaves windows that were replaced': (writer) => ({
    write: (batch) => writer.write({ ...batch, gone: { ...batch.gone, windows: [] } }),
  }),
  'loses tombstones': (writer) => ({ write: (batch) => writer.write({ ...batch, tombstones: [] }) }),
  'loses notes': (writer) => ({ write: (batch) => writer.write({ ...batch, notes: [] }) }),
  'keeps notes that were taken away': (writer) => ({
    write: (batch) => writer.write({ ...batch, gone: { ...batch.gone, notes: [] } }),
  }),
  'loses windows': (writer) => ({ write: (batch) => writer.write({ ...batch, windows: [] }) }),
  'orders by UTF-16': (writer) => ({
    listDocuments: async (where, after, limit) =>
      (await writer.listDocuments(where, undefined, 10_000))
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .filter(({ id }) => after === undefined || id > after.id)
        .slice(0, limit),
  }),
  'lists by position instead of by id': (writer) => ({
    async listDocuments(where, after, limit) {
      const all = await writer.listDocuments(where, undefined, 10_000)
      const from = after === undefined ? 0 : Math.max(seen, 0)
      seen = from + limit - 1
      return all.slice(from, from + limit)
    },
  }),
  'ignores filters in lists': (writer) => ({
    listDocuments: (_, after, limit) => writer.listDocuments(undefined, after, limit),
  }),
  'ignores case in filters': (writer) => ({
    listDocuments: async (where, after, limit) =>
      where?.op === 'equal' && where.value === 'a' ? [] : writer.listDocuments(where, after, limit),
    documentsWhere: async (where) => (await writer.documentsWhere(where)).slice(0, -1),
  }),
  'gives keys twice': (_, __, data) => ({
    takeKeys: async (count) => (data.takeKeys(0) > 1 ? Math.max(1, data.takeKeys(count) - 40) : data.takeKeys(count)),
  }),
  'forgets an embedding in every workspace': (writer, _, data) => ({
    async forgetEmbedding(embedding) {
      await writer.forgetEmbedding(embedding)
      for (const block of data.vectors.keys()) if (block !== embedding) await writer.forgetEmbedding(block)
    },
  }),
  'uses two embeddings at once': (_, __, data) => ({
    async useEmbedding(embedding) {
      const row = data.embeddings.get(embedding)
      if (row !== undefined) data.embeddings.set(embedding, { ...row, active: true })
    },
  }),
  'writes a document in two steps': (writer, scope, data) => ({
    async write(batch: RowBatch) {
      data.commit({ ...batch, parents: [], vectors: [], segments: [], tombstones: [] }, scope.workspace)
      await new Promise((resolve) => setTimeout(resolve, 1))
      await writer.write({ ...batch, documents: [] })
    },
  }),
  'resolves before it has written': (writer) => ({
    async write(batch) {
      if (batch.documents.some(({ id }) => id === 'd2')) return
      await writer.write(batch)
    },
  }),
}

let seen = 0

class FaultyEngine implements Engine {
  readonly #engine: MemoryEngine
  readonly #fault: (reader: EngineReader) => EngineWriter
  readonly supports

  constructor(data: MemoryData, scope: Readonly<Required<StoreScope>>, fault: Fault) {
    this.#engine = new MemoryEngine(data, scope)
    this.supports = this.#engine.supports
    this.#fault = (reader) => {
      const others = fault(reader as EngineWriter, scope, data)
      return new Proxy(reader as EngineWriter, {
        get(target, name) {
          const value = Reflect.get(others, name) ?? Reflect.get(target, name, target)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    }
  }

  read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#engine.read((reader) => work(this.#fault(reader)), signal)
  }

  write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#engine.write((writer) => work(this.#fault(writer)), signal)
  }

  maintain(): Promise<void> {
    return this.#engine.maintain()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#engine[Symbol.asyncDispose]()
  }
}

/** Runs the contract against an engine and gives the names of the promises that it breaks, up to the first. */
async function firstBroken(fault: Fault): Promise<string | undefined> {
  const bodies: [string, () => Promise<void>][] = []
  const sets = new Map<string, MemoryData>()
  storeContract({
    name: 'faulty',
    test: (name, body) => bodies.push([name, body]),
    runs: 6,
    open(given, name) {
      const data = sets.get(name) ?? new MemoryData()
      sets.set(name, data)
      const scope = checkScope(given)
      return new TreeStore({ scope, engine: new FaultyEngine(data, scope, fault), cache: data.cache })
    },
    reference: (scope) => memoryStore(scope),
    orphans: (name) => memoryOrphans(sets.get(name) as MemoryData),
  })
  for (const [name, body] of bodies) {
    // The largest one adds time and no other kind of check.
    if (/1 MB|thousand/.test(name)) continue
    try {
      await body()
    } catch {
      return name
    }
  }
  return undefined
}

describe('the contract of stores', () => {
  for (const [name, fault] of Object.entries(faults)) {
    test(`notices an engine that ${name}`, async () => {
      expect(await firstBroken(fault)).toBeDefined()
    }, 60_000)
  }
})
