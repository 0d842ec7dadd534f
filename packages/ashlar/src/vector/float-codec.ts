import { rowProducts } from './row-products.ts'
import type { TokenCodec } from './token-codec.ts'
import { unitRow } from './vector-length.ts'

/** Keeps token states whole, at 4 bytes a number: what other codecs are compared with. Thirty times the bytes of `signCodec`. */
export const floatCodec: TokenCodec = {
  id: 'float-1',
  size: (dimensions) => 4 * dimensions,
  encode({ rows, dimensions }, which) {
    const bytes = new Uint8Array(4 * which.length * dimensions)
    const view = new DataView(bytes.buffer)
    for (const [place, token] of which.entries()) {
      const unit = unitRow(rows, token * dimensions, dimensions)
      for (let at = 0; at < dimensions; at++) view.setFloat32(4 * (place * dimensions + at), unit[at] as number, true)
    }
    return bytes
  },
  scorer({ rows, dimensions }) {
    const pieces = rows.length / dimensions
    const query = Array.from({ length: pieces }, (_, piece) => unitRow(rows, piece * dimensions, dimensions))
    return {
      best(runs) {
        const found = new Float32Array(runs.length * pieces)
        for (const [run, { bytes, from, count }] of runs.entries()) {
          const tokens = readFloats(bytes, from, count * dimensions)
          const states = Array.from({ length: count }, (_, at) => tokens.subarray(at * dimensions, (at + 1) * dimensions))
          for (const [at, cosine] of rowProducts(states, query).entries()) {
            const into = run * pieces + (at % pieces)
            found[into] = Math.max(found[into] as number, cosine)
          }
        }
        return found
      },
    }
  },
}

const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

function readFloats(bytes: Uint8Array, from: number, length: number): Float32Array {
  const offset = bytes.byteOffset + from
  if (isLittleEndian && offset % 4 === 0) return new Float32Array(bytes.buffer, offset, length)
  const view = new DataView(bytes.buffer, offset, 4 * length)
  return Float32Array.from({ length }, (_, at) => view.getFloat32(4 * at, true))
}
