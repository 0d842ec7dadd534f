import { describe, expect, test } from 'vitest'
import { evidenceWeights, nominationLimits, nominationWeights } from '../../src/search/configuration.ts'
import { firstStage } from '../../src/search/first-stage.ts'
import { fuse } from '../../src/search/fuse.ts'
import { lexicalLegs } from '../../src/search/lexical-legs.ts'
import { tellingWords } from '../../src/search/telling-words.ts'
import { tokenLegs } from '../../src/search/token-legs.ts'
import type { ChildRecord, Neighbour, NominatedChild } from '../../src/store/store.ts'
import { cosine } from '../../src/vector/cosine.ts'
import { floatCodec } from '../../src/vector/float-codec.ts'
import { writeTokenBlob } from '../../src/vector/token-blob.ts'

const words = { child: 0.2, parent: 0.3, section: 0.4 }

describe('fuse', () => {
  test('is configuration E: three token legs and the section at 1, vector, child and parent at a half', () => {
    const tokens = { tokens: 0.5, tokensNear: 0.6, tokensAround: 0.7 }
    const all = { ...words, ...tokens, vector: 0.8 }
    expect(fuse(all, evidenceWeights)).toBeCloseTo((0.5 + 0.6 + 0.7 + 0.4 + 0.5 * (0.8 + 0.2 + 0.3)) / 5.5, 12)
    expect(fuse({ ...all, document: 0.1 }, evidenceWeights)).toBeCloseTo((0.5 + 0.6 + 0.7 + 0.4 + 0.1 + 0.65) / 6.5, 12)
    expect(fuse({ ...all, document: 0.1 }, nominationWeights)).toBeCloseTo((1.6 + 0.2 + 0.3 + 0.4 + 0.1) / 6, 12)
  })

  test('leaves out what there is no score of, with its weight', () => {
    expect(fuse(words, evidenceWeights)).toBeCloseTo((0.4 + 0.5 * (0.2 + 0.3)) / 2, 12)
    expect(fuse(words, {})).toBe(0)
  })
})

describe('firstStage', () => {
  const nominated = (key: number, cosine?: number): NominatedChild => ({
    key,
    parent: key,
    section: key,
    document: 0,
    lexical: { child: 0, parent: 0, section: 0, document: 0 },
    ...(cosine === undefined ? {} : { cosine }),
  })

  test('counts a child that the vector leg did not return as the last that it did', () => {
    const children = [nominated(1, 0.9), nominated(2), nominated(3, 0.5), nominated(4, 0.7)]
    const scores: Record<number, number> = { 2: 0.3 }
    const wordsOf = ({ key }: NominatedChild) => ({ child: scores[key] ?? 0, parent: 0, section: 0 })
    // Child 2: (2 * .5 + .3) / 5, below child 4's 2 * .7 / 5 and above child 3's 2 * .5 / 5.
    expect(firstStage({ children, lastCosine: 0.5 }, { ...nominationLimits, kept: 3 }, wordsOf).map(({ key }) => key)).toEqual([
      1, 4, 2,
    ])
  })

  test('counts a child that a leg of words did not return as the last that it did', () => {
    const children = [nominated(1, 0.9), nominated(2), nominated(3), nominated(4)]
    const scores: Record<number, number> = { 2: 0.9, 3: 0.8, 4: 0.1 }
    const wordsOf = ({ key }: NominatedChild) => ({ child: scores[key] ?? 0, parent: 0, section: 0 })
    const chosen = (child: number) => firstStage({ children, lastCosine: 0.5 }, { ...nominationLimits, child, kept: 2 }, wordsOf)
    // Child 1 has 2 * .9 / 5 by its vector, and .8 / 5 more where its words were beyond the last of two.
    expect(chosen(100).map(({ key }) => key)).toEqual([2, 1])
    expect(chosen(2).map(({ key }) => key)).toEqual([1, 2])
  })

  test('orders equals by key', () => {
    const children = [nominated(7), nominated(2), nominated(5)]
    expect(firstStage({ children }, { ...nominationLimits, kept: 2 }, () => words).map(({ key }) => key)).toEqual([2, 5])
  })
})

