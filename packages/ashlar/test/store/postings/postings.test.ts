import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAshlarError } from '../../../src/error/ashlar-error.ts'
import { buildSegment } from '../../../src/store/postings/build-segment.ts'
import { packPlaces, readPlaces } from '../../../src/store/postings/places.ts'
import { planMerge, segmentSizes } from '../../../src/store/postings/plan-merge.ts'
import { openPostings } from '../../../src/store/postings/postings.ts'
import { PostingsCache } from '../../../src/store/postings/postings-cache.ts'
import type { PostingsQuery, PostingsResult } from '../../../src/store/postings/postings-query.ts'
import type { SegmentChild } from '../../../src/store/postings/segment-child.ts'
import type { Analysis } from '../../../src/text/analyse.ts'
import { naiveQuery } from './naive-postings.ts'
import { SegmentRows } from './segment-rows.ts'

const vocabulary = ['wa', 'wab', 'wabc', 'wb', 'gé', 'g\u{10348}', 'g\uffee', 'w漢字', 'x'.repeat(300), 'w']

/** Sections of a document as numbers of terms per child; a few draws make trees of every shape. */
const field = fc
  .uniqueArray(fc.tuple(fc.nat(vocabulary.length - 1), fc.integer({ min: 1, max: 200 })), {
    selector: ([term]) => term,
    maxLength: 6,
  })
  .map((drawn): Analysis => {
    const length = drawn.reduce((sum, [, count]) => sum + count, 0)
    return { terms: drawn.map(([term]) => vocabulary[term]!), counts: drawn.map(([, count]) => count), length }
  })
const drawnChild = fc.record({
  own: field,
  generated: fc.option(field, { nil: undefined }),
  pieces: fc.option(fc.uniqueArray(fc.nat(40), { maxLength: 5 }), { nil: undefined }),
})
const drawnDocument = fc.array(fc.array(fc.array(drawnChild, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 3,
})
type DrawnDocument = typeof drawnDocument extends fc.Arbitrary<infer Value> ? Value : never

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('put' as const), document: fc.nat(4), tree: drawnDocument }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('section' as const), document: fc.nat(4), tree: drawnDocument }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), document: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('merge' as const), take: fc.integer({ min: 1, max: 6 }) }) },
)
const drawnQuery = fc.record({
  terms: fc.array(fc.record({ term: fc.constantFrom(...vocabulary, 'unknown', ''), weight: fc.constantFrom(1, 0.3, 2) }), {
    maxLength: 5,
  }),
  limits: fc.record({ child: fc.nat(4), parent: fc.nat(3), section: fc.nat(2), document: fc.nat(2) }),
  others: fc.array(fc.nat(60), { maxLength: 4 }),
  documents: fc.option(fc.uniqueArray(fc.nat(5), { maxLength: 3 }), { nil: undefined }),
  most: fc.option(fc.nat(5), { nil: undefined }),
})

/** A store in small: gives keys, replaces documents or single sections of them, merges. */
class SmallStore {
  readonly rows: SegmentRows
  readonly live = new Map<number, SegmentChild[]>()
  #key = 1

  constructor(cache: PostingsCache) {
    this.rows = new SegmentRows(cache)
  }

  grow(document: number, tree: DrawnDocument): SegmentChild[] {
    return tree.flatMap((parents) => {
      const section = this.#key++
      return parents.flatMap((children) => {
        const parent = this.#key++
        return children.map(({ own, generated, pieces }) => ({
          key: this.#key++,
          parent,
          section,
          document,
          own,
          ...(generated === undefined ? {} : { generated }),
          ...(pieces === undefined ? {} : { pieces: [{ embedding: 7, ids: Uint32Array.from(pieces) }] }),
        }))
      })
    })
  }

  async put(document: number, tree: DrawnDocument): Promise<void> {
    await this.remove(document)
    const children = this.grow(document, tree)
    this.live.set(document, children)
    this.rows.add(children)
  }

