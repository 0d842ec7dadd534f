import { AshlarError } from '../error/ashlar-error.ts'
import type { TokenTable } from '../model/embedder.ts'
import { rowProducts } from './row-products.ts'
import type { TokenCodec, TokenRun } from './token-codec.ts'
import { rowLength, unitRow } from './vector-length.ts'

/**
 * Keeps nothing but the tokens' ids, 2 bytes each (3 where the vocabulary has more than 65,536): for static embedders, whose states
 * can be looked up again. Nothing is lost by it.
 */
export function idCodec(table: TokenTable): TokenCodec {
  const known = codecs.get(table)
  if (known !== undefined) return known
  const codec = newCodec(table)
  codecs.set(table, codec)
  return codec
}

/** One a table: it knows the lengths of rows that were needed before. */
const codecs = new WeakMap<TokenTable, TokenCodec>()

function newCodec(table: TokenTable): TokenCodec {
  const width = table.size <= 0x1_0000 ? 2 : 3
  const lengths = new Float64Array(table.size)
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
      return {
        best(runs) {
          const { ids, places } = distinctTokens(runs, width, table.size)
          return bestOfRuns(runs, places, cosinesOf(ids, table, query, lengths), pieces)
        },
      }
    },
  }
}

/** Texts use few words: their ids, each once, and for each token of the runs where in that list its id stands, -1 where it has none. */
function distinctTokens(
  runs: readonly TokenRun[],
  width: number,
  size: number,
): { readonly ids: readonly number[]; readonly places: Int32Array } {
  const ids: number[] = []
  const known = new Int32Array(size).fill(-1)
  const places = new Int32Array(runs.reduce((sum, { count }) => sum + count, 0))
  let token = 0
  for (const { bytes, from, count } of runs) {
    for (let at = from; at < from + count * width; at += width) {
      const id = readId(bytes, at, width)
      // A damaged id must not look like evidence.
      if (id < size && known[id] === -1) known[id] = ids.push(id) - 1
      places[token++] = id < size ? (known[id] as number) : -1
    }
  }
  return { ids, places }
}

/** For each of the tokens its cosine with each piece of the query. */
function cosinesOf(
  ids: readonly number[],
  table: TokenTable,
  query: readonly Float32Array[],
  lengths: Float64Array,
): Float64Array {
  const rows = ids.map((id) => table.row(id))
  const cosines = rowProducts(rows, query)
  let at = 0
  for (const [place, id] of ids.entries()) {
    const row = rows[place] as Float32Array
    const length = lengths[id] || rowLength(row, 0, row.length)
    lengths[id] = length
    for (const end = at + query.length; at < end; at++) cosines[at] = length === 0 ? 0 : (cosines[at] as number) / length
  }
  return cosines
}

/** For each run and piece the highest cosine. Not in a closure: one that is made for every query is compiled for every query. */
function bestOfRuns(runs: readonly TokenRun[], places: Int32Array, cosines: Float64Array, pieces: number): Float32Array {
  const best = new Float32Array(runs.length * pieces)
  let token = 0
  for (const [run, { count }] of runs.entries()) {
    const into = run * pieces
    for (const end = token + count; token < end; token++) {
      const from = (places[token] as number) * pieces
      if (from < 0) continue
      for (let piece = 0; piece < pieces; piece++) {
        const cosine = cosines[from + piece] as number
        if (cosine > (best[into + piece] as number)) best[into + piece] = cosine
      }
    }
  }
  return best
}

function readId(bytes: Uint8Array, at: number, width: number): number {
  const low = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
  return width === 2 ? low : low | ((bytes[at + 2] as number) << 16)
}
