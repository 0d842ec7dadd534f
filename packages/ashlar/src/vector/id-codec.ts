import { AshlarError } from '../error/ashlar-error.ts'
import type { TokenTable } from '../model/embedder.ts'
import type { TokenCodec } from './token-codec.ts'
import { rowLength, unitRow } from './vector-length.ts'

/**
 * Keeps nothing but the tokens' ids, 2 bytes each (3 where the vocabulary has more than 65,536): for static embedders, whose states
 * can be looked up again. Nothing is lost by it.
 */
export function idCodec(table: TokenTable): TokenCodec {
  const width = table.size <= 0x1_0000 ? 2 : 3
  return {
    id: `id-${width}-1`,
    size: () => width,
    encode({ ids }, which) {
      const bytes = new Uint8Array(which.length * width)
      for (const [at, token] of which.entries()) {
        const id = ids[token] as number
        if (id >= table.size) {
          throw new AshlarError('INVALID_OPTION', `Token ${id} has no vector in the table, which has ${table.size}.`, {
            details: { id, size: table.size },
          })
        }
        for (let byte = 0; byte < width; byte++) bytes[at * width + byte] = id >>> (8 * byte)
      }
      return bytes
    },
    scorer({ rows, dimensions }) {
      const pieces = rows.length / dimensions
      const query = Array.from({ length: pieces }, (_, piece) => unitRow(rows, piece * dimensions, dimensions))
      /** Texts use few words: each is compared with the query once. */
      const known = new Map<number, Float32Array>()
      const cosines = (id: number): Float32Array => {
        const found = known.get(id) ?? cosinesWith(query, table.row(id))
        known.set(id, found)
        return found
      }
      return {
        best(runs) {
          const found = new Float32Array(runs.length * pieces)
          for (const [run, { bytes, from, count }] of runs.entries()) {
            for (let at = from; at < from + count * width; at += width) {
              const id = readId(bytes, at, width)
              // A damaged id must not look like evidence.
              if (id >= table.size) continue
              raise(found, run * pieces, cosines(id))
            }
          }
          return found
        },
      }
    },
  }
}

function readId(bytes: Uint8Array, at: number, width: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
  return width === 2 ? low : low | ((bytes[at + 2] as number) << 16)
}

function cosinesWith(query: readonly Float32Array[], row: Float32Array): Float32Array {
  const length = rowLength(row, 0, row.length)
  return Float32Array.from(query, (vector) => {
    let sum = 0
    for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) * (row[at] as number)
    return length === 0 ? 0 : sum / length
  })
}

function raise(found: Float32Array, from: number, values: Float32Array): void {
  for (const [at, value] of values.entries()) if (value > (found[from + at] as number)) found[from + at] = value
}
