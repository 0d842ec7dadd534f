import fc from 'fast-check'

import type { Chunk } from '../chunk/chunk.ts'
import { identify } from '../chunk/identify.ts'
import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'
import { type CutSettings, checkLaws, type LawChunk, type Violation } from './law.ts'
import { textArbitrary } from './text-arbitrary.ts'

/** A chunker as the contract calls it. A stranger's may be asynchronous and need not know `lead`. */
export type ChunkerUnderTest = (text: string, settings: CutSettings) => Iterable<LawChunk> | Promise<Iterable<LawChunk>>

/** What {@link chunkerContract} needs to know. */
export interface ChunkerContractOptions {
  /** Shown in the names of the tests. */
  readonly name: string
  readonly chunk: ChunkerUnderTest
  /** The test function of your runner: vitest's, node:test's or any other with this shape. */
  readonly test: (name: string, body: () => Promise<void>, timeout?: number) => unknown
  /** Generated cases per test. @default 300 */
  readonly runs?: number
  /** Seed of the generator, printed when a law breaks. @default 20261115 */
  readonly seed?: number
  /** Format whose markup the generated texts carry: `markdown`, `html`, `csv`, `json`, `json-lines`; any other name gives plain text. @default 'plain' */
  readonly format?: string
  /** Generator of texts in place of the built-in one. */
  readonly texts?: fc.Arbitrary<string>
  /** Counters to measure with. @default [characters] */
  readonly counters?: readonly Counter[]
  /** Whether the chunker can leave white space untrimmed; where not, only trimmed cuts are asked for. @default true */
  readonly untrimmed?: boolean
  /** Whether cuts are promised to fall back into place after an edit; where not, only equal cuts of equal texts are asked for. @default true */
  readonly resynchronises?: boolean
  /** Real documents to cut as well, each at several sizes. @default none */
  readonly documents?: Iterable<{ readonly name: string; readonly text: string }>
}

/** Sizes, overlaps, counters and trimming as they come, with small sizes, where cutters break, most often. */
export function settingsArbitrary(counters: readonly Counter[] = [characters], untrimmed = true): fc.Arbitrary<CutSettings> {
  return fc
    .record({
      size: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 1500 })),
      share: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.5, noNaN: true })),
      counter: fc.constantFrom(...counters),
      trim: untrimmed ? fc.boolean() : fc.constant(true),
    })
    .map(({ size, share, counter, trim }) => ({ size, overlap: Math.floor(size * share), counter, trim }))
}

function describe(violations: readonly Violation[]): string {
  return violations.map(({ law, message }) => `${law}: ${message}`).join('; ')
}

/** Cuts once and returns what laws 1 to 6 have against the result; law 6 by cutting again. */
export async function cutAndCheck(chunk: ChunkerUnderTest, text: string, settings: CutSettings): Promise<Violation[]> {
  const chunks = [...(await chunk(text, settings))]
  const violations = checkLaws(text, chunks, settings)
  const again = [...(await chunk(text, settings))]
  if (JSON.stringify(chunks) !== JSON.stringify(again))
    violations.push({ law: 'stability', message: 'two cuts of one text differ' })
  const ids = new Set<string>()
  for (const { id } of identify(chunks.map((cut) => ({ lead: 0, ...cut }) as Chunk))) ids.add(id)
  if (ids.size !== chunks.length) violations.push({ law: 'stability', message: `${chunks.length} chunks share ${ids.size} ids` })
  return violations
}

/**
 * Registers laws 1 to 6 as tests for any chunker: generated texts over all of Unicode, texts that make cutters slow, edits, and
 * the documents given.
 */