  /** Replaces the first section and leaves the rest where it is. */
  async replaceSection(document: number, tree: DrawnDocument): Promise<void> {
    const old = this.live.get(document)
    if (old === undefined) return
    const gone = new Set(old.filter(({ section }) => section === old[0]!.section).map(({ key }) => key))
    await this.rows.bury([document], gone)
    const grown = this.grow(document, tree)
    this.rows.add(grown)
    this.live.set(document, [...old.filter(({ key }) => !gone.has(key)), ...grown])
  }

  async remove(document: number): Promise<void> {
    if (this.live.delete(document)) await this.rows.bury([document])
  }

  async merge(take: number): Promise<void> {
    const ids = (await this.rows.segments()).map(({ id }) => id)
    if (ids.length > 0) await this.rows.merge(ids.slice(-take))
  }

  children(): SegmentChild[] {
    return [...this.live.values()].flat()
  }
}

function expectSame(found: PostingsResult, wanted: PostingsResult): void {
  expect(found.count).toBe(wanted.count)
  expect([...found.frequencies].sort()).toEqual([...wanted.frequencies].sort())
  expect(found.children.map(({ key }) => key)).toEqual(wanted.children.map(({ key }) => key))
  for (const [at, child] of found.children.entries()) {
    const { lexical, ...place } = wanted.children[at]!
    expect(child).toMatchObject(place)
    for (const level of ['child', 'parent', 'section', 'document'] as const) {
      expect(Math.abs(child.lexical[level] - lexical[level])).toBeLessThan(1e-9)
    }
  }
}

