import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { renderBenchmarks } from '../../../../evals/benchmarks/render-benchmarks.ts'

describe('the page of benchmarks', () => {
  test.each(Object.entries(renderBenchmarks()))('docs/%s says what the results say', (name, content) => {
    const file = new URL(`../../../../docs/${name}`, import.meta.url)
    expect(readFileSync(file, 'utf8'), 'run: npm run eval -- benchmarks').toBe(content)
  })
})
