import { ByteBuffer } from './byte-buffer.ts'
import { damagedList, type PackedList, readBlockHead } from './packed-list.ts'

/** Which children hold a term and how often: places in the table of children, rising, and counts beside them. */
export interface PostingList {
  readonly places: Uint32Array
  readonly counts: Uint32Array
  readonly length: number
}

/** Postings in a block that is written anew. */
const blockLength = 128
/** Runs are joined to blocks of at most so many, so any two blocks side by side have more. */
const longestBlock = 192

/**
 * The postings of one term and field, packed: blocks, each a run of places with their counts. It is filled with what is packed already
 * by copying bytes: a posting is written as its distance from the one before, so only the first of each run is written again. Used again
 * for the next term.
 */
export class PackedBlocks {
  blocks = 0
  /** Everything but the first number of each block. */
  readonly #bytes = new ByteBuffer()
  readonly #part = new ByteBuffer()
  #room = 16
  /** Of each block: its first place, whether a count follows it, where its bytes end, how many postings up to its end, its last place. */
  #first: Uint32Array = new Uint32Array(this.#room)
  #counted: Uint8Array = new Uint8Array(this.#room)
  #ends: Uint32Array = new Uint32Array(this.#room)
  #sums: Uint32Array = new Uint32Array(this.#room)
  #last: Uint32Array = new Uint32Array(this.#room)

  clear(): void {
    this.blocks = 0
    this.#bytes.length = 0
  }

  /** Postings from one block to before another. */
  count(from: number, to: number): number {
    return to === 0 ? 0 : (this.#sums[to - 1] as number) - (from === 0 ? 0 : (this.#sums[from - 1] as number))
  }

  /** The last place in a block. */
  last(block: number): number {
    return this.#last[block] as number
  }

  /** Packs postings that come after all that are here. */
  add({ places, counts, length }: PostingList): void {
    const bytes = this.#bytes
    for (let from = 0; from < length; from += blockLength) {
      const to = Math.min(length, from + blockLength)
      let place = places[from] as number
      let times = counts[from] as number
      this.#begin(place, times > 1 ? 1 : 0, to - from)
      if (times > 1) bytes.number(times - 2)
      for (let at = from + 1; at < to; at++) {
        const before = place
        place = places[at] as number
        times = counts[at] as number
        const gap = place - before - 1
        // The lowest bit tells that a count follows: most terms stand in a child once.
        if (times === 1) bytes.number(gap * 2)
        else {
          bytes.number(gap * 2 + 1)
          bytes.number(times - 2)
        }
      }
      this.#end(place)
    }
  }

  /** Copies a list whose places, each moved on by `shift`, come after all that are here. `most` is the number of children it is about. */
  copy({ bytes, start, end, count, blocks }: PackedList, shift: number, most: number): void {
    if (count === 0) return
    if (!blocks) {
      this.#copyRun(bytes, start, end, count, -1, lastPlace(bytes, start, end, count), shift, most)
      return
    }
    let at = start
    let before = -1
    for (let left = count; left > 0; ) {
      const head = readBlockHead(bytes, at)
      at = head.at + head.length
      if (head.reach < 1 || head.length < 1 || head.count < 1 || head.count > left || at > end) throw damagedList()
      this.#copyRun(bytes, head.at, at, head.count, before, before + head.reach, shift, most)
      before += head.reach
      left -= head.count
    }
    if (at !== end) throw damagedList()
  }

  /** Writes a block behind the place `before`. */
  write(into: ByteBuffer, block: number, before: number): void {
    into.number(((this.#first[block] as number) - before - 1) * 2 + (this.#counted[block] as number))
    into.append(this.#bytes.bytes, block === 0 ? 0 : this.#ends[block - 1], this.#ends[block])
  }

  /** The same with its head. */
  writeHeaded(into: ByteBuffer, block: number, before: number): void {
    const part = this.#part
    part.length = 0
    part.number(((this.#first[block] as number) - before - 1) * 2 + (this.#counted[block] as number))
    const from = block === 0 ? 0 : (this.#ends[block - 1] as number)
    const to = this.#ends[block] as number
    into.number((this.#last[block] as number) - before)
    into.number(part.length + to - from)
    into.number(this.count(block, block + 1))
    into.append(part.bytes, 0, part.length)
    into.append(this.#bytes.bytes, from, to)
  }

  #copyRun(
    bytes: Uint8Array,
    start: number,
    end: number,
    count: number,
    before: number,
    last: number,
    shift: number,
    most: number,
  ): void {
    if (last >= most) throw damagedList()
    let at = start
    let byte = bytes[at++] as number
    let value = byte & 127
    for (let bits = 7; byte > 127 && bits < 32; bits += 7) {
      byte = bytes[at++] as number
      value |= (byte & 127) << bits
    }
    this.#begin(before + (value >>> 1) + 1 + shift, value & 1, count)
    this.#bytes.append(bytes, at, end)
    this.#end(last + shift)
  }

  /** Begins a run of `count` postings with its first number: in the last block where that has room. */
  #begin(first: number, counted: number, count: number): void {
    const at = this.blocks - 1
    if (at >= 0) {
      const before = this.#last[at] as number
      if (first <= before) throw damagedList()
      if (this.count(at, at + 1) + count <= longestBlock) {
        this.#bytes.number((first - before - 1) * 2 + counted)
        this.#sums[at] = (this.#sums[at] as number) + count
        return
      }
    }
    if (this.blocks === this.#room) this.#grow()
    const block = this.blocks++
    this.#first[block] = first
    this.#counted[block] = counted
    this.#sums[block] = (at < 0 ? 0 : (this.#sums[at] as number)) + count
  }

  #end(last: number): void {
    const block = this.blocks - 1
    this.#ends[block] = this.#bytes.length
    this.#last[block] = last
  }

  #grow(): void {
    this.#room *= 2
    this.#first = larger(this.#first, new Uint32Array(this.#room))
    this.#counted = larger(this.#counted, new Uint8Array(this.#room))
    this.#ends = larger(this.#ends, new Uint32Array(this.#room))
    this.#sums = larger(this.#sums, new Uint32Array(this.#room))
    this.#last = larger(this.#last, new Uint32Array(this.#room))
  }
}

function larger<Numbers extends Uint32Array | Uint8Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from)
  return to
}

/** The last place of a run that no head tells about. */
function lastPlace(bytes: Uint8Array, start: number, end: number, count: number): number {
  let at = start
  let place = -1
  for (let posting = 0; posting < count; posting++) {
    let byte = bytes[at++] as number
    let value = byte & 127
    for (let shift = 7; byte > 127 && shift < 32; shift += 7) {
      byte = bytes[at++] as number
      value |= (byte & 127) << shift
    }
    place += (value >>> 1) + 1
    if ((value & 1) === 0) continue
    do byte = bytes[at++] as number
    while (byte > 127)
  }
  if (at !== end) throw damagedList()
  return place
}
