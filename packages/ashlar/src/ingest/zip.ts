import { joinBytes } from './join-bytes.ts'
import { damagedFile, encryptedFile, tooLargeFile } from './load-failure.ts'
import type { LoadOptions } from './loader.ts'

interface Entry {
  readonly method: number
  readonly encrypted: boolean
  readonly compressed: number
  readonly size: number
  readonly header: number
}

const endOfDirectory = 0x06054b50
const endOfDirectory64 = 0x06064b50
const locatorOfEnd64 = 0x07064b50
const directoryEntry = 0x02014b50
const localEntry = 0x04034b50

/** Longest comment that may stand behind the directory, and the record before it. */
const reachOfEnd = 65_535 + 22

const mostEntries = 100_000

/** Whether a file begins as zip archives do. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
}

/**
 * A zip archive whose entries are decompressed one by one, when asked for, within one budget for all of them.
 *
 * What an entry says of its size is checked before it is decompressed, and held to while it is: one that turns out larger is damaged.
 */
export class Zip {
  readonly #name: string
  readonly #bytes: Uint8Array
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #options: LoadOptions
  #left: number

  /** @throws AshlarError `DAMAGED_FILE` where there is no readable directory. */
  constructor(name: string, bytes: Uint8Array, options: LoadOptions) {
    this.#name = name
    this.#bytes = bytes
    this.#options = options
    this.#left = options.limits.inflatedBytes
    this.#entries = readDirectory(name, bytes)
  }

  has(path: string): boolean {
    return this.#entries.has(path)
  }

  get paths(): readonly string[] {
    return [...this.#entries.keys()]
  }

  /**
   * The contents of an entry; undefined where there is none.
   *
   * @throws AshlarError `FILE_TOO_LARGE`, `DAMAGED_FILE`, `ENCRYPTED_FILE`.
   */
  async read(path: string): Promise<Uint8Array | undefined> {
    const entry = this.#entries.get(path)
    if (entry === undefined) return undefined
    if (entry.encrypted) throw encryptedFile(this.#name)
    if (entry.size > this.#left) throw this.#tooLarge()
    const view = viewOf(this.#bytes)
    const at = entry.header
    if (at + 30 > this.#bytes.length || view.getUint32(at, true) !== localEntry) throw this.#damaged(path)
    const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
    const end = start + entry.compressed
    if (end > this.#bytes.length) throw this.#damaged(path)
    const packed = this.#bytes.subarray(start, end)
    const contents = await this.#unpack(path, packed, entry)
    this.#left -= contents.length
    return contents
  }

  /** The contents of an entry as XML text. */
  async text(path: string): Promise<string | undefined> {
    const bytes = await this.read(path)
    if (bytes === undefined) return undefined
    const utf16 =
      bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
    if (bytes.length > 2 ** 29 - 64) throw this.#tooLarge()
    return new TextDecoder(utf16).decode(bytes)
  }

  async #unpack(path: string, packed: Uint8Array, entry: Entry): Promise<Uint8Array> {
    if (entry.method === 0) return packed
    if (entry.method !== 8)
      throw damagedFile(this.#name, `${JSON.stringify(path)} is compressed in a way that office files are not`)
    const parts: Uint8Array[] = []
    let length = 0
    const input = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        // In slices, so that a bomb is noticed after some of it.
        for (let at = 0; at < packed.length; at += 16_384) controller.enqueue(packed.slice(at, at + 16_384))
        controller.close()
      },
    })
    const reader = input.pipeThrough(new DecompressionStream('deflate-raw')).getReader()
    try {
      for (;;) {
        this.#options.signal?.throwIfAborted()
        const { done, value } = await reader.read()
        if (done) break
        length += value.length
        if (length > entry.size) throw this.#damaged(path)
        parts.push(value)
      }
    } catch (cause) {
      reader.cancel().catch(() => undefined)
      if (cause instanceof TypeError) throw this.#damaged(path, cause)
      throw cause
    }
    return joinBytes(parts, length)
  }

  #damaged(path: string, cause?: unknown): Error {
    return damagedFile(this.#name, `its part ${JSON.stringify(path.slice(0, 80)).toWellFormed()} cannot be decompressed`, cause)
  }

  #tooLarge(): Error {
    return tooLargeFile(this.#name, 'bytes when decompressed', this.#options.limits.inflatedBytes)
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function readDirectory(name: string, bytes: Uint8Array): ReadonlyMap<string, Entry> {
  const view = viewOf(bytes)
  const end = findEnd(view)
  if (end < 0) throw damagedFile(name, 'the directory at the end of the archive is missing, as when a download was cut off')
  let at = view.getUint32(end + 16, true)
  let count = view.getUint16(end + 10, true)
  const locator = end - 20
  if (locator >= 0 && view.getUint32(locator, true) === locatorOfEnd64) {
    const large = Number(view.getBigUint64(locator + 8, true))
    if (large + 56 <= bytes.length && view.getUint32(large, true) === endOfDirectory64) {
      count = Number(view.getBigUint64(large + 32, true))
      at = Number(view.getBigUint64(large + 48, true))
    }
  }
  if (count > mostEntries) throw tooLargeFile(name, 'parts', mostEntries)
  const entries = new Map<string, Entry>()
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== directoryEntry)
      throw damagedFile(name, 'its directory cannot be read')
    const nameLength = view.getUint16(at + 28, true)
    const extraLength = view.getUint16(at + 30, true)
    const nameEnd = at + 46 + nameLength
    if (nameEnd + extraLength > bytes.length) throw damagedFile(name, 'its directory cannot be read')
    const path = new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)).replaceAll('\\', '/')
    const sizes = entrySizes(view, at, nameEnd, nameEnd + extraLength)
    const encrypted = (view.getUint16(at + 8, true) & 1) === 1
    entries.set(path, { method: view.getUint16(at + 10, true), encrypted, ...sizes })
    at = nameEnd + extraLength + view.getUint16(at + 32, true)
  }
  return entries
}

function findEnd(view: DataView): number {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - reachOfEnd); at--) {
    if (view.getUint32(at, true) === endOfDirectory) return at
  }
  return -1
}

/** Sizes and place of an entry; where one does not fit into 32 bits, it stands in an extra field of its own. */
function entrySizes(view: DataView, at: number, extra: number, end: number): Pick<Entry, 'compressed' | 'size' | 'header'> {
  let size = view.getUint32(at + 24, true)
  let compressed = view.getUint32(at + 20, true)
  let header = view.getUint32(at + 42, true)
  for (let field = extra; field + 4 <= end; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) !== 1) continue
    let next = field + 4
    const large = (): number => {
      next += 8
      return next <= end ? Number(view.getBigUint64(next - 8, true)) : 0
    }
    if (size === 0xffffffff) size = large()
    if (compressed === 0xffffffff) compressed = large()
    if (header === 0xffffffff) header = large()
  }
  return { size, compressed, header }
}
