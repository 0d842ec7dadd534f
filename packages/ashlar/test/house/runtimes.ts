import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const inCi = process.env['CI'] === 'true'

/** Where a runtime of the folder `runtimes/` has its binary: in a package of its own for each platform. */
function binary(scope: string, path: string): string {
  const folder = join(root, 'runtimes/node_modules', scope)
  const found = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, path)) : []
  return found.find((file) => existsSync(file)) ?? join(folder, path)
}

/** A runtime besides Node that programs are run under, without the network. */
export interface Runtime {
  readonly name: string
  readonly file: string
  readonly remedy: string
  readonly args: readonly string[]
  env(scratch: string): Readonly<Record<string, string>>
}

const remedy = 'Run `npm run runtimes:install`.'

export const runtimes: readonly Runtime[] = [
  {
    name: 'Deno',
    file: binary('@deno', 'deno'),
    remedy,
    args: ['run', '--quiet', '--no-remote', '--no-lock', '--node-modules-dir=manual', '--no-prompt'],
    env: (scratch) => ({ DENO_DIR: join(scratch, 'deno'), DENO_NO_UPDATE_CHECK: '1' }),
  },
  {
    name: 'Bun',
    file: binary('@oven', 'bin/bun'),
    remedy,
    args: ['--no-install'],
    env: (scratch) => ({ DO_NOT_TRACK: '1', BUN_INSTALL: join(scratch, 'bun') }),
  },
]

/** A real browser. */
export const browser: Pick<Runtime, 'name' | 'file' | 'remedy'> = {
  name: 'Chromium',
  file:
    process.env['ASHLAR_CHROMIUM'] ??
    ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file)) ??
    '/usr/bin/chromium',
  remedy: 'Install it or set ASHLAR_CHROMIUM.',
}

/** A missing runtime may be skipped on a developer's machine, and is said; in CI nothing may be missing. */
export function isMissing({ name, file, remedy }: Pick<Runtime, 'name' | 'file' | 'remedy'>): boolean {
  if (existsSync(file) || inCi) return false
  console.warn(`NOT TESTED under ${name}: ${file} does not exist. ${remedy}`)
  return true
}

/** What a program prints under a runtime, Node if none is given. */
export function print(program: string, scratch: string, runtime?: Runtime, more: readonly string[] = []): string {
  const file = runtime?.file ?? process.execPath
  const { status, stdout, stderr, error } = spawnSync(file, [...(runtime?.args ?? []), ...more, program], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: 50_000,
    env: { ...process.env, NODE_OPTIONS: '', ...runtime?.env(scratch) },
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${file} ended with ${status}:\n${stderr}`)
  return stdout.trimEnd()
}

/** What a page wrote into its first `pre`, and what went wrong on the way. */
export interface PagePrint {
  readonly text: string | null
  /** Errors and everything written to the console. */
  readonly troubles: readonly string[]
  /** Addresses asked for that are not this server's. */
  readonly elsewhere: readonly string[]
}

/**
 * Opens a page in a real browser, from a server on loopback that knows the page and the files that `fileOf` finds for an
 * address, and waits for what it prints.
 */
export async function printInBrowser(
  page: string,
  fileOf: (path: string) => string | undefined,
  scratch: string,
): Promise<PagePrint> {
  const server = await serve(page, fileOf)
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const context = await chromium.launchPersistentContext(join(scratch, 'profile'), {
    executablePath: browser.file,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  try {
    const tab = await context.newPage()
    const troubles: string[] = []
    const asked: string[] = []
    tab.on('pageerror', (error) => troubles.push(String(error)))
    tab.on('console', (message) => troubles.push(message.text()))
    tab.on('request', (request) => asked.push(request.url()))
    await tab.goto(origin)
    const printed = tab.locator('pre')
    await printed.waitFor({ state: 'attached', timeout: 30_000 }).catch(() => {
      throw new Error(`the page printed nothing; it said: ${troubles.join('\n')}`)
    })
    return { text: await printed.textContent(), troubles, elsewhere: asked.filter((url) => !url.startsWith(`${origin}/`)) }
  } finally {
    await context.close()
    server.close()
    server.closeAllConnections()
  }
}

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

function serve(page: string, fileOf: (path: string) => string | undefined): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const file = url === '/' ? undefined : fileOf(url)
    if (file !== undefined && existsSync(file))
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(readFileSync(file))
    else if (url === '/') response.setHeader('content-type', 'text/html; charset=utf-8').end(page)
    else response.writeHead(404).end()
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve(server))
  })
}
