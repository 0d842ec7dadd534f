import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { ByteReader } from '../../src/store/byte-reader.ts'
import { ByteWriter } from '../../src/store/byte-writer.ts'
import { type Fingerprints, packFingerprints, readFingerprints } from '../../src/store/fingerprints.ts'
import { type Layout, packLayout, readLayout, windowAt } from '../../src/store/layout.ts'
import { packChildren, readChildren } from '../../src/store/parent-children.ts'
import { packPieces, readPieces } from '../../src/store/word-pieces.ts'

const key = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 52 - 1 }))
const id = fc.oneof(
  fc.stringMatching(/^[0-9a-f]{32}$/),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.constantFrom('a', 'ab', '0', 'AB', ' '),
)
const span = fc.tuple(fc.nat(), fc.nat({ max: 5000 })).map(([start, length]) => ({ start, end: start + length }))
const header = fc.option(span, { nil: undefined })
const outline = fc.array(fc.constantFrom('A', 'B', '', 'ß 漢'), { maxLength: 3 })
const number = fc.maxSafeNat()

const children = fc.array(fc.record({ key, id, lead: fc.nat(), length: fc.nat() }), { maxLength: 6 })
const pieces = fc.array(
  fc.uniqueArray(fc.nat({ max: 40_000 })).map((ids) => Uint32Array.from(ids).sort()),
  { maxLength: 4 },
)

const layout: fc.Arbitrary<Layout> = fc
  .array(
    fc.array(fc.record({ key, length: fc.nat(), children: fc.nat({ max: 4 }), outline, header }), { minLength: 1, maxLength: 3 }),
    { maxLength: 4 },
  )
  .chain((sections) => {
    const parents = sections.flat().map((parent, at) => ({ ...parent, line: 1 + at * 3, column: 1 + (parent.length % 7) }))
    const count = parents.reduce((sum, parent) => sum + parent.children, 0)
    return fc.record({
      sections: fc.tuple(...sections.map((own) => fc.record({ key, parents: fc.constant(own.length), outline, header }))),
      parents: fc.constant(parents),
      outlines: fc.array(outline, { minLength: count, maxLength: count }),
      headers: fc.array(header, { minLength: count, maxLength: count }),
      windows: fc.array(
        fc.record({
          embedding: key,
          windows: fc.uniqueArray(fc.nat({ max: count }), { maxLength: 6 }).chain((cuts) => {
            const rising = cuts.toSorted((left, right) => left - right)
            return fc.tuple(
              ...rising
                .slice(1)
                .map((after, at) => fc.record({ key: id, first: fc.constant(rising[at] as number), after: fc.constant(after) })),
            )
          }),
        }),
        { maxLength: 2 },
      ),
    })
  })

const fingerprints: fc.Arbitrary<Fingerprints> = fc.record({
  sections: fc.array(id, { maxLength: 4 }),
  parents: fc.array(fc.record({ id, content: id, notes: fc.constantFrom('', 'ab') }), { maxLength: 4 }),
  vectors: fc.array(fc.record({ embedding: key, parents: fc.array(fc.constantFrom('', 'abcd'), { maxLength: 4 }) }), {
    maxLength: 3,
  }),
})

const formats = [
  {
    name: 'children of a parent',
    value: children as fc.Arbitrary<unknown>,
    pack: packChildren as (value: never) => Uint8Array,
    read: readChildren,
  },
  {
    name: 'word pieces',
    value: pieces as fc.Arbitrary<unknown>,
    pack: packPieces as (value: never) => Uint8Array,
    read: readPieces,
  },
  {
    name: 'a layout',
    value: layout as fc.Arbitrary<unknown>,
    pack: packLayout as (value: never) => Uint8Array,
    read: readLayout,
  },
  {
    name: 'fingerprints',
    value: fingerprints as fc.Arbitrary<unknown>,
    pack: packFingerprints as (value: never) => Uint8Array,
    read: readFingerprints,
  },
]

describe('what a store packs', () => {
  test('numbers and texts come back', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            number,
            fc.maxSafeInteger().map((value) => Math.trunc(value / 2)),
            fc.string({ unit: 'grapheme' }),
            id,
          ),
        ),
        (rows) => {
          const writer = new ByteWriter()
          for (const [whole, signed, text, name] of rows) {
            writer.number(whole)
            writer.signed(signed)
            writer.text(text)
            writer.id(name)
          }
          const reader = new ByteReader(writer.done(), 'test')
          for (const row of rows)
            expect([reader.number(), reader.signed() + 0, reader.text(), reader.id()]).toEqual(
              row.map((one) => (one === 0 ? 0 : one)),
            )
          reader.end()
        },
      ),
    )
  })

  for (const { name, value, pack, read } of formats) {
    test(`${name}: comes back as it was`, () => {
      fc.assert(
        fc.property(value, (one) => {
          expect(read(pack(one as never))).toEqual(one)
        }),
        { numRuns: 300 },
      )
    })

    test(`${name}: damage is refused or harmless, never followed`, () => {
      fc.assert(
        fc.property(value, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.boolean(), (one, place, byte, cut) => {
          const bytes = pack(one as never)
          const at = place % bytes.length
          const damaged = cut ? bytes.slice(0, at) : bytes.map((old, index) => (index === at ? byte : old))
          try {
            read(damaged)
          } catch (error) {
            expect(isAshlarError(error) && error.code).toBe('DAMAGED_STORE')
          }
        }),
        { numRuns: 1000 },
      )
    })
  }

  test('a window is found by any of its children', () => {
    const windows = [
      { key: 'a', first: 0, after: 2 },
      { key: 'b', first: 3, after: 4 },
      { key: 'c', first: 4, after: 9 },
    ]
    expect([0, 1, 2, 3, 4, 8, 9].map((child) => windowAt(windows, child)?.key)).toEqual([
      'a',
      'a',
      undefined,
      'b',
      'c',
      'c',
      undefined,
    ])
    expect(windowAt([], 0)).toBeUndefined()
  })
})
