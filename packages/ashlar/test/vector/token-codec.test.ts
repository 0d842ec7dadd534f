import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { floatCodec } from '../../src/vector/float-codec.ts'
import { hadamardRotation } from '../../src/vector/hadamard-rotation.ts'
import { idCodec } from '../../src/vector/id-codec.ts'
import { signCodec } from '../../src/vector/sign-codec.ts'
import { readTokenBlob, writeTokenBlob } from '../../src/vector/token-blob.ts'
import type { TokenCodec, TokenRows } from '../../src/vector/token-codec.ts'
import { unitRow } from '../../src/vector/vector-length.ts'
import { wordVector } from './context-embedder.ts'

/** Rows with one coordinate far larger than the rest, as models have them. */
function rowsOf(count: number, dimensions: number, name = 'row'): TokenRows {
  const rows = new Float32Array(count * dimensions)
  for (let at = 0; at < count; at++) {
    const row = wordVector(`${name} ${at}`, dimensions)
    row[5 % dimensions]! += 3
    rows.set(row, at * dimensions)
  }
  return { ids: Uint32Array.from({ length: count }, (_, at) => at), rows, dimensions }
}

function cosine({ rows, dimensions }: TokenRows, at: number, query: Float32Array): number {
  return dot(unitRow(rows, at * dimensions, dimensions), unitRow(query, 0, dimensions))
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0)
}

/** Indices of all tokens. */
function every({ ids }: TokenRows): Uint32Array {
  return Uint32Array.from(ids.keys())
}

/** What a codec says about each token by itself. */
function estimates(codec: TokenCodec, tokens: TokenRows, query: TokenRows): number[] {
  const bytes = codec.encode(tokens, every(tokens))
  const size = codec.size(tokens.dimensions)
  const runs = Array.from({ length: tokens.ids.length }, (_, at) => ({
    bytes,
    from: at * size,
    count: 1,
    dimensions: tokens.dimensions,
  }))
  return [...codec.scorer(query).best(runs)]
}

describe('hadamardRotation', () => {
  test.each([8, 64, 100, 256, 320, 384, 768, 1024])(
    'keeps lengths and angles at %i dimensions, and spreads what is large',
    (dimensions) => {
      const { width, rotate } = hadamardRotation(dimensions)
      expect(width % 64).toBe(0)
      const left = wordVector('left', dimensions)
      const right = wordVector('right', dimensions)
      const turned = Float32Array.from(rotate(left, 0))
      expect(dot(turned, Float32Array.from(rotate(right, 0)))).toBeCloseTo(dot(left, right), 3)
      expect(Math.hypot(...turned)).toBeCloseTo(Math.hypot(...left), 3)
      const spike = new Float32Array(dimensions)
      spike[3] = 1
      const largest = Math.max(...rotate(spike, 0).map(Math.abs))
      expect(largest).toBeLessThan(4 / Math.sqrt(width))
    },
  )
})

describe('floatCodec', () => {
  test('gives back every state, brought to length 1', () => {
    const tokens = rowsOf(7, 33)
    const view = new DataView(floatCodec.encode(tokens, every(tokens)).buffer)
    for (let token = 0; token < 7; token++) {
      for (const [at, value] of unitRow(tokens.rows, token * 33, 33).entries()) {
        expect(view.getFloat32(4 * (token * 33 + at), true)).toBe(value)
      }
    }
  })

  test('scores with the cosine, wherever in memory the bytes begin', () => {
    const tokens = rowsOf(20, 33)
    const query = rowsOf(3, 33, 'query')
    const shifted = new Uint8Array(1 + 20 * 132)
    shifted.set(floatCodec.encode(tokens, every(tokens)), 1)
    const best = floatCodec.scorer(query).best([{ bytes: shifted, from: 1, count: 20, dimensions: 33 }])
    for (let piece = 0; piece < 3; piece++) {
      const vector = query.rows.slice(piece * 33, (piece + 1) * 33)
      const cosines = Array.from({ length: 20 }, (_, at) => cosine(tokens, at, vector))
      expect(best[piece]).toBeCloseTo(Math.max(0, ...cosines), 5)
    }
  })
})

