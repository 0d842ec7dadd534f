import type { ListedSegment } from '../engine.ts'
import { type DocumentNumbers, indexOfKey, numberDocuments } from './document-numbers.ts'
import { KeyPlaces } from './key-places.ts'
import { type LiveSegment, liveSegment } from './live-segment.ts'
import { readPiecePage } from './piece-pages.ts'
import { type PostingPage, readPostingPage } from './posting-page.ts'
import type { PostingsCache } from './postings-cache.ts'
import type { PostingsQuery, PostingsResult } from './postings-query.ts'
import { scoreQuery } from './score-query.ts'
import { ScoreRoom, scoreRoomSize } from './score-room.ts'
import { type HeadPieces, pagesOf } from './segment-head.ts'
import { type PageAddress, readCached, readHeads, readPages, readTables, type SegmentReader } from './segment-source.ts'
import { termBytes } from './term-bytes.ts'

export type { SegmentReader }

/** Places of children in one segment. */
interface SegmentPlaces {
  readonly segment: number
  readonly places: readonly number[]
}

/** The lexical index of the workspaces that a reader reads, as it is in this transaction. */
export interface Postings {
  /** Live children. */
  readonly count: number
  query(query: PostingsQuery): Promise<PostingsResult>
  /** How many live children have each word piece under an embedding; pieces that none has are left out. */
  pieceFrequencies(embedding: number, ids: Iterable<number>): Promise<ReadonlyMap<number, number>>
  /** Where the live children of documents stand: all of them, or only those with these keys. They become tombstones by `packPlaces`. */
  locate(documents: readonly number[], children?: ReadonlySet<number>): readonly SegmentPlaces[]
  /** The segments with anything of these documents in them, be it dead. */
  holding(documents: readonly number[]): readonly number[]
}

interface PostingsState {
  readonly segments: readonly LiveSegment[]
  readonly documents: DocumentNumbers
  readonly count: number
}

/** Opens the index that a reader sees. `cache` keeps what was decoded between transactions; `listed` are its segments where they are known. */
export async function openPostings(
  reader: SegmentReader,
  cache: PostingsCache,
  listed?: readonly Omit<ListedSegment, 'workspace'>[],
): Promise<Postings> {
  const state = await readState(reader, cache, listed ?? (await reader.segments()))
  return {
    count: state.count,
    query: (query) => runQuery(reader, cache, state, query),
    pieceFrequencies: (embedding, ids) => countPieces(reader, cache, state, embedding, ids),
    locate: (documents, children) => locate(state, documents, children),
    holding: (documents) =>
      state.segments
        .filter(({ table }) => documents.some((key) => indexOfKey(table.documents.keys, key) >= 0))
        .map(({ id }) => id),
  }
}

async function readState(
  reader: SegmentReader,
  cache: PostingsCache,
  segmentRows: readonly Omit<ListedSegment, 'workspace'>[],
): Promise<PostingsState> {
  const listed = [...segmentRows].sort((a, b) => a.id - b.id)
  const name = `state ${listed.map(({ id, tombstones }) => `${id}:${tombstones}`).join(' ')}`
  const known = cache.get<PostingsState>(name)
  if (known !== undefined) return known
  const heads = await readHeads(
    reader,
    cache,
    listed.map(({ id }) => id),
  )
  const tables = await readTables(reader, cache, heads)
  const live = await readCached(listed, cache, {
    key: ({ id, tombstones }) => `live ${id} ${tombstones}`,
    size: ({ table }: LiveSegment) => table.count * 5 + (table.parents.keys.length + table.sections.keys.length) * 8,
    async read(missing) {
      const marked = missing.filter(({ tombstones }) => tombstones > 0).map(({ id }) => id)
      const rows = marked.length === 0 ? [] : await reader.tombstones(marked)
      return missing.map(({ id }) =>
        liveSegment(
          id,
          heads.get(id)!,
          tables.get(id)!,
          rows.filter(({ segment }) => segment === id).map(({ places }) => places),
        ),
      )
    },
  })
  const segments = listed.map((one) => live.get(one) as LiveSegment)
  const documents = numberDocuments(segments)
  const state = { segments, documents, count: segments.reduce((sum, { count }) => sum + count, 0) }
  cache.set(name, state, documents.keys.length * 20 + 100)
  return state
}

