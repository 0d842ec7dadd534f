import type { ChildTable, LevelRuns } from './child-table.ts'
import { damagedIndex } from './page-seal.ts'
import { readPlaces } from './places.ts'
import type { SegmentHead } from './segment-head.ts'

/** A segment without those of its children that later writes replaced or removed. */
export interface LiveSegment {
  readonly id: number
  readonly head: SegmentHead
  readonly table: ChildTable
  /** 1 for each place that is dead; undefined when none is. */
  readonly dead: Uint8Array | undefined
  /** Live children. */
  readonly count: number
  /** Length of each child in words, own and generated text together, and of each piece above as the sum over its live children. */
  readonly lengths: Uint32Array
  readonly parentLengths: Float64Array
  readonly sectionLengths: Float64Array
  readonly documentLengths: Float64Array
}

/** Takes the tombstones off a segment. */
export function liveSegment(id: number, head: SegmentHead, table: ChildTable, tombstones: readonly Uint8Array[]): LiveSegment {
  const lengths = table.ownLengths.map((own, place) => own + (table.generatedLengths[place] as number))
  const dead = tombstones.length === 0 ? undefined : new Uint8Array(table.count)
  let count = table.count
  for (const row of tombstones) {
    for (const place of readPlaces(row)) {
      if (place >= table.count) throw damagedIndex('row of tombstones', 'it names a child that is not there')
      if ((dead as Uint8Array)[place] === 0) count--
      ;(dead as Uint8Array)[place] = 1
    }
  }
  const sum = ({ keys, of }: LevelRuns): Float64Array => {
    const sums = new Float64Array(keys.length)
    for (let place = 0; place < lengths.length; place++) {
      if (dead?.[place] === 1) continue
      const piece = of[place] as number
      sums[piece] = (sums[piece] as number) + (lengths[place] as number)
    }
    return sums
  }
  return {
    id,
    head,
    table,
    dead,
    count,
    lengths,
    parentLengths: sum(table.parents),
    sectionLengths: sum(table.sections),
    documentLengths: sum(table.documents),
  }
}
