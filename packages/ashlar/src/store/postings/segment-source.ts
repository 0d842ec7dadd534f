import type { EngineReader } from '../engine.ts'
import { type ChildTable, readTable, tableSize } from './child-table.ts'
import { damagedIndex } from './page-seal.ts'
import type { PostingsCache } from './postings-cache.ts'
import { readHead, type SegmentHead } from './segment-head.ts'

/** Where segments are read from; every engine's reader is one. */
export interface SegmentReader extends Pick<EngineReader, 'tombstones' | 'pages'> {
  segments(): Promise<readonly { readonly id: number; readonly tombstones: number }[]>
}

export interface PageAddress {
  readonly segment: number
  readonly page: number
}

/** Pages as a reader has them, in the order asked for. */
export async function readPages(
  reader: Pick<SegmentReader, 'pages'>,
  wanted: readonly PageAddress[],
): Promise<readonly Uint8Array[]> {
  if (wanted.length === 0) return []
  const pages = await reader.pages(wanted)
  if (pages.length !== wanted.length) throw damagedIndex('list of pages', 'some are missing')
  return pages
}

/** The heads of segments, from the cache where it has them. */
export async function readHeads(
  reader: Pick<SegmentReader, 'pages'>,
  cache: PostingsCache,
  segments: readonly number[],
): Promise<Map<number, SegmentHead>> {
  return readCached(segments, cache, {
    key: (segment) => `head ${segment}`,
    size: ({ size }) => size,
    read: async (missing) =>
      (
        await readPages(
          reader,
          missing.map((segment) => ({ segment, page: 0 })),
        )
      ).map(readHead),
  })
}

/** How many children segments have, live and dead: what merges are planned by, and all that is kept of a head for that. */
export async function readCounts(
  reader: Pick<SegmentReader, 'pages'>,
  cache: PostingsCache,
  segments: readonly number[],
): Promise<Map<number, number>> {
  return readCached(segments, cache, {
    key: (segment) => `count ${segment}`,
    size: () => 100,
    read: async (missing) => {
      const heads = missing.map((segment) => ({ segment, page: 0 }))
      return (await readPages(reader, heads)).map((page) => readHead(page).children)
    },
  })
}

/** The tables of segments, from the cache where it has them. */
export async function readTables(
  reader: SegmentReader,
  cache: PostingsCache,
  heads: ReadonlyMap<number, SegmentHead>,
): Promise<Map<number, ChildTable>> {
  return readCached([...heads.keys()], cache, {
    key: (segment) => `table ${segment}`,
    size: tableSize,
    async read(missing) {
      const wanted = missing.flatMap((segment) =>
        Array.from({ length: heads.get(segment)?.tablePages ?? 0 }, (_, page) => ({ segment, page: page + 1 })),
      )
      const pages = await readPages(reader, wanted)
      let at = 0
      return missing.map((segment) => {
        const { tablePages, children } = heads.get(segment) as SegmentHead
        at += tablePages
        return readTable(pages.slice(at - tablePages, at), children)
      })
    },
  })
}

/** What the cache has, and what it lacks read in one go. */
export async function readCached<Id, Value>(
  ids: readonly Id[],
  cache: PostingsCache,
  {
    key,
    size,
    read,
  }: {
    readonly key: (id: Id) => string
    readonly size: (value: Value) => number
    readonly read: (missing: readonly Id[]) => Promise<readonly Value[]>
  },
): Promise<Map<Id, Value>> {
  const found = new Map<Id, Value>()
  const missing: Id[] = []
  for (const id of ids) {
    const kept = cache.get<Value>(key(id))
    if (kept === undefined) missing.push(id)
    else found.set(id, kept)
  }
  if (missing.length === 0) return found
  for (const [at, value] of (await read(missing)).entries()) {
    const id = missing[at] as Id
    found.set(id, value)
    cache.set(key(id), value, size(value))
  }
  return found
}
