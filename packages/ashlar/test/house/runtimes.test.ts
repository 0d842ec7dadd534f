import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browser, isMissing, print, printInBrowser, runtimes } from './runtimes.ts'

const here = fileURLToPath(new URL('.', import.meta.url))
const program = fileURLToPath(new URL('print-portable.mjs', import.meta.url))

describe('the built package cuts to the same chunks and ids', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'ashlar-runtimes-'))
  let expected: string

  beforeAll(() => {
    expected = print(program, scratch)
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

  test('under Node, and they are many', () => {
    const { code, cuts } = JSON.parse(expected)
    expect(code).toBe('INVALID_SIZE')
    expect(cuts).toHaveLength(3)
    for (const cut of cuts)
      for (const format of ['text', 'markdown', 'csv', 'json', 'jsonLines']) expect(cut[format].length, format).toBeGreaterThan(2)
  })

  for (const runtime of runtimes)
    test.skipIf(isMissing(runtime))(`under ${runtime.name}`, () => {
      expect(print(program, scratch, runtime)).toBe(expected)
    })

  test.skipIf(isMissing(browser))('in a Chromium page, without a bundler', async () => {
    const printed = await printInBrowser(page, fileOf, scratch)
    expect(printed.text).toBe(expected)
    expect(printed.troubles).toEqual([])
    expect(printed.elsewhere).toEqual([])
  })
})

/** A page that loads the package the way a browser does: by address, one file after the other. */
const page = `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="module">
import * as ashlar from './dist/index.js'
import { cut } from './portable.mjs'
const pre = document.createElement('pre')
pre.textContent = cut(ashlar)
document.body.append(pre)
</script>
`

function fileOf(path: string): string | undefined {
  const dist = /^\/dist\/([\w.-]+\.js)$/.exec(path)?.[1]
  if (dist !== undefined) return join(here, '../../dist', dist)
  return path === '/portable.mjs' ? join(here, 'portable.mjs') : undefined
}
