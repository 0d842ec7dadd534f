import { describe, expect, test } from 'vitest'
import { figure } from '../../../../bench/harness/bench.ts'
import { drawChart } from '../../../../bench/harness/draw-chart.ts'
import { formatTable } from '../../../../bench/harness/format-table.ts'
import { interleave, median, percentile } from '../../../../bench/harness/interleave.ts'
import { openIsolate } from '../../../../bench/harness/isolate.ts'
import { judges } from '../../../../bench/laws/judge.ts'
import { placeChunks } from '../../../../bench/laws/place-chunks.ts'

const silent = { step: () => {}, end: () => {} }
const characters = Object.assign((text: string) => text.length, { id: 'characters', accuracy: 'exact' as const })

describe('figures', () => {
  test('clear their bar or miss it', () => {
    expect(figure('a', 1.99, 'x', '<= 2').ok).toBe(true)
    expect(figure('a', 2.01, 'x', '<= 2').ok).toBe(false)
    expect(figure('a', 15, 'x', '>= 15').ok).toBe(true)
    expect(figure('a', 0, 'cases', '= 0').ok).toBe(true)
    expect(figure('a', 3, 'ms').ok).toBe(true)
  })

  test('miss every bar without a number', () => {
    expect(figure('a', Number.NaN, 'x', '<= 2').ok).toBe(false)
    expect(figure('a', Number.NaN, 'x', '>= 2').ok).toBe(false)
    expect(figure('a', Number.POSITIVE_INFINITY, 'x', '<= 2').ok).toBe(false)
  })

  test('are judged before they are rounded', () => {
    const { value, ok } = figure('a', 2.000_01, 'x', '<= 2')
    expect([value, ok]).toEqual([2, false])
  })
})

describe('interleaved runs', () => {
  test('start each round with another candidate', async () => {
    const order: string[] = []
    const candidate = (name: string) => ({ name, run: () => order.push(name) * 0 })
    await interleave([candidate('a'), candidate('b')], { rounds: 2, progress: silent, warmUp: false })
    expect(order.join('')).toBe('abba')
  })

  test('refuse a candidate that does other work in another round', async () => {
    let calls = 0
    await expect(interleave([{ name: 'a', run: () => calls++ }], { rounds: 2, progress: silent })).rejects.toThrow('same work')
  })

  test('are summed up by the middle', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5])
    expect(percentile([5, 1, 4, 2, 3], 0.95)).toBe(5)
  })
})

test('a table keeps its columns aligned in every script', () => {
  const lines = formatTable({
    columns: ['text', 'n'],
    rows: [
      ['漢字', 1],
      ['ab', 10],
    ],
  }).split('\n')
  expect(lines).toEqual(['text   n', '----  --', '漢字   1', 'ab    10'])
})

test('a chart escapes what it shows', () => {
  expect(drawChart({ title: 'a < b & c', axis: '', bars: [{ label: '"q"', value: 1 }] })).toContain('a &lt; b &amp; c')
})

test('a job that hangs is a result, and the next one runs', async () => {
  const module = new URL(
    `data:text/javascript,${encodeURIComponent('export const work = (job) => { while (job === "hang"); return job }')}`,
  )
  const isolate = openIsolate<string, string>(module)
  expect(await isolate.run('one', 20_000)).toEqual({ type: 'done', value: 'one' })
  expect(await isolate.run('hang', 300)).toEqual({ type: 'hung', seconds: 0.3 })
  expect(await isolate.run('two', 20_000)).toEqual({ type: 'done', value: 'two' })
  isolate.close()
})

describe('chunks of a stranger', () => {
  test('are placed where they leave no gap', () => {
    const placed = placeChunks('ab ab ab', [{ text: 'ab' }, { text: 'ab ab' }])
    expect(placed.map(({ start, end, lead }) => [start, end, lead])).toEqual([
      [0, 2, 0],
      [3, 8, 0],
    ])
  })

  test('may be pieces of the overlap', () => {
    const source = 'Sentence one. Sentence one. \r\nSentence one. '
    const chunks = ['Sentence one.', 'one. Sentence one.', 'one.', 'Sentence one.'].map((text) => ({ text }))
    expect(placeChunks(source, chunks).map(({ start, adds }) => [start, adds])).toEqual([
      [0, true],
      [9, true],
      [23, false],
      [30, true],
    ])
  })

  test('are taken at their word where the word is true', () => {
    const placed = placeChunks('ab ab', [
      { text: 'ab', start: 0, end: 2 },
      { text: 'ab', start: 0, end: 2 },
    ])
    expect(placed.map(({ start, adds }) => [start, adds])).toEqual([
      [0, true],
      [0, false],
    ])
  })

  test('are placed by everything but white space when that was changed', () => {
    expect(placeChunks('one\ntwo three', [{ text: 'one two' }])).toMatchObject([{ start: 0, end: 7, text: 'one\ntwo' }])
  })

  const question = (text: string, size: number) => ({ text, size, overlap: 0, counter: characters })

  test('break the laws they break and no others', () => {
    const emoji = [{ text: '😀'.slice(0, 1) }, { text: '😀'.slice(1) }]
    const verdicts = (text: string, size: number, chunks: { text: string; start?: number; end?: number }[]): string[] =>
      Object.entries(judges).flatMap(([law, judge]) => (judge(question(text, size), chunks) === null ? [] : [law]))
    expect(verdicts('one two', 4, [{ text: 'one' }, { text: 'two' }])).toEqual([])
    expect(verdicts('one two', 4, [{ text: 'one' }])).toEqual(['cover'])
    expect(verdicts('one two', 4, [{ text: 'one two' }])).toEqual(['fit'])
    expect(verdicts('one\ntwo', 9, [{ text: 'one two' }])).toEqual(['slice'])
    expect(verdicts('one two', 4, [{ text: 'one', start: 1, end: 4 }, { text: 'two' }])).toEqual(['slice'])
    expect(verdicts('😀', 4, emoji)).toEqual(['unicode'])
  })
})
