import { describe, expect, test } from 'vitest'
import { csv } from '../../src/chunk/csv.ts'
import { html } from '../../src/chunk/html.ts'
import { json } from '../../src/chunk/json.ts'
import { jsonLines } from '../../src/chunk/json-lines.ts'
import type { Format } from '../../src/chunk/seam.ts'
import { hostileTexts } from './hostile-texts.ts'

const megabyte = 2 ** 20

/** Processor time that the seams of a text take, in milliseconds; wall time says more about the machine's other work. */
function cost(format: Format, text: string): number {
  const before = process.cpuUsage()
  let last = -1
  for (const { at } of format.seams(text)) last = at
  expect(last).toBeLessThanOrEqual(text.length)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe.each([csv(), json, jsonLines, html])('$id', (format) => {
  const texts = hostileTexts[format.id as keyof typeof hostileTexts]

  test.each(Object.keys(texts))('%s: eight times the text takes about eight times as long', (name) => {
    const make = texts[name] as (size: number) => string
    cost(format, make(megabyte / 8))
    const small = Math.max(20, cost(format, make(megabyte / 8)))
    const large = cost(format, make(megabyte))
    expect(large).toBeLessThan(3000)
    // Twice the proportion: collecting garbage is not evenly spread over runs this short.
    expect(large / small).toBeLessThan(16)
  })
})
