import { test } from 'vitest'

import { chunk } from '../../src/chunk/chunkers.ts'
import { csv } from '../../src/chunk/csv.ts'
import { html } from '../../src/chunk/html.ts'
import { json } from '../../src/chunk/json.ts'
import { jsonLines } from '../../src/chunk/json-lines.ts'
import { markdown } from '../../src/chunk/markdown.ts'
import { plain } from '../../src/chunk/plain.ts'
import type { Format } from '../../src/chunk/seam.ts'
import { separators } from '../../src/chunk/separators.ts'
import { chunkerContract } from '../../src/testing/chunker-contract.ts'
import { characters } from '../../src/text/characters.ts'
import type { Counter } from '../../src/text/counter.ts'

/** A counter without `measure`, and not additive: what a stranger's counter may look like. */
const syllables: Counter = Object.assign((text: string) => Math.ceil(text.length / 3) + (text.match(/[aeiou]+/g)?.length ?? 0), {
  id: 'syllables',
  accuracy: 'estimated' as const,
})

const formats: readonly Format[] = [plain, markdown, html, csv(), json, jsonLines, separators()]

for (const format of formats) {
  chunkerContract({
    name: format.id.replace(/\(.*/, ''),
    test,
    format: format.id,
    counters: [characters, syllables],
    chunk: (text, settings) => chunk(text, { ...settings, format }),
  })
}

chunkerContract({
  name: 'plain, nearest seam, window of 50',
  test,
  resynchronises: false,
  chunk: (text, settings) => chunk(text, { ...settings, format: plain, choose: 'nearest', window: 50 }),
})

chunkerContract({
  name: 'plain, hard cuts',
  test,
  resynchronises: false,
  chunk: (text, settings) => chunk(text, { ...settings, format: plain, window: 0 }),
})
