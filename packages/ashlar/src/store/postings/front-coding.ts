import type { ByteBuffer } from './byte-buffer.ts'
import type { ByteCursor } from './byte-cursor.ts'

const longestTerm = 4096

/** Writes terms as what they do not share with the beginning of the one before. */
export class FrontWriter {
  #before: Uint8Array = new Uint8Array(0)

  write(buffer: ByteBuffer, term: Uint8Array): void {
    const before = this.#before
    const most = Math.min(before.length, term.length)
    let shared = 0
    while (shared < most && before[shared] === term[shared]) shared++
    buffer.number(shared)
    buffer.number(term.length - shared)
    buffer.append(term, shared)
    this.#before = term
  }

  restart(): void {
    this.#before = new Uint8Array(0)
  }
}

/** Reads terms that a `FrontWriter` wrote, and puts them side by side. */
export class FrontReader {
  #bytes: Uint8Array = new Uint8Array(4096)
  #length = 0
  #start = 0

  /** Reads one term and returns where it ends. */
  read(cursor: ByteCursor): number {
    const shared = cursor.number()
    const rest = cursor.count()
    if (shared > this.#length - this.#start || shared + rest > longestTerm) throw cursor.damaged('it holds a term that is none')
    const start = this.#length
    if (start + shared + rest > this.#bytes.length) {
      const larger = new Uint8Array((start + shared + rest) * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.copyWithin(start, this.#start, this.#start + shared)
    this.#bytes.set(cursor.bytes.subarray(cursor.at, cursor.at + rest), start + shared)
    cursor.skip(rest)
    this.#start = start
    this.#length = start + shared + rest
    return this.#length
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