describe('postings', () => {
  it('score as a fresh index of the live children does, after any writes, replacements, removals and merges', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(drawnQuery, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0, 3000, 1e9),
        async (steps, queries, limit) => {
          const store = new SmallStore(new PostingsCache(limit))
          for (const one of steps) {
            if (one.do === 'put') await store.put(one.document, one.tree)
            else if (one.do === 'section') await store.replaceSection(one.document, one.tree)
            else if (one.do === 'remove') await store.remove(one.document)
            else await store.merge(one.take)
            const postings = await openPostings(store.rows, store.rows.cache)
            const live = store.children()
            for (const { terms, limits, others, documents, most } of queries) {
              const query: PostingsQuery = {
                terms,
                limits,
                children: others,
                ...(documents === undefined ? {} : { documents }),
                ...(most === undefined ? {} : { most }),
              }
              expectSame(await postings.query(query), naiveQuery(live, query))
            }
            const pieces = new Map<number, number>()
            for (const id of live.flatMap((child) => [...(child.pieces?.[0]?.ids ?? [])]))
              pieces.set(id, (pieces.get(id) ?? 0) + 1)
            const counted = await postings.pieceFrequencies(
              7,
              Array.from({ length: 50 }, (_, id) => id),
            )
            expect([...counted].sort()).toEqual([...pieces].sort())
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('give the same bits whatever the segments are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(drawnDocument, { minLength: 2, maxLength: 6 }), drawnQuery, async (trees, { terms }) => {
        const many = new SmallStore(new PostingsCache())
        for (const [document, tree] of trees.entries()) await many.put(document, tree)
        const one = new SegmentRows()
        one.add(many.children())
        const query = { terms, limits: { child: 100, parent: 100, section: 100, document: 100 } }
        const [apart, together] = await Promise.all(
          [many.rows, one].map(async (rows) => (await openPostings(rows, rows.cache)).query(query)),
        )
        expect(apart).toEqual(together)
      }),
      { numRuns: 100 },
    )
  })

  it('find terms whose lists go over many pages, and read few pages for the others', async () => {
    const common = { terms: ['wcommon', 'wmore'], counts: [1, 3], length: 4 }
    const children = Array.from({ length: 60_000 }, (_, at): SegmentChild => {
      const rare = at % 40 === 0 ? [`wrare${at}`] : []
      return {
        key: at + 1,
        parent: Math.floor(at / 4),
        section: Math.floor(at / 12),
        document: Math.floor(at / 48),
        own: { terms: [...common.terms, ...rare], counts: [...common.counts, ...rare.map(() => 2)], length: 5 },
        ...(at % 3 === 0 ? { generated: common } : {}),
      }
    })
    const rows = new SegmentRows()
    rows.add(children)
    const postings = await openPostings(rows, rows.cache)
    const before = rows.pagesRead
    const limits = { child: 5, parent: 0, section: 0, document: 0 }
    const rare = await postings.query({ terms: [{ term: 'wrare40', weight: 1 }], limits })
    expect(rows.pagesRead - before).toBeLessThanOrEqual(2)
    expect(rare.children.map(({ key }) => key)).toEqual([41])
    const both = await postings.query({
      terms: [
        { term: 'wcommon', weight: 1 },
        { term: 'wmore', weight: 1 },
      ],
      limits,
    })
    expect([...both.frequencies]).toEqual([
      ['wcommon', 60_000],
      ['wmore', 60_000],
    ])
    expect(both.children.map(({ key }) => key)).toEqual([1, 4, 7, 10, 13])
    rows.add([{ ...children[0]!, key: 70_000, document: 1, parent: 80_000, section: 80_001 }])
    await rows.merge([1, 2])
    const merged = await (await openPostings(rows, rows.cache)).query({ terms: [{ term: 'wcommon', weight: 1 }], limits })
    expect(merged.frequencies.get('wcommon')).toBe(60_001)
  })

  it('score terms that nearly every child holds, though these nominate nobody', async () => {
    const children = Array.from({ length: 8000 }, (_, at): SegmentChild => {
      const rare = at % 500 === 0 ? ['wrare'] : []
      const terms = [...(at % 9 === 0 ? [] : ['wthe']), ...rare]
      return {
        key: at + 1,
        parent: Math.floor(at / 4),
        section: Math.floor(at / 12),
        document: Math.floor(at / 48),
        own: { terms, counts: terms.map(() => 1 + (at % 3)), length: 3 + (at % 5) },
      }
    })
    const rows = new SegmentRows()
    rows.add(children.slice(0, 4800))
    rows.add(children.slice(4800))
    const terms = [
      { term: 'wthe', weight: 1 },
      { term: 'wrare', weight: 2 },
    ]
    const postings = await openPostings(rows, rows.cache)
    const found = await postings.query({ terms, limits: { child: 3, parent: 3, section: 2, document: 1 } })
    const all = naiveQuery(children, { terms, limits: { child: 8000, parent: 8000, section: 8000, document: 8000 } })
    expect([...found.frequencies].sort()).toEqual([...all.frequencies].sort())
    expect(found.children.length).toBeGreaterThan(40)
    expect(found.children.length).toBeLessThan(120)
    const keys = new Set(found.children.map(({ key }) => key))
    expectSame(found, { ...all, children: all.children.filter(({ key }) => keys.has(key)) })
    const only = await postings.query({ terms: terms.slice(0, 1), limits: { child: 3, parent: 0, section: 0, document: 0 } })
    expectSame(only, naiveQuery(children, { terms: terms.slice(0, 1), limits: { child: 3, parent: 0, section: 0, document: 0 } }))
  })

  it('score all terms for what those that are worth most nominate, where there are too many postings to read', async () => {
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    const children = Array.from({ length: 20_000 }, (_, at): SegmentChild => {
      const terms = kinds.map((kind, number) => `w${kind}${Math.floor(at / (number + 1)) % 10}`)
      return {
        key: at + 1,
        parent: Math.floor(at / 4),
        section: Math.floor(at / 12),
        document: Math.floor(at / 48),
        own: { terms, counts: terms.map((_, term) => 1 + ((at + term) % 3)), length: 3 + (at % 5) },
      }
    })
    const rows = new SegmentRows()
    // Documents whose sections lie in two segments.
    rows.add(children.filter(({ section }) => section % 2 === 0))
    rows.add(children.filter(({ section }) => section % 2 === 1))
    const terms = kinds.flatMap((kind, weight) =>
      Array.from({ length: 10 }, (_, at) => ({ term: `w${kind}${at}`, weight: 1 + weight + at / 10 })),
    )
    const postings = await openPostings(rows, rows.cache)
    const limits = { child: 20, parent: 10, section: 5, document: 5 }
    const found = await postings.query({ terms, limits, children: [7, 19_000] })
    const all = naiveQuery(children, { terms, limits: { child: 20_000, parent: 0, section: 0, document: 0 } })
    expect([...found.frequencies].sort()).toEqual([...all.frequencies].sort())
    const keys = new Set(found.children.map(({ key }) => key))
    expect(keys.has(7) && keys.has(19_000)).toBe(true)
    expectSame(found, { ...all, children: all.children.filter(({ key }) => keys.has(key)) })
    // A query leaves nothing behind for the next.
    expect(await postings.query({ terms, limits, children: [7, 19_000] })).toEqual(found)
  })

  it('keep no more in the cache than its limit', async () => {
    const rows = new SegmentRows(new PostingsCache(40_000))
    for (let segment = 0; segment < 5; segment++) {
      rows.add(
        Array.from({ length: 300 }, (_, at) => ({
          key: segment * 1000 + at,
          parent: segment,
          section: segment,
          document: segment,
          own: {
            terms: Array.from({ length: 20 }, (_, term) => `w${(at * 7 + term * 131) % 997}`),
            counts: Array(20).fill(1),
            length: 20,
          },
        })),
      )
    }
    for (let term = 0; term < 50; term++) {
      const postings = await openPostings(rows, rows.cache)
      await postings.query({
        terms: [{ term: `w${term * 19}`, weight: 1 }],
        limits: { child: 9, parent: 9, section: 9, document: 9 },
      })
      expect(rows.cache.size).toBeLessThanOrEqual(rows.cache.limit)
    }
  })

  it('refuse bytes that were changed', async () => {
    const store = new SmallStore(new PostingsCache())
    const own = { terms: ['wa', 'wb'], counts: [1, 2], length: 3 }
    await store.put(1, [
      [
        [
          { own, generated: own, pieces: [1, 2] },
          { own, generated: undefined, pieces: undefined },
        ],
      ],
    ])
    const [pages] = store.rows.all() as [Uint8Array[]]
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('flip', 'cut', 'grow'),
        async (p, b, x, how) => {
          const page = p % pages.length
          const bytes = pages[page]!
          const at = b % bytes.length
          const changed =
            how === 'flip'
              ? bytes.map((byte, index) => (index === at ? byte ^ x : byte))
              : how === 'cut'
                ? bytes.slice(0, at)
                : Uint8Array.from([...bytes, x])
          const rows = new SegmentRows()
          rows.set(pages.map((known, index) => (index === page ? changed : known)))
          const use = async (): Promise<void> => {
            const postings = await openPostings(rows, rows.cache)
            await postings.query({
              terms: own.terms.map((term) => ({ term, weight: 1 })),
              limits: { child: 9, parent: 9, section: 9, document: 9 },
            })
            await rows.bury([1])
            await (await openPostings(rows, rows.cache)).pieceFrequencies(7, [1])
          }
          const error: unknown = await use().then(
            () => undefined,
            (reason: unknown) => reason,
          )
          expect(isAshlarError(error) && error.code).toBe('DAMAGED_STORE')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('refuse a format they do not know, and tombstones of children that are not there', async () => {
    const rows = new SegmentRows()
    rows.add([])
    expect((await openPostings(rows, rows.cache)).count).toBe(0)
    expect(() => readPlaces(new Uint8Array([1, 2, 3]))).toThrow(expect.objectContaining({ code: 'DAMAGED_STORE' }))
    expect([...readPlaces(packPlaces([5, 1, 5, 300]))]).toEqual([1, 5, 300])
    const lost = {
      segments: () => Promise.resolve([{ id: 1, tombstones: 1 }]),
      tombstones: () => Promise.resolve([{ segment: 1, places: packPlaces([9]) }]),
      pages: () => Promise.resolve(buildSegment([]).slice(0, 1)),
    }
    await expect(openPostings(lost, new PostingsCache())).rejects.toMatchObject({ code: 'DAMAGED_STORE' })
  })
})

describe('merging', () => {
  /** Writes so many times so many children, and merges as stores do; how often a child was written again, and what there is. */
  function grow(writes: number, each: number): { readonly again: number; readonly segments: number } {
    let written = 0
    let next = 1
    let segments: { id: number; children: number; dead: number }[] = []
    const growing = (): number => segments.filter(({ children }) => children * 2 <= 262_144).length
    for (let write = 0; write < writes; write++) {
      segments.push({ id: next++, children: each, dead: 0 })
      if (growing() <= 16) continue
      for (let taken = planMerge(segments); taken.length > 0; taken = planMerge(segments)) {
        const merged = segments.filter(({ id }) => taken.includes(id))
        const children = merged.reduce((sum, one) => sum + one.children, 0)
        expect(children).toBeLessThanOrEqual(262_144)
        written += children
        segments = [...segments.filter(({ id }) => !taken.includes(id)), { id: next++, children, dead: 0 }]
      }
      expect(growing()).toBeLessThanOrEqual(8)
    }
    return { again: written / (writes * each), segments: segments.length }
  }

  it('keeps few segments and rewrites each child seldom', () => {
    expect(grow(5000, 30).again).toBeLessThan(4.5)
    expect(grow(500, 2000).again).toBeLessThan(2)
  })

  it('rewrites a child no more often in a workspace of ten million, where segments of a certain size are left alone', () => {
    const { again, segments } = grow(5000, 2000)
    expect(again).toBeLessThan(2)
    expect(segments).toBeLessThan(16 + 10_000_000 / 131_072)
  })

  it('joins lists of segments that follow one another, with removed children and without', async () => {
    const child = (key: number): SegmentChild => ({
      key,
      parent: 100_000 + (key >> 2),
      section: 200_000 + (key >> 4),
      document: 300_000 + (key >> 6),
      own: { terms: ['wa', `w${key % 7}`, `x${key}`], counts: [1 + (key % 3 === 0 ? key % 200 : 0), 1, 2], length: 4 },
      ...(key % 5 === 0 ? { generated: { terms: ['wa', 'gb'], counts: [3, 1], length: 4 } } : {}),
      ...(key % 2 === 0
        ? { pieces: [{ embedding: 7, ids: Uint32Array.from({ length: 40 }, (_, at) => at * (1 + (key % 9))) }] }
        : {}),
    })
    const query: PostingsQuery = {
      terms: ['wa', 'w3', 'gb', 'x700', 'x2999'].map((term) => ({ term, weight: 1 })),
      limits: { child: 5000, parent: 5000, section: 5000, document: 5000 },
    }
    const answer = async (rows: SegmentRows): Promise<unknown> => {
      const postings = await openPostings(rows, rows.cache)
      return [await postings.query(query), [...(await postings.pieceFrequencies(7, [0, 1, 4, 36, 312]))]]
    }
    const keys = Array.from({ length: 3840 }, (_, key) => key)
    for (const removed of [[], [300_007, 300_031]]) {
      const fresh = new SegmentRows()
      fresh.add(keys.map(child).filter(({ document }) => !removed.includes(document)))
      const merged = new SegmentRows()
      // Twelve segments of one to ten documents, merged by threes in an order that is not theirs, then all.
      for (let from = 0, at = 0; from < keys.length; at++) {
        const to = Math.min(keys.length, from + 64 * (1 + ((at * 7) % 10)))
        merged.add(keys.slice(from, to).map(child))
        from = to
      }
      if (removed.length > 0) await merged.bury(removed)
      for (let most = 0; most < 4; most++) {
        const ids = (await merged.segments()).map(({ id }) => id)
        await merged.merge(most === 3 ? ids.reverse() : [ids[2]!, ids[0]!, ids[1]!])
        expect(await answer(merged)).toEqual(await answer(fresh))
      }
      expect((await merged.segments()).length).toBe(1)
    }
  })

  it('leaves a tidy index alone and rewrites a segment that is mostly dead', async () => {
    expect(planMerge([{ id: 1, children: 10, dead: 5 }])).toEqual([])
    expect(planMerge([{ id: 1, children: 10, dead: 6 }])).toEqual([1])
    const rows = new SegmentRows()
    const child = { key: 1, parent: 2, section: 3, document: 4, own: { terms: ['wa'], counts: [1], length: 1 } }
    rows.add([child, { ...child, key: 9 }])
    await rows.bury([4], new Set([9]))
    expect(await segmentSizes(rows)).toEqual([{ id: 1, children: 2, dead: 1 }])
    await rows.bury([4])
    await rows.merge([1])
    expect(await rows.segments()).toEqual([])
  })
})
