import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assessQuality } from '../../src/evaluation/assess-quality.ts'
import { danglingReferences } from '../../src/evaluation/dangling-references.ts'
import { NearDuplicates } from '../../src/evaluation/near-duplicates.ts'
import { seededRandom } from '../../src/evaluation/seeded-random.ts'
import { SizeCounter } from '../../src/evaluation/size-distribution.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { open } from '../../src/library/open.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { treeFromChunks } from '../../src/tree/tree-from-chunks.ts'

/** A tree of pieces that somebody else cut, one a string; parents hold two. */
function cut(...pieces: string[]): ReturnType<typeof treeFromChunks> {
  let start = 0
  const spans = pieces.map((piece) => {
    const span = { start, end: start + piece.length }
    start = span.end
    return span
  })
  return treeFromChunks(pieces.join(''), spans, {})
}

describe('loose references', () => {
  const kinds = (...pieces: string[]): string[] =>
    Array.from(danglingReferences(cut(...pieces)), ({ piece, kind, words }) => `${piece} ${kind} ${words}`)

  test('a pronoun at the start, unless it points to nothing or to the text itself', () => {
    expect(kinds('Lime is burnt. ', 'It slakes in water. ', 'Sand is dug.')).toEqual(['1 pronoun It slakes'])
    expect(kinds('Lime is burnt. ', 'It is important to wait. ', 'This guide is short.')).toEqual([])
    expect(kinds('La cal se quema. ', 'Ella se apaga. ')).toEqual(['1 pronoun Ella se'])
    expect(kinds('It begins the document. ')).toEqual([])
  })

  test('above and below', () => {
    const long = 'Walls are built in courses, one upon the other. '.repeat(6)
    expect(kinds(long, 'Lay them as described above. ')).toEqual(['1 before described above'])
    expect(kinds(`${long}Lay them as described above. `)).toEqual([])
    expect(kinds('Do the following steps:\n', '1. Dig.\n2. Lay.')).toEqual(['0 after the following steps:'])
    expect(kinds('Do the following steps:\n1. Dig.\n2. Lay.')).toEqual([])
  })

  test('figures whose captions stand elsewhere, and whether the parent has them', () => {
    const found = [
      ...danglingReferences(cut('See Fig. 2 for the bond. ', '\n\nFigure 2: English bond.\n', 'Table 9 is nowhere.')),
    ]
    expect(found).toMatchObject([{ piece: 0, kind: 'figure', words: 'Fig. 2', inParent: true }])
  })
})

describe('near duplicates', () => {
  const random = seededRandom(5)
  const text = (): string[] => Array.from({ length: 60 }, () => `w${Math.floor(random() * 5000)}`)

  test('copies with a word or two changed are found, others are not', () => {
    const finder = new NearDuplicates()
    const originals = Array.from({ length: 300 }, text)
    for (const [at, words] of originals.entries()) finder.add(at, words.join(' '))
    for (const [at, words] of originals.slice(0, 50).entries()) finder.add(1000 + at, words.with(30, 'changed').join('  '))
    const groups = finder.groups(0.7)
    const pairs = groups.map(({ numbers }) => numbers.toSorted((left, right) => left - right))
    expect(pairs.every(([one = 0, other = 0, ...more]) => other === one + 1000 && more.length === 0)).toBe(true)
    expect(pairs.length).toBeGreaterThanOrEqual(47)
  })

  test('many copies are one group, and short pieces are none', () => {
    const finder = new NearDuplicates()
    const words = text().join(' ')
    for (let at = 0; at < 500; at++) finder.add(at, at % 2 === 0 ? words : `short ${at}`)
    expect(finder.groups(0.8)).toEqual([{ numbers: Array.from({ length: 250 }, (_, at) => 2 * at), likeness: 1 }])
  })
})

test('a distribution of sizes counts every piece once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20_000), { minLength: 1, maxLength: 200 }), (sizes) => {
      const counter = new SizeCounter()
      for (const size of sizes) counter.add(size)
      const { pieces, smallest, p5, median, p95, largest, histogram } = counter.distribution()
      const sorted = sizes.toSorted((left, right) => left - right)
      expect([pieces, smallest, largest]).toEqual([sizes.length, sorted[0], sorted.at(-1)])
      expect([smallest, p5, median, p95, largest].toSorted((left, right) => left - right)).toEqual([
        smallest,
        p5,
        median,
        p95,
        largest,
      ])
      expect(histogram.length).toBeLessThanOrEqual(13)
      expect(histogram.reduce((sum, bar) => sum + bar.pieces, 0)).toBe(sizes.length)
      for (const { from, to, pieces: inside } of histogram)
        expect(sizes.filter((size) => size >= from && size < to)).toHaveLength(inside)
    }),
  )
})

test('a library is looked at from all sides', async () => {
  await using library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
  const repeated =
    'Every mason signs the book of the yard in the morning and in the evening, and nobody leaves without the foreman knowing it.'
  const guide = `# Guide\n\n## Lime\n\nLime is a binder that is burnt in kilns. ${repeated}\n`
  const at = guide.indexOf('Lime is')
  await library.add([
    {
      id: 'guide.md',
      text: guide,
      chunks: [
        { start: 0, end: at },
        { start: at, end: guide.length },
      ],
    },
    { id: 'rules.md', format: 'markdown', text: `# Rules\n\n${repeated}\n` },
  ])
  const seen: string[] = []
  const report = await assessQuality(library, { likeness: 0.5, onProgress: ({ type }) => seen.push(type) })
  expect(report.documents).toBe(2)
  expect(report.sizes.pieces).toBe(3)
  expect(report.nearDuplicates).toMatchObject({ count: 1, pieces: 2, notCompared: 0 })
  expect(report.nearDuplicates.groups[0]?.pieces.map(({ citation }) => citation)).toEqual([
    expect.stringMatching(/^guide\.md, line/),
    expect.stringMatching(/^rules\.md, lines 1-3/),
  ])
  expect(report.neverFound).toMatchObject({ count: 0, hits: 10 })
  expect(report.neverFound.questions).toBeGreaterThan(0)
  expect(new Set(seen)).toEqual(new Set(['reading', 'asking']))
  expect((await assessQuality(library, { compared: 1, questions: 0 })).nearDuplicates).toMatchObject({
    pieces: 0,
    notCompared: 2,
  })
})

test('headings that a cut left alone are found in documents of any chunker', async () => {
  await using library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
  const text = '# Walls\n\nStones first.\n\n## Mortar\n\nLime sets slowly and breathes.\n'
  const at = text.indexOf('Lime')
  const tree = treeFromChunks(
    text,
    [
      { start: 0, end: at },
      { start: at, end: text.length },
    ],
    { document: 'cut.md' },
  )
  await library.store.put([{ tree: { ...tree, format: 'markdown' } }])
  const report = await assessQuality(library, { questions: 0 })
  expect(report.orphanHeadings).toMatchObject({
    count: 1,
    pieces: [{ document: 'cut.md', title: 'Mortar', alone: false, place: { line: 1 } }],
  })
})
