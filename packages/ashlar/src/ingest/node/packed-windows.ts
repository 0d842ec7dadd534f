import { noUsage, type Usage } from '../../model/usage.ts'
import type { EmbeddedWindow } from '../../vector/embed-late.ts'

/** Embedded windows of one document as few large values, for another thread. */
export interface PackedWindows {
  /** Six numbers a window: start, end, first, after, bytes of its blob, and tokens it consumed. */
  readonly numbers: Int32Array<ArrayBuffer>
  /** All keys in one text; all are of one length. */
  readonly keys: string
  readonly vectors: Float32Array<ArrayBuffer>
  /** For each child how many pieces it has, then the pieces of all. */
  readonly pieceCounts: Uint32Array<ArrayBuffer>
  readonly pieces: Uint32Array<ArrayBuffer>
  readonly blobs: Uint8Array<ArrayBuffer>
}

const width = 6

/** Packs windows; those of one document, in their order. */
export function packWindows(windows: readonly EmbeddedWindow[]): PackedWindows {
  const vectors = windows.flatMap((window) => window.vectors)
  const pieces = windows.flatMap((window) => window.pieces)
  const blobs = windows.map(({ blob }) => blob)
  const numbers = windows.flatMap(({ start, end, first, after, blob, usage }) => [
    start,
    end,
    first,
    after,
    blob.length,
    usage.inputTokens,
  ])
  return {
    numbers: Int32Array.from(numbers),
    keys: windows.map(({ key }) => key).join(''),
    vectors: joined(vectors, (length) => new Float32Array(length)),
    pieceCounts: Uint32Array.from(pieces, ({ length }) => length),
    pieces: joined(pieces, (length) => new Uint32Array(length)),
    blobs: joined(blobs, (length) => new Uint8Array(length)),
  }
}

/** The windows that {@link packWindows} packed. Their vectors, pieces and blobs are parts of its arrays. */
export function unpackWindows({ numbers, keys, vectors, pieceCounts, pieces, blobs }: PackedWindows): readonly EmbeddedWindow[] {
  const count = numbers.length / width
  const keyLength = count === 0 ? 0 : keys.length / count
  const dimensions = pieceCounts.length === 0 ? 0 : vectors.length / pieceCounts.length
  let child = 0
  let piece = 0
  let byte = 0
  return Array.from({ length: count }, (_, at): EmbeddedWindow => {
    const [start = 0, end = 0, first = 0, after = 0, size = 0, inputTokens = 0] = numbers.subarray(at * width, (at + 1) * width)
    const ownVectors: Float32Array[] = []
    const ownPieces: Uint32Array[] = []
    for (let index = first; index < after; index++, child++) {
      ownVectors.push(vectors.subarray(child * dimensions, (child + 1) * dimensions))
      const pieceEnd = piece + (pieceCounts[child] as number)
      ownPieces.push(pieces.subarray(piece, pieceEnd))
      piece = pieceEnd
    }
    const blob = blobs.subarray(byte, byte + size)
    byte += size
    const usage: Usage = { ...noUsage, inputTokens }
    const key = keys.slice(at * keyLength, (at + 1) * keyLength)
    return { start, end, first, after, key, vectors: ownVectors, pieces: ownPieces, blob, usage }
  })
}

/** What can be handed over without a copy. */
export function windowBuffers({ numbers, vectors, pieceCounts, pieces, blobs }: PackedWindows): ArrayBuffer[] {
  return [numbers, vectors, pieceCounts, pieces, blobs].map(({ buffer }) => buffer)
}

interface Settable<Part> {
  set(part: Part, at: number): void
}

function joined<Part extends { readonly length: number }, Whole extends Settable<Part>>(
  parts: readonly Part[],
  make: (length: number) => Whole,
): Whole {
  const whole = make(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
