import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { nothingBelow, relevanceOf } from '../../src/search/relevance.ts'

const root = new URL('../../../../', import.meta.url)

interface Results {
  readonly figures: readonly {
    readonly name: string
    readonly value: number
    readonly unit: string
    readonly interval?: unknown
  }[]
}

function results(path: string): Results {
  return JSON.parse(readFileSync(new URL(path, root), 'utf8'))
}

function figure(bench: string, name: string): number {
  const found = results(`bench/results/${bench}.json`).figures.find((one) => one.name === name)
  if (found === undefined) throw new Error(`bench/results/${bench}.json has no figure ${JSON.stringify(name)}.`)
  return found.value
}

/** A guide as one line, so that what is looked for may be broken anywhere. */
function guide(name: string): string {
  return readFileSync(new URL(`docs/${name}`, root), 'utf8').replace(/\s+/g, ' ')
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const hundredths = (value: number): string => value.toFixed(2).replace(/^0/, '')

describe('figures in guides are those of the results', () => {
  test('words alone in twelve languages', () => {
    const { figures } = results('bench/results/parity-lexical.json')
    const languages = figures.filter(({ name }) => /^XQuAD \w\w: paragraph R@1$/.test(name)).map(({ value }) => value)
    expect(languages).toHaveLength(12)
    const mean = figure('parity-lexical', 'XQuAD: mean paragraph R@1')
    expect(guide('choosing.md')).toContain(`${percent(mean)} of the questions, ${percent(Math.min(...languages))} in the worst`)
  })

  test('parents beside children', () => {
    const more = figure('search', 'SQLite: parents over children, CPU') - 1
    expect(guide('choosing.md')).toContain(`parents ${percent(more)} more CPU in 100,000 pieces`)
  })

  test('semantic chunks beside plain ones', () => {
    const inside = 'evidence inside 1600 characters'
    const semantic = figure('semantic', `Chroma, all-MiniLM-L6-v2, semantic, as shipped, at most 1,000: ${inside}`)
    const plain = figure('semantic', `Chroma, all-MiniLM-L6-v2, plain, at most 824: ${inside}`)
    expect(guide('choosing.md')).toContain(
      `${percent(semantic / 100)} against ${percent(plain / 100)} of the evidence in 1,600 characters`,
    )
  })

  test('thresholds', () => {
    const text = guide('choosing.md')
    for (const [label, evidence] of [
      ['words alone', 'words'],
      ['vectors, as from a provider', 'vectors'],
      ['vectors and token states, as from local models', 'tokens'],
    ] as const) {
      const middle = /\| ([^|]*) \| ([^|]*) \| ([^|]*) \|/.exec(text.slice(text.indexOf(`| ${label} | .`)))?.[3]
      expect(text).toContain(`| ${label} | ${hundredths(nothingBelow(evidence))} | ${middle} |`)
      expect(relevanceOf(Number(middle), evidence)).toBeCloseTo(0.5, 6)
    }
  })

  test('a hundredth of the CPU time', () => {
    expect(figure('embed', 'static vectors against all-MiniLM-L6-v2, sentences per CPU second')).toBeGreaterThan(100)
    expect(figure('embed', 'static vectors against all-MiniLM-L6-v2, windows per CPU second')).toBeGreaterThan(100)
  })

  test('searching ten times as much', () => {
    expect(guide('choosing.md')).toContain('in SQLite about four times')
    for (const by of ['vector', 'words'])
      expect(Math.round(10 ** figure('growth-stores', `sqlite: exponent of query by ${by}`))).toBe(4)
  })

  test('bytes of vectors and token states', () => {
    const beside = figure('growth-stores', 'sqlite, 1000272 children: vectors') - 256 * (4 + 1 / 8)
    expect(Math.abs(beside - 200)).toBeLessThan(25)
    for (const set of ['Chroma', 'LoCoMo']) {
      const bytes = figure('tokens-late', `${set}: bytes a character of text`)
      expect(Math.round(bytes)).toBeGreaterThanOrEqual(5)
      expect(Math.round(bytes)).toBeLessThanOrEqual(6)
    }
  })
})

/** Bounds and not figures: runs differ by a point, and the figures themselves are on the page of benchmarks. */
describe('what guides say of models holds on every English set', () => {
  const sets = readdirSync(new URL('evals/results/', root))
    .flatMap((name) => /^([a-z0-9-]+)\.ashlar\+words\.json$/.exec(name)?.[1] ?? [])
    .filter((set) => set !== 'xquad')

  test.each([
    ['potion', 10],
    ['words', 15],
  ] as const)('%s is within %i points of the default', (system, points) => {
    for (const set of sets) {
      const other = `evals/results/${set}.ashlar+${system}.json`
      if (!existsSync(new URL(other, root))) continue
      const own = new Map(results(`evals/results/${set}.json`).figures.map((one) => [one.name, one.value]))
      for (const { name, value, unit, interval } of results(other).figures) {
        if (interval === undefined) continue
        const behind = (unit === '%' ? 1 : 100) * ((own.get(name) ?? Number.NaN) - value)
        expect(behind, `${set}, ${name}: docs/choosing.md says otherwise`).toBeLessThan(points)
      }
    }
    expect(guide('choosing.md')).toContain(`within ${points} points of MiniLM`)
  })
})
