import { AshlarError } from '../error/ashlar-error.ts'
import type { TokenTable } from '../model/embedder.ts'
import { rowProduct } from './row-product.ts'
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
      /** Texts use few words: each is compared with the query once, and where its cosines stand is noted by its id. */
      const places = new Int32Array(table.size).fill(-1)
      const cosines: number[] = []
      const placeOf = (id: number): number => {
        const known = places[id] as number
        if (known >= 0) return known
        const place = cosines.length
        places[id] = place
        const row = table.row(id)
        const length = rowLength(row, 0, row.length)
        for (const vector of query) cosines.push(length === 0 ? 0 : rowProduct(vector, row, 0) / length)
        return place
      }
      return {
        best(runs) {
          const found = new Float32Array(runs.length * pieces)
          let into = 0
          for (const { bytes, from, count } of runs) {
            for (let at = from; at < from + count * width; at += width) {
              const id = readId(bytes, at, width)
              // A damaged id must not look like evidence.
              if (id >= table.size) continue
              const place = placeOf(id)
              for (let piece = 0; piece < pieces; piece++) {
                const cosine = cosines[place + piece] as number
                if (cosine > (found[into + piece] as number)) found[into + piece] = cosine
              }
            }
            into += pieces
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
