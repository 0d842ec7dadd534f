import { type ChildTable, compareRows } from './child-table.ts'
import { liveSegment } from './live-segment.ts'
import { MergedList, type MergedRow, MergeSource } from './merge-source.ts'
import { PackedBlocks } from './packed-blocks.ts'
import { PostingsCache } from './postings-cache.ts'
import type { SegmentHead } from './segment-head.ts'
import { readHeads, readTables, type SegmentReader } from './segment-source.ts'
import { SegmentWriter, type TakePages } from './segment-writer.ts'
import { sortRuns } from './sort-runs.ts'

/**
 * One segment with the live children of several; undefined when none is live. It takes the place of those segments and their tombstones
 * in one transaction, in which nobody else may add tombstones to them.
 *
 * With `take`, all pages but the head are handed to it as they are made, and the head alone is given.
 *
 * Keys of documents rise, so mostly all children of one segment come after all of another. Then lists are joined by copying bytes; only
 * those of segments with something dead are packed anew.
 */
export async function mergeSegments(
  reader: SegmentReader,
  segments: readonly number[],
  cache: PostingsCache = new PostingsCache(),
  take?: TakePages,
): Promise<Uint8Array[] | undefined> {
  const heads = await readHeads(reader, cache, segments)
  const tables = await readTables(reader, cache, heads)
  const tombstones = await reader.tombstones(segments)
  const sources = segments
    .map((id) => {
      const head = heads.get(id) as SegmentHead
      const rows = tombstones.filter(({ segment }) => segment === id).map(({ places }) => places)
      const { table, dead } = liveSegment(id, head, tables.get(id) as ChildTable, rows)
      return new MergeSource(reader, id, head, table, dead)
    })
    .filter(({ count }) => count > 0)
    .sort((a, b) => compareRows(a.firstRow, b.firstRow))
  if (sources.length === 0) return undefined
  const count = sources.reduce((sum, source) => sum + source.count, 0)
  const follow = sources.every(
    ({ firstRow }, at) => at === 0 || compareRows((sources[at - 1] as MergeSource).lastRow, firstRow) < 0,
  )
  // Where they follow one another, rows are made as they are needed: those of a large segment would be most of what a merge holds.
  const sorted = follow ? undefined : [...rowsOf(sources)].sort(compareRows)
  const rows = (): Iterable<MergedRow> => sorted ?? rowsOf(sources)
  place(sources, rows(), follow)
  const writer = new SegmentWriter(rows(), count)
  for (const source of sources) source.share(sources.length)
  await mergeTerms(sources, writer, follow, take)
  await mergePieces(sources, count, writer, follow, take)
  return writer.finish()
}

function* rowsOf(sources: readonly MergeSource[]): Generator<MergedRow, void, undefined> {
  for (const source of sources) yield* source.rows()
}

/** Tells each source where its children come to stand. */
function place(sources: readonly MergeSource[], rows: Iterable<MergedRow>, follow: boolean): void {
  let first = 0
  for (const [order, source] of sources.entries()) {
    source.order = order
    if (follow && !source.hasDead) source.shift = first
    else source.scatter()
    first += source.count
  }
  if (sources.every(({ shift }) => shift !== undefined)) return
  let at = 0
  for (const { source, oldPlace } of rows) {
    if (source.shift === undefined) source.newPlaces[oldPlace] = at
    at++
  }
}

async function mergeTerms(
  sources: readonly MergeSource[],
  writer: SegmentWriter,
  follow: boolean,
  take: TakePages | undefined,
): Promise<void> {
  for (const source of sources) await source.load()
  const open = sources.filter(({ isDone }) => !isDone)
  for (let at = (open.length >> 1) - 1; at >= 0; at--) sink(open, at)
  const lists = { own: new MergedList(), generated: new MergedList() }
  const packed = { own: new PackedBlocks(), generated: new PackedBlocks() }
  while (open.length > 0) {
    const term = (open[0] as MergeSource).term()
    lists.own.length = 0
    lists.generated.length = 0
    packed.own.clear()
    packed.generated.clear()
    // Those with the same term come in their order. A long list goes on in the next page of its segment.
    while (open.length > 0 && (open[0] as MergeSource).compare(term) === 0) {
      const source = open[0] as MergeSource
      if (follow) {
        source.copy(source.packed(false), packed.own, lists.own)
        source.copy(source.packed(true), packed.generated, lists.own)
      } else {
        source.decode(source.packed(false), lists.own)
        source.decode(source.packed(true), lists.generated)
      }
      if (source.advance()) await source.load()
      if (source.isDone) {
        const last = open.pop() as MergeSource
        if (open.length > 0) open[0] = last
      }
      if (open.length > 1) sink(open, 0)
    }
    if (!follow) {
      sortRuns(lists.own)
      sortRuns(lists.generated)
      packed.own.add(lists.own)
      packed.generated.add(lists.generated)
    }
    if (packed.own.blocks + packed.generated.blocks > 0) writer.packedTerm(term, packed.own, packed.generated)
    if (take !== undefined && writer.hasPortion) await writer.drainTerms(take)
  }
  if (take !== undefined) await writer.endTerms(take)
}

/** Moves a source down a heap to where none below it comes before it. */
function sink(heap: MergeSource[], from: number): void {
  const source = heap[from] as MergeSource
  let at = from
  for (;;) {
    let below = at * 2 + 1
    if (below >= heap.length) break
    if (below + 1 < heap.length && (heap[below + 1] as MergeSource).isBefore(heap[below] as MergeSource)) below++
    if (!(heap[below] as MergeSource).isBefore(source)) break
    heap[at] = heap[below] as MergeSource
    at = below
  }
  heap[at] = source
}

async function mergePieces(
  sources: readonly MergeSource[],
  count: number,
  writer: SegmentWriter,
  follow: boolean,
  take: TakePages | undefined,
): Promise<void> {
  const embeddings = new Set(sources.flatMap(({ head }) => head.pieces.map(({ embedding }) => embedding)))
  for (const embedding of embeddings) {
    const pieces = writer.pieces(embedding)
    if (follow) {
      for (const source of sources) {
        await source.copyPieces(embedding, pieces)
        if (take !== undefined) await writer.drainPieces(embedding, take)
      }
    } else {
      const found = new Map<number, Uint32Array>()
      for (const source of sources) await source.readPieces(embedding, found)
      for (let at = 0; at < count; at++) {
        const ids = found.get(at)
        if (ids !== undefined) pieces.add(at, ids)
      }
    }
    if (take !== undefined) await writer.endPieces(embedding, take)
  }
}