export function chunkerContract(options: ChunkerContractOptions): void {
  const { name, chunk, test, runs = 300, seed = 20261115, format = 'plain', counters = [characters], untrimmed = true } = options
  const texts = options.texts ?? textArbitrary(format)

  test(`${name}: keeps laws 1-6 on ${runs} generated texts`, async () => {
    await fc.assert(
      fc.asyncProperty(texts, settingsArbitrary(counters, untrimmed), async (text, settings) => {
        const violations = await cutAndCheck(chunk, text, settings)
        if (violations.length > 0) throw new Error(`${describe(violations)} (counter ${settings.counter.id})`)
      }),
      { numRuns: runs, seed },
    )
  }, 120_000)

  test(`${name}: cuts text without a break in linear time`, async () => {
    for (const [kind, unit] of unbroken) {
      const settings: CutSettings = { size: 400, overlap: 80, counter: characters, trim: true }
      const time = async (length: number): Promise<number> => {
        const text = unit.repeat(Math.ceil(length / unit.length))
        const start = performance.now()
        const chunks = [...(await chunk(text, settings))]
        const elapsed = performance.now() - start
        const violations = checkLaws(text, chunks, settings)
        if (violations.length > 0) throw new Error(`${kind}: ${describe(violations)}`)
        return elapsed
      }
      await time(20_000)
      let small = await time(50_000)
      let large = await time(400_000)
      // A busy machine slows any run down, and none makes a slow cutter fast: measured again, the fastest counts.
      for (let again = 0; again < 3 && large > 24 * Math.max(small, 20); again++) {
        small = Math.min(small, await time(50_000))
        large = Math.min(large, await time(400_000))
      }
      // Eight times the text: a linear cutter takes 8 times as long, a quadratic one 64. The floor absorbs the clock's noise.
      if (large > 24 * Math.max(small, 20))
        throw new Error(`${kind}: 400 kB took ${large.toFixed(0)} ms, 50 kB ${small.toFixed(0)} ms`)
    }
  }, 120_000)

  if (options.resynchronises ?? true)
    test(`${name}: an edit changes a handful of ids`, async () => {
      const text = prose(60_000)
      const settings: CutSettings = { size: 800, overlap: 0, counter: characters, trim: true }
      const identifiers = async (edited: string): Promise<string[]> =>
        [...identify([...(await chunk(edited, settings))].map((cut) => ({ lead: 0, ...cut }) as Chunk))].map(({ id }) => id)
      const before = new Set(await identifiers(text))
      let changed = 0
      const edits = 20
      for (let edit = 0; edit < edits; edit++) {
        const at = text.indexOf(' ', Math.floor(((edit + 0.5) / edits) * text.length)) + 1
        const after = await identifiers(`${text.slice(0, at)}five more words stand here ${text.slice(at)}`)
        changed += after.filter((id) => !before.has(id)).length
      }
      if (changed / edits > 4) throw new Error(`an edit of five words changes ${(changed / edits).toFixed(1)} ids on average`)
    }, 120_000)

  for (const document of options.documents ?? []) {
    test(`${name}: keeps laws 1-6 on ${document.name}`, async () => {
      for (const counter of counters) {
        for (const size of [50, 400, 2000]) {
          const settings: CutSettings = { size, overlap: size / 5, counter, trim: true }
          const violations = await cutAndCheck(chunk, document.text, settings)
          if (violations.length > 0) throw new Error(`size ${size}, ${counter.id}: ${describe(violations)}`)
        }
      }
    }, 120_000)
  }
}

/** What has sent cutters into quadratic time: one long word, no punctuation, no boundary at all. */
const unbroken: readonly (readonly [string, string])[] = [
  ['one letter', 'a'],
  ['base64', 'QXNobGFyIGN1dHMgc3RvbmUgdHJ1ZS4'],
  ['CJK without punctuation', '石工積石成壁不用灰泥'],
  ['combining marks', '\u0301'],
  ['flags', '\u{1f1eb}\u{1f1f7}'],
  ['dots', '.'],
  ['spaces', ' '],
  ['tiny lines', 'a\n'],
  ['open brackets', '(['],
  ['nested quotes', '> '],
]

/** English-like text from a fixed generator: paragraphs of sentences of words, the same on every machine. */
export function prose(length: number, seed = 1): string {
  let state = seed
  const next = (bound: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % bound
  }
  const syllables = [
    'ash',
    'lar',
    'sto',
    'ne',
    'wall',
    'mor',
    'tar',
    'cut',
    'true',
    'joint',
    'bed',
    'face',
    'quoin',
    'arch',
    'key',
    'lin',
    'tel',
  ]
  const word = (): string => Array.from({ length: 1 + next(3) }, () => syllables[next(syllables.length)]).join('')
  let text = ''
  while (text.length < length) {
    const sentences = 2 + next(6)
    for (let sentence = 0; sentence < sentences; sentence++) {
      const words = Array.from({ length: 4 + next(14) }, word).join(' ')
      text += `${words.charAt(0).toUpperCase()}${words.slice(1)}${next(8) === 0 ? '?' : '.'}${sentence + 1 < sentences ? ' ' : ''}`
    }
    text += '\n\n'
  }
  return text.slice(0, length)
}