describe('signCodec', () => {
  test('takes one bit a dimension', () => {
    expect(signCodec.size(384)).toBe(48)
    expect(signCodec.size(256)).toBe(32)
    expect(signCodec.size(100)).toBe(16)
    expect(signCodec.encode(rowsOf(3, 384), Uint32Array.of(0, 1, 2))).toHaveLength(3 * 48)
  })

  test('is the same on every machine', () => {
    const code = signCodec.encode(
      {
        ids: Uint32Array.of(0),
        rows: Float32Array.from({ length: 64 }, (_, at) => at - 20),
        dimensions: 64,
      },
      Uint32Array.of(0),
    )
    expect(Buffer.from(code).toString('hex')).toMatchInlineSnapshot(`"67acb600b8426cac"`)
  })

  test('its scores are near the cosine, with hardly a bias', () => {
    const dimensions = 384
    const tokens = rowsOf(300, dimensions)
    // Queries between two tokens, so that cosines of all sizes occur.
    const query = rowsOf(5, dimensions, 'query')
    for (let piece = 0; piece < 5; piece++) {
      for (let at = 0; at < dimensions; at++)
        query.rows[piece * dimensions + at]! += 0.3 * piece * tokens.rows[piece * dimensions + at]!
    }
    const found = estimates(signCodec, tokens, query)
    const errors: number[] = []
    for (let token = 0; token < 300; token++) {
      for (let piece = 0; piece < 5; piece++) {
        const exact = cosine(tokens, token, query.rows.slice(piece * dimensions, (piece + 1) * dimensions))
        errors.push(found[token * 5 + piece]! - exact)
      }
    }
    const mean = errors.reduce((a, b) => a + b, 0) / errors.length
    const deviation = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
    expect(Math.abs(mean)).toBeLessThan(0.01)
    expect(deviation).toBeLessThan(0.05)
  })

  test('a token is nearest to itself', () => {
    const tokens = rowsOf(50, 384)
    const found = estimates(signCodec, tokens, tokens)
    for (let at = 0; at < 50; at++) {
      const row = found.slice(at * 50, (at + 1) * 50)
      expect(row.indexOf(Math.max(...row))).toBe(at)
      expect(row[at]).toBeGreaterThan(0.9)
      expect(row[at]).toBeLessThanOrEqual(1)
    }
  })

  test('the table of sums gives what adding up the signs gives', () => {
    const dimensions = 128
    const tokens = rowsOf(40, dimensions)
    const query = rowsOf(3, dimensions, 'query')
    const { rotate } = hadamardRotation(dimensions)
    const found = estimates(signCodec, tokens, query)
    for (let piece = 0; piece < 3; piece++) {
      const turned = Float64Array.from(rotate(unitRow(query.rows, piece * dimensions, dimensions), 0))
      for (let token = 0; token < 40; token++) {
        const signs = rotate(tokens.rows, token * dimensions).map((value) => (value >= 0 ? 1 : -1))
        const sum = turned.reduce((total, value, at) => total + value * signs[at]!, 0)
        const exact = Math.min(1, Math.max(0, sum / Math.sqrt((2 * dimensions) / Math.PI)))
        expect(found[token * 3 + piece]).toBeCloseTo(exact, 3)
      }
    }
  })
})

describe('idCodec', () => {
  const table = { dimensions: 16, size: 70_000, row: (id: number) => wordVector(`word ${id}`, 16) }

  test('takes two bytes a token, three for large vocabularies', () => {
    expect(idCodec({ ...table, size: 30_000 }).size(16)).toBe(2)
    expect(idCodec(table).size(16)).toBe(3)
    expect(idCodec(table).id).not.toBe(idCodec({ ...table, size: 30_000 }).id)
  })

  test('scores as if the states had been kept', () => {
    const ids = Uint32Array.from([0, 7, 65_536, 69_999, 300])
    const rows = new Float32Array(ids.length * 16)
    for (const [at, id] of ids.entries()) rows.set(table.row(id), at * 16)
    const tokens = { ids, rows, dimensions: 16 }
    const query = rowsOf(4, 16, 'query')
    const byId = estimates(idCodec(table), tokens, query)
    for (const [at, value] of estimates(floatCodec, tokens, query).entries()) expect(byId[at]).toBeCloseTo(value, 5)
  })

  test('refuses an id without a vector', () => {
    const tokens = { ids: Uint32Array.of(70_000), rows: new Float32Array(16), dimensions: 16 }
    expect(() => idCodec(table).encode(tokens, Uint32Array.of(0))).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
  })
})

describe('token blobs', () => {
  test('each child finds its own tokens, also in bytes that begin anywhere', () => {
    const counts = [3, 0, 5, 1]
    const tokens = rowsOf(9, 384)
    for (const codec of [signCodec, floatCodec]) {
      const blob = writeTokenBlob(tokens, every(tokens), counts, codec)
      const padded = Buffer.concat([Buffer.alloc(3), blob, Buffer.alloc(2)])
      const { children, dimensions } = readTokenBlob(padded.subarray(3, 3 + blob.length), codec)
      expect(dimensions).toBe(384)
      expect(children.map(({ count }) => count)).toEqual(counts)
      let first = 0
      for (const run of children) {
        const rows = tokens.rows.slice(first * 384, (first + run.count) * 384)
        const codes = codec.encode(
          { ids: new Uint32Array(run.count), rows, dimensions },
          Uint32Array.from({ length: run.count }, (_, at) => at),
        )
        expect(run.bytes.subarray(run.from, run.from + codes.length)).toEqual(codes)
        first += run.count
      }
    }
  })

  test('a window without a token is a blob too', () => {
    const blob = writeTokenBlob(rowsOf(0, 384), every(rowsOf(0, 384)), [0, 0], signCodec)
    expect(blob).toHaveLength(24)
    expect(readTokenBlob(blob, signCodec).children.map(({ count }) => count)).toEqual([0, 0])
  })

  test('bytes that were not written so are refused', () => {
    const blob = writeTokenBlob(rowsOf(4, 64), every(rowsOf(4, 64)), [4], signCodec)
    const refused = expect.objectContaining({ code: 'INVALID_TOKENS' })
    expect(() => readTokenBlob(blob, floatCodec)).toThrow(refused)
    for (let length = 0; length < blob.length; length++)
      expect(() => readTokenBlob(blob.slice(0, length), signCodec)).toThrow(refused)
    expect(() => readTokenBlob(Buffer.concat([blob, Buffer.of(0)]), signCodec)).toThrow(refused)
    for (let at = 0; at < 20; at++) {
      const damaged = blob.slice()
      damaged[at]! ^= 0x81
      expect(() => readTokenBlob(damaged, signCodec), `byte ${at}`).toThrow(refused)
    }
  })

  test('no bytes whatever make reading do anything but answer or refuse', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (tail) => {
        const head = writeTokenBlob(rowsOf(0, 64), every(rowsOf(0, 64)), [], signCodec).slice(0, 8)
        try {
          for (const { from, count, bytes } of readTokenBlob(Buffer.concat([head, tail]), signCodec).children) {
            expect(from + count * 8).toBeLessThanOrEqual(bytes.length)
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_TOKENS' })
        }
      }),
      { numRuns: 300 },
    )
  })
})
