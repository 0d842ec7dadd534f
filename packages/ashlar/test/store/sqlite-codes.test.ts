import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { blockSize, type CodeBlock, OpenCodeBlock, readCodeBlock } from '../../src/store/sqlite/code-block.ts'
import { CodeScanner } from '../../src/store/sqlite/code-scanner.ts'
import { dotProduct } from '../../src/store/sqlite/dot-product.ts'
import { nearestCandidates } from '../../src/store/sqlite/nearest-candidates.ts'
import { type CodeQuery, SignCodes } from '../../src/store/sqlite/sign-codes.ts'
import { SqliteEngine } from '../../src/store/sqlite/sqlite-engine.ts'

const dimensions = 256
const count = 20_000
const most = 500

/** Numbers around zero that are the same at every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    let sum = 0
    for (let at = 0; at < 4; at++) {
      state = (state * 48_271) % 2_147_483_647
      sum += state / 2_147_483_647 - 0.5
    }
    return sum
  }
}

/** Vectors of length 1: one direction that all share, a topic that neighbours share, and what is their own. */
function sample(shared: number): readonly Float32Array[] {
  const next = numbers(7)
  const all = Float32Array.from({ length: dimensions }, next)
  let topic = all
  return Array.from({ length: count }, (_, at) => {
    if (at % 40 === 0) topic = Float32Array.from({ length: dimensions }, next)
    const vector = Float32Array.from({ length: dimensions }, (_, index) => {
      return shared * (all[index] as number) + (topic[index] as number) + next()
    })
    const length = Math.sqrt(dotProduct(vector, vector))
    return vector.map((value) => value / length)
  })
}

/** Children have their place and 1 as key, documents that of a hundred children. */
function blocksOf(vectors: readonly Float32Array[], signs: SignCodes): readonly CodeBlock[] {
  return Array.from({ length: Math.ceil(vectors.length / blockSize) }, (_, number) => {
    const open = new OpenCodeBlock()
    for (const [at, vector] of vectors.slice(number * blockSize, (number + 1) * blockSize).entries()) {
      const place = number * blockSize + at
      open.set(place + 1, Math.floor(place / 100) + 1, vector)
    }
    return readCodeBlock(open.pack(signs))
  })
}

function nearestTen(
  vectors: readonly Float32Array[],
  query: Float32Array,
  isAllowed: (child: number) => boolean,
): readonly number[] {
  return vectors
    .map((vector, at) => ({ child: at + 1, cosine: dotProduct(query, vector) }))
    .filter(({ child }) => isAllowed(child))
    .sort((one, other) => other.cosine - one.cosine)
    .slice(0, 10)
    .map(({ child }) => child)
}

