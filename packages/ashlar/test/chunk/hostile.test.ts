import { describe, expect, test } from 'vitest'
import { csv } from '../../src/chunk/csv.ts'
import { html } from '../../src/chunk/html.ts'
import { json } from '../../src/chunk/json.ts'
import { jsonLines } from '../../src/chunk/json-lines.ts'
import type { Format } from '../../src/chunk/seam.ts'
import { fastest } from '../fastest.ts'
import { hostileTexts } from './hostile-texts.ts'

const megabyte = 2 ** 20

/** CPU seconds that finding all seams of a text takes. */
function cost(format: Format, text: string): number {
  return fastest(() => {
    let last = -1
    for (const { at } of format.seams(text)) last = at
    expect(last).toBeLessThanOrEqual(text.length)
  })
}

describe.each([csv(), json, jsonLines, html])('$id', (format) => {
  const texts = hostileTexts[format.id as keyof typeof hostileTexts]

  test.each(Object.keys(texts))('%s: eight times the text takes about eight times as long', (name) => {
    const make = texts[name] as (size: number) => string
    const small = Math.max(0.02, cost(format, make(megabyte / 8)))
    const large = cost(format, make(megabyte))
    expect(large).toBeLessThan(3)
    // Linear is 8 and quadratic 64; what lies between is the machine. `npm run bench -- hostile` measures the proportion itself.
    expect(large / small).toBeLessThan(24)
  })
})