describe('lexicalLegs', () => {
  const idf = (having: number, count: number): number => Math.log(1 + (count + 1000 - having + 0.5) / (having + 0.5))

  test('are shares of what the terms could reach, unknown ones and weights included', () => {
    const terms = [
      { term: 'slate', weight: 1 },
      { term: 'ridge', weight: 0.5 },
    ]
    const most = 2.2 * (idf(3, 50) + 0.5 * idf(0, 50))
    const legs = lexicalLegs(terms, { count: 50, frequencies: new Map([['slate', 3]]) }, true)
    const found = legs({ lexical: { child: most, parent: most / 2, section: most / 4, document: 0 } })
    expect(found).toEqual({ child: 1, parent: 0.5, section: 0.25, document: 0 })
  })

  test('are 0 for a query without terms, and leave the document out unless it counts', () => {
    const legs = lexicalLegs([], { count: 0, frequencies: new Map() }, false)
    expect(legs({ lexical: { child: 0, parent: 0, section: 0, document: 0 } })).toEqual({ child: 0, parent: 0, section: 0 })
  })
})

describe('tokenLegs', () => {
  const rows = Float32Array.of(1, 0, 0, 1, 0.6, 0.8)
  const blob = writeTokenBlob(
    { ids: Uint32Array.of(1, 2, 3), rows, dimensions: 2 },
    Uint32Array.of(0, 1, 2),
    [1, 1, 1],
    floatCodec,
  )
  const windows = new Map([['w', blob]])
  const query = { ids: Uint32Array.of(9), rows: Float32Array.of(0, 1), dimensions: 2, weights: Float32Array.of(2) }
  const at = (place: number): Neighbour => ({
    key: place,
    parent: 0,
    start: 200 * place,
    end: 200 * place + 200,
    window: { key: 'w', place },
  })
  const record = (place: number, neighbours: Pick<ChildRecord, 'before' | 'after'>): ChildRecord => ({
    ...at(place),
    ...neighbours,
    lead: 0,
    kind: 'child',
    id: `c${place}`,
    workspace: 'w',
    document: { id: 'd', workspace: 'w', title: '', format: '', metadata: {}, length: 600, children: 3, contentHash: '' },
    parent: { key: 0, id: 'p', start: 0, end: 600, text: '', line: 1, column: 1 },
    section: { key: 0, start: 0, end: 600 },
    index: place,
    outline: [],
  })

  test('look at neighbours, and take off the advantage of length', () => {
    const children = [record(0, { before: [], after: [at(1), at(2)] }), record(2, { before: [at(1), at(0)], after: [] })]
    const [first, last] = tokenLegs({ children, windows }, query, floatCodec)
    expect(first!.tokens).toBeCloseTo(0, 6)
    expect(first!.tokensNear).toBeCloseTo(1 - 0.03 * (Math.log(400) - Math.log(600)), 6)
    expect(first!.tokensAround).toBeCloseTo(1 - 0.03 * (Math.log(600) - Math.log(1000)), 6)
    expect(last!.tokens).toBeCloseTo(0.8, 6)
  })

  test('are left out for a child without token states, and go no further than a gap', () => {
    const { window: _, ...bare } = record(0, { before: [], after: [at(1)] })
    const { window: __, ...gap } = at(1)
    const children = [bare, record(0, { before: [], after: [gap, at(2)] })]
    const [none, alone] = tokenLegs({ children, windows }, query, floatCodec)
    expect(none).toEqual({})
    expect(alone!.tokensAround).toBeCloseTo(-0.03 * (Math.log(600) - Math.log(1000)), 6)
    expect(tokenLegs({ children, windows: new Map() }, query, floatCodec)).toEqual([{}, {}])
    expect(tokenLegs({ children, windows }, { ...query, weights: new Float32Array() }, floatCodec)).toEqual([{}, {}])
  })
})

test('the cosine of vectors of any length', () => {
  expect(cosine(Float32Array.of(3, 4), Float32Array.of(6, 8))).toBeCloseTo(1, 12)
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(1, 0))).toBeNaN()
})

test('a query is read without the words that only hold it together, unless it has no others', () => {
  expect(tellingWords('What is the purpose of the_common() method?').split(/\s+/).join(' ').trim()).toBe(
    'purpose the_common() method?',
  )
  expect(tellingWords('To be or not to be')).toContain('not')
  expect(tellingWords('Who is it?')).toBe('Who is it?')
  expect(tellingWords('')).toBe('')
})