async function runQuery(
  reader: SegmentReader,
  cache: PostingsCache,
  state: PostingsState,
  query: PostingsQuery,
): Promise<PostingsResult> {
  const { segments, documents, count } = state
  const terms = query.terms.map(({ term }) => termBytes(term))
  const addresses = segments.map(({ id, head }) =>
    terms.map((term) => {
      const { from, to } = pagesOf(head, term)
      return Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
        name: `${id} ${from + at}`,
        segment: id,
        page: from + at,
      }))
    }),
  )
  const wanted = new Map(addresses.flat(2).map(({ name, segment, page }): [string, PageAddress] => [name, { segment, page }]))
  const pages = await readCached([...wanted.keys()], cache, {
    key: (name) => name,
    size: ({ size }: PostingPage) => size,
    read: async (missing) =>
      (
        await readPages(
          reader,
          missing.map((name) => wanted.get(name) as PageAddress),
        )
      ).map(readPostingPage),
  })
  const places = (query.children ?? []).length === 0 ? [] : segments.map((segment) => keyPlaces(segment, cache))
  return scoreQuery(
    {
      segments,
      documents,
      count,
      pages: (segment, term) => addresses[segment]![term]!.map(({ name }) => pages.get(name) as PostingPage),
      placeOf: (segment, key) => (places[segment] as KeyPlaces).placeOf(key),
      room: scoreRoom(state, cache),
    },
    query,
  )
}

/** One room is kept: that of the state that was asked last. */
function scoreRoom(state: PostingsState, cache: PostingsCache): ScoreRoom {
  const known = cache.get<{ readonly state: PostingsState; readonly room: ScoreRoom }>('room')
  if (known?.state === state) return known.room
  const room = new ScoreRoom(state.segments, state.documents)
  cache.set('room', { state, room }, scoreRoomSize(state.segments, state.documents))
  return room
}

function keyPlaces({ id, table }: LiveSegment, cache: PostingsCache): KeyPlaces {
  const known = cache.get<KeyPlaces>(`keys ${id}`)
  if (known !== undefined) return known
  const places = new KeyPlaces(table.keys)
  cache.set(`keys ${id}`, places, places.size)
  return places
}

async function countPieces(
  reader: SegmentReader,
  cache: PostingsCache,
  { segments }: PostingsState,
  embedding: number,
  ids: Iterable<number>,
): Promise<Map<number, number>> {
  const found = new Map<number, number>()
  const asked = [...new Set(ids)]
  for (const segment of segments) {
    const pieces = segment.head.pieces.find((one) => one.embedding === embedding)
    if (pieces === undefined) continue
    const gone = await deadPieces(reader, cache, segment, pieces)
    for (const id of asked) {
      const at = indexOfKey(pieces.ids, id)
      const live = at < 0 ? 0 : (pieces.frequencies[at] as number) - (gone.get(id) ?? 0)
      if (live > 0) found.set(id, (found.get(id) ?? 0) + live)
    }
  }
  return found
}

/** How many dead children had each word piece: what is to be taken off the counts in the head. */
async function deadPieces(
  reader: SegmentReader,
  cache: PostingsCache,
  { id, dead, count, table }: LiveSegment,
  { embedding, firstPage, firstPlaces }: HeadPieces,
): Promise<ReadonlyMap<number, number>> {
  const gone = new Map<number, number>()
  if (dead === undefined) return gone
  const name = `gone ${id} ${embedding} ${table.count - count}`
  const known = cache.get<ReadonlyMap<number, number>>(name)
  if (known !== undefined) return known
  const wanted = [...firstPlaces.keys()].filter((page) => {
    const at = dead.indexOf(1, firstPlaces[page])
    return at >= 0 && at < (firstPlaces[page + 1] ?? table.count)
  })
  const pages = await readPages(
    reader,
    wanted.map((page) => ({ segment: id, page: firstPage + page })),
  )
  for (const [at, page] of pages.entries()) {
    for (const { place, ids } of readPiecePage(page, firstPlaces[wanted[at] as number] as number)) {
      if (dead[place] === 1) for (const piece of ids) gone.set(piece, (gone.get(piece) ?? 0) + 1)
    }
  }
  cache.set(name, gone, gone.size * 40 + 100)
  return gone
}

function locate({ segments }: PostingsState, documents: readonly number[], children?: ReadonlySet<number>): SegmentPlaces[] {
  return segments.flatMap(({ id, table, dead }) => {
    const places: number[] = []
    for (const key of documents) {
      const document = indexOfKey(table.documents.keys, key)
      if (document < 0) continue
      const end = table.documents.first[document + 1] as number
      for (let place = table.documents.first[document] as number; place < end; place++) {
        if (dead?.[place] !== 1 && children?.has(table.keys[place] as number) !== false) places.push(place)
      }
    }
    return places.length === 0 ? [] : [{ segment: id, places }]
  })
}
