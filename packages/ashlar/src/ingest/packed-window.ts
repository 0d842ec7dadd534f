import { isAshlarError } from '../error/ashlar-error.ts'
import { ByteReader } from '../store/byte-reader.ts'
import { ByteWriter } from '../store/byte-writer.ts'
import { packPieces, readPieces } from '../store/word-pieces.ts'
import type { EmbeddedWindow } from '../vector/embed-late.ts'

/** What is made of a window: enough to store it without asking the model again. */
export type WindowContent = Pick<EmbeddedWindow, 'vectors' | 'pieces' | 'blob'>

const version = 1

/** A window as bytes, for a journal. */
export function packWindow({ vectors, pieces, blob }: WindowContent): Uint8Array {
  const writer = new ByteWriter()
  writer.byte(version)
  writer.bytes(packPieces(pieces))
  writer.bytes(blob)
  for (const { buffer, byteOffset, byteLength } of vectors) writer.bytes(new Uint8Array(buffer, byteOffset, byteLength))
  return writer.done()
}

/** The window that {@link packWindow} packed; undefined where the bytes are not one of so many children. */
export function unpackWindow(bytes: Uint8Array, children: number): WindowContent | undefined {
  try {
    const reader = new ByteReader(bytes, 'window in a journal')
    if (reader.byte() !== version) return undefined
    const pieces = readPieces(reader.bytes())
    const blob = reader.bytes().slice()
    // Copied: numbers of four bytes must begin at a multiple of four.
    const vectors = pieces.map(() => new Float32Array(reader.bytes().slice().buffer))
    reader.end()
    return pieces.length === children ? { vectors, pieces, blob } : undefined
  } catch (error) {
    // What was damaged is made again; `RangeError` is what half a number gives.
    if (isAshlarError(error) || error instanceof RangeError) return undefined
    throw error
  }
}
