import { expect, test } from 'vitest'
import { bytes, clock, duration, money } from '../src/numbers.ts'
import { Progress, progressLine } from '../src/progress.ts'
import { textWidth } from '../src/text-width.ts'
import { FakeTerminal } from './fake-terminal.ts'

const step = { done: 120, of: 200, unit: 'files', perSecond: 34, bytesPerSecond: 3.2e6, secondsLeft: 3 }

test('the bar says how far, how fast and how long', () => {
  expect(progressLine('Adding', step, { columns: 100, colour: false })).toBe(
    'Adding  ██████████████████░░░░░░░░░░░░  120/200 files  0:03 left  34/s  3.2 MB/s',
  )
})

test.each([8, 12, 20, 30, 40, 60, 80, 200])('in %i columns it stays in one line', (columns) => {
  for (const of of [200, undefined]) {
    const line = progressLine('Adding', { ...step, of }, { columns, colour: false })
    expect(textWidth(line)).toBeLessThan(columns)
  }
})

test('where a person looks one line is replaced, ten times a second at most', () => {
  const terminal = new FakeTerminal({ cwd: '/', isTTY: true })
  {
    using progress = new Progress({ terminal, quiet: false }, 'Adding')
    for (let at = 0; at < 100; at++) {
      progress.show({ ...step, done: at })
      terminal.time += 10
    }
  }
  expect(terminal.err.text).toBe('')
  expect(terminal.err.lines.length).toBeLessThanOrEqual(13)
  expect(terminal.err.lines.at(-1)).toBe('')
})

test('elsewhere there is a plain line every few seconds, and none for short work', () => {
  const terminal = new FakeTerminal({ cwd: '/' })
  const progress = new Progress({ terminal, quiet: false }, 'Adding')
  for (let second = 0; second < 12; second++) {
    progress.show({ ...step, done: second })
    terminal.time += 1_000
  }
  expect(terminal.err.text).toBe(
    'Adding  5/200 files  0:03 left  34/s  3.2 MB/s\nAdding  10/200 files  0:03 left  34/s  3.2 MB/s\n',
  )
  expect(terminal.err.lines).toEqual([])
})

test('quiet is quiet', () => {
  const terminal = new FakeTerminal({ cwd: '/', isTTY: true })
  const progress = new Progress({ terminal, quiet: true }, 'Adding')
  terminal.time += 10_000
  progress.show(step)
  expect(terminal.err.text + terminal.err.lines.join('')).toBe('')
})

test('numbers are written for people', () => {
  expect([0, 999, 1_000, 3_200_000, 2.5e9].map(bytes)).toEqual(['0 B', '999 B', '1 kB', '3.2 MB', '2.5 GB'])
  expect([12, 3_400, 61_000, 4_320_000].map(duration)).toEqual(['12 ms', '3.4 s', '1 min 1 s', '1 h 12 min'])
  expect([7, 750, 3_723].map(clock)).toEqual(['0:07', '12:30', '1:02:03'])
  expect([0, 0.00251, 12.3].map(money)).toEqual(['0.00', '0.0025', '12.30'])
})
