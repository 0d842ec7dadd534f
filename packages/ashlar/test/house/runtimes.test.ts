import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const program = fileURLToPath(new URL('print-portable.mjs', import.meta.url))
const inCi = process.env['CI'] === 'true'

/** Where a runtime of the folder `runtimes/` has its binary: in a package of its own for each platform. */
function binary(scope: string, path: string): string {
  const folder = join(root, 'runtimes/node_modules', scope)
  const found = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, path)) : []
  return found.find((file) => existsSync(file)) ?? join(folder, path)
}

const deno = binary('@deno', 'deno')
const bun = binary('@oven', 'bin/bun')
const browser =
  process.env['ASHLAR_CHROMIUM'] ??
  ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file)) ??
  '/usr/bin/chromium'

/** A missing runtime may be skipped on a developer's machine, and is said; in CI nothing may be missing. */
function isMissing(file: string, name: string, remedy: string): boolean {
  if (existsSync(file) || inCi) return false
  console.warn(`NOT TESTED under ${name}: ${file} does not exist. ${remedy}`)
  return true
}

describe('the built package cuts to the same chunks and ids', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'ashlar-runtimes-'))
  let expected: string

  function print(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
    const { status, stdout, stderr, error } = spawnSync(file, [...args, program], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1e8,
      timeout: 50_000,
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    })
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`${file} ended with ${status}:\n${stderr}`)
    return stdout.trimEnd()
  }

  beforeAll(() => {
    expected = print(process.execPath, [])
  })
  afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

  test('under Node, and they are many', () => {
    const { code, cuts } = JSON.parse(expected)
    expect(code).toBe('INVALID_SIZE')
    expect(cuts).toHaveLength(3)
    for (const cut of cuts)
      for (const format of ['text', 'markdown', 'csv', 'json', 'jsonLines']) expect(cut[format].length, format).toBeGreaterThan(2)
  })

  test.skipIf(isMissing(deno, 'Deno', 'Run `npm run runtimes:install`.'))('under Deno', () => {
    const args = ['run', '--quiet', '--no-remote', '--no-lock', '--node-modules-dir=manual', '--no-prompt']
    expect(print(deno, args, { DENO_DIR: join(scratch, 'deno'), DENO_NO_UPDATE_CHECK: '1' })).toBe(expected)
  })

  test.skipIf(isMissing(bun, 'Bun', 'Run `npm run runtimes:install`.'))('under Bun', () => {
    expect(print(bun, ['--no-install'], { DO_NOT_TRACK: '1', BUN_INSTALL: join(scratch, 'bun') })).toBe(expected)
  })

  test.skipIf(isMissing(browser, 'Chromium', 'Install it or set ASHLAR_CHROMIUM.'))(
    'in a Chromium page, without a bundler',
    async () => {
      const server = await serve()
      const { port } = server.address() as AddressInfo
      const origin = `http://127.0.0.1:${port}`
      const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
        executablePath: browser,
        args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
      })
      try {
        const page = await context.newPage()
        const troubles: string[] = []
        const asked: string[] = []
        page.on('pageerror', (error) => troubles.push(String(error)))
        page.on('console', (message) => troubles.push(message.text()))
        page.on('request', (request) => asked.push(request.url()))
        await page.goto(origin)
        const printed = page.locator('pre')
        await printed.waitFor({ state: 'attached', timeout: 30_000 }).catch(() => {
          throw new Error(`the page printed nothing; it said: ${troubles.join('\n')}`)
        })
        expect(await printed.textContent()).toBe(expected)
        expect(troubles).toEqual([])
        expect(asked.filter((url) => !url.startsWith(`${origin}/`))).toEqual([])
      } finally {
        await context.close()
        server.close()
        server.closeAllConnections()
      }
    },
  )
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

function serve(): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const dist = /^\/dist\/([\w.-]+\.js)$/.exec(url)?.[1]
    const file = dist !== undefined ? `../../dist/${dist}` : url === '/portable.mjs' ? 'portable.mjs' : undefined
    if (file !== undefined)
      response.setHeader('content-type', 'text/javascript; charset=utf-8').end(readFileSync(new URL(file, import.meta.url)))
    else if (url === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    else response.writeHead(404).end()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server))
  })
}
