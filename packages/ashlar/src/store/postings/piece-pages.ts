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
  readonly #frequencies = new Map<number, number>()
  readonly #buffer = new ByteBuffer()

  /** Places must come in order; `ids` rise. */
  add(place: number, ids: Uint32Array): void {
    if (this.#buffer.length === 0) this.firstPlaces.push(place)
    this.#buffer.number(place)
    writeRising(this.#buffer, ids)
    for (const id of ids) this.#frequencies.set(id, (this.#frequencies.get(id) ?? 0) + 1)
    if (this.#buffer.length >= pageSize) this.#flush()
  }

  finish(): { readonly ids: Uint32Array; readonly frequencies: Uint32Array } {
    if (this.#buffer.length > 0) this.#flush()
    const ids = Uint32Array.from(this.#frequencies.keys()).sort()
    return { ids, frequencies: ids.map((id) => this.#frequencies.get(id) as number) }
  }

  #flush(): void {
    this.pages.push(sealPage([this.#buffer.written()]))
    this.#buffer.length = 0
  }
}

const what = 'page of word pieces'

/** The children of a page and their word pieces. */
export function* readPiecePage(page: Uint8Array | undefined): Generator<{ readonly place: number; readonly ids: Uint32Array }> {
  const bytes = openPage(page, what)
  const cursor = new ByteCursor(bytes, what)
  while (cursor.at < bytes.length) yield { place: cursor.number(), ids: readRising(cursor) }
}
