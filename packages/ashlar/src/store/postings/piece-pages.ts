import { ByteBuffer } from './byte-buffer.ts'
import { ByteCursor } from './byte-cursor.ts'
import { openPage, sealPage } from './page-seal.ts'
import { pageSize } from './posting-page.ts'
import { readRising, writeRising } from './segment-head.ts'

/**
 * Writes which child has which word pieces under one embedding, and counts the children of each. The counts are all that a search needs;
 * who has what is read only to take back what dead children counted.
 */
export class PiecePagesWriter {
  readonly pages: Uint8Array[] = []
  readonly firstPlaces: number[] = []
  readonly #frequencies = new PieceCounts()
  readonly #buffer = new ByteBuffer()

  /** Places must come in order; `ids` rise. */
  add(place: number, ids: Uint32Array): void {
    this.write(place, ids)
    for (let at = 0; at < ids.length; at++) this.#frequencies.add(ids[at] as number, 1)
  }

  /** The same for a child that is counted already, by {@link counts}. */
  write(place: number, ids: Uint32Array): void {
    if (this.#buffer.length === 0) this.firstPlaces.push(place)
    this.#buffer.number(place - (this.firstPlaces.at(-1) as number))
    writeRising(this.#buffer, ids)
    if (this.#buffer.length >= pageSize) this.#flush()
  }

  /** Takes over a page whose first child comes to stand at a place: places in a page are counted from there. */
  copy(place: number, page: Uint8Array): void {
    if (this.#buffer.length > 0) this.#flush()
    this.firstPlaces.push(place)
    this.pages.push(page)
  }

  /** Children of pages that are taken over. */
  counts(ids: Uint32Array, frequencies: Uint32Array): void {
    for (const [at, id] of ids.entries()) this.#frequencies.add(id, frequencies[at] as number)
  }

  finish(): { readonly ids: Uint32Array; readonly frequencies: Uint32Array } {
    if (this.#buffer.length > 0) this.#flush()
    const ids = this.#frequencies.ids()
    return { ids, frequencies: ids.map((id) => this.#frequencies.of(id)) }
  }

  #flush(): void {
    this.pages.push(sealPage([this.#buffer.written()]))
    this.#buffer.length = 0
  }
}

/** Vocabularies are smaller than this; whatever is beyond is counted another way. */
const mostListed = 2 ** 22

/** How many children have each word piece: a list, since a hash table would take longer than everything else here. */
class PieceCounts {
  #listed: Uint32Array = new Uint32Array(0)
  readonly #others = new Map<number, number>()

  add(id: number, children: number): void {
    if (id >= mostListed) {
      this.#others.set(id, this.of(id) + children)
      return
    }
    if (id >= this.#listed.length) {
      const larger = new Uint32Array(Math.max(1_024, 2 ** Math.ceil(Math.log2(id + 1))))
      larger.set(this.#listed)
      this.#listed = larger
    }
    this.#listed[id] = (this.#listed[id] as number) + children
  }

  of(id: number): number {
    return this.#listed[id] ?? this.#others.get(id) ?? 0
  }

  /** Those that any child has, rising. */
  ids(): Uint32Array {
    const listed: number[] = []
    for (let id = 0; id < this.#listed.length; id++) if (this.#listed[id] !== 0) listed.push(id)
    return Uint32Array.from([...listed, ...this.#others.keys()]).sort()
  }
}

const what = 'page of word pieces'

/** The children of a page and their word pieces. `first` is the place of the first of them. */
export function* readPiecePage(
  page: Uint8Array | undefined,
  first: number,
): Generator<{ readonly place: number; readonly ids: Uint32Array }> {
  const bytes = openPage(page, what)
  const cursor = new ByteCursor(bytes, what)
  while (cursor.at < bytes.length) yield { place: first + cursor.number(), ids: readRising(cursor) }
}