describe('codes of vectors', () => {
  test.each([
    { name: 'that point everywhere', shared: 0 },
    { name: 'that point all one way', shared: 3 },
  ])('have the nearest among the candidates, of vectors $name', ({ shared }) => {
    const vectors = sample(shared)
    const signs = new SignCodes(dimensions)
    const scanner = new CodeScanner()
    const blocks = blocksOf(vectors, signs).map((block) => scanner.hold(block))
    const some = new Set(Array.from({ length: 100 }, (_, at) => 2 * at + 1))
    let found = 0
    let asked = 0
    for (let at = 5; at < count; at += 1999) {
      const query = vectors[at] as Float32Array
      for (const documents of [undefined, some]) {
        const candidates = new Set(nearestCandidates(scanner, blocks, () => signs.query(query), most, documents))
        expect(candidates.size).toBe(most)
        const isAllowed = (child: number): boolean => documents?.has(Math.floor((child - 1) / 100) + 1) ?? true
        expect([...candidates].every(isAllowed)).toBe(true)
        const exact = nearestTen(vectors, query, isAllowed)
        found += exact.filter((child) => candidates.has(child)).length
        asked += exact.length
      }
    }
    expect(found / asked).toBeGreaterThanOrEqual(0.99)
  })

  test('give all there are where they are few, and of equal ones those with the lowest keys', () => {
    const signs = new SignCodes(3)
    const one = Float32Array.of(0, 0.6, 0.8)
    const scanner = new CodeScanner()
    const blocks = blocksOf(
      Array.from({ length: 200 }, () => one),
      signs,
    ).map((block) => scanner.hold(block))
    const candidates = (limit: number): readonly number[] =>
      nearestCandidates(scanner, blocks, () => signs.query(one), limit, undefined)
    expect(candidates(200)).toHaveLength(200)
    expect([...candidates(7)].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(nearestCandidates(scanner, blocks, () => signs.query(one), 500, new Set([2]))).toHaveLength(100)
    expect(nearestCandidates(scanner, [], () => signs.query(one), 5, undefined)).toEqual([])
  })
})

describe('the scan of codes', () => {
  test.each([3, 256, 384, 1536, 4096, 8192])(
    'adds up in registers what it would one by one, with %i dimensions',
    (dimensions) => {
      const next = numbers(dimensions)
      const unit = (): Float32Array => {
        const vector = Float32Array.from({ length: dimensions }, next)
        const length = Math.sqrt(dotProduct(vector, vector))
        return vector.map((value) => value / length)
      }
      const signs = new SignCodes(dimensions)
      const scanner = new CodeScanner()
      // Blocks that are full, that end within a group, and that have one vector.
      const blocks = [blockSize, 37, 1, 16].map((count) => {
        const open = new OpenCodeBlock()
        for (let at = 1; at <= count; at++) open.set(at, 1, unit())
        return readCodeBlock(open.pack(signs))
      })
      const held = blocks.map((block) => scanner.hold(block))
      const query = signs.query(unit())
      expect(Math.max(...query.tables)).toBeLessThan(128)
      const expected = blocks.flatMap((block) => plainScores(block, query))
      const scores = [...scanner.scan(held, query)]
      expect(scores).toHaveLength(expected.length)
      // The kernel works with 32-bit floats.
      expect(Math.max(...scores.map((score, at) => Math.abs(score - (expected[at] as number))))).toBeLessThanOrEqual(2)
    },
  )

  test('uses memory again that was let go', () => {
    const signs = new SignCodes(dimensions)
    const scanner = new CodeScanner()
    const [block] = blocksOf(sample(0).slice(0, 100), signs) as [CodeBlock]
    const first = scanner.hold(block)
    scanner.release(first)
    expect(scanner.hold(block).address).toBe(first.address)
  })
})

/** What the kernel does, one code after the other. */
function plainScores(
  { count, centre, factors, offsets, codes }: CodeBlock,
  { vector, tables, scale, shift }: CodeQuery,
): number[] {
  const bytes = codes.length / count
  const product = dotProduct(vector, centre)
  return Array.from({ length: count }, (_, slot) => {
    let sum = 0
    for (let byte = 0; byte < bytes; byte++) {
      const value = codes[slot * bytes + byte] as number
      sum += (tables[byte * 32 + (value & 15)] as number) + (tables[byte * 32 + 16 + (value >> 4)] as number)
    }
    const along = (product * (offsets[slot] as number)) / dotProduct(centre, centre)
    return Math.floor(20_000 * (product + 1.5 + (factors[slot] as number) * (sum * scale + shift) + along))
  })
}

describe('keys of a SQLite store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-keys-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('are never given twice, also when transactions fail, run again, or belong to several engines', async () => {
    const options = { path: join(folder, 'store.db'), synchronous: 'NORMAL', timeout: 5000 } as const
    const scope = { workspace: 'a', alsoRead: [], fields: {} }
    const given: number[] = []
    for (let round = 0; round < 3; round++) {
      await using one = await SqliteEngine.open(options, scope, 0)
      await using other = await SqliteEngine.open(options, { ...scope, workspace: 'b' }, 0)
      for (const engine of [one, other, one]) {
        for (const count of [1, 5000, 20_000]) {
          const work = engine.write(async (writer) => {
            const first = await writer.takeKeys(count)
            given.push(first, first + count - 1)
            if (count === 5000) throw new Error('on purpose')
          })
          if (count === 5000) await expect(work).rejects.toThrow('on purpose')
          else await work
        }
      }
    }
    const ranges = Array.from({ length: given.length / 2 }, (_, at) => given.slice(2 * at, 2 * at + 2) as [number, number])
    ranges.sort(([left], [right]) => left - right)
    expect(ranges.every(([first], at) => first > (ranges[at - 1]?.[1] ?? 0))).toBe(true)
  })
})
