import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, rowsOf, type TestDatabase } from '../../ashlar/test/store/postgres-database.ts'
import { modelFolder } from '../../ashlar/test/text/shared-data.ts'
import { main } from '../src/main.ts'
import { FakeTerminal } from './fake-terminal.ts'
import { handbook, temporaryFolder } from './temporary-folder.ts'

interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
}

async function run(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const terminal = new FakeTerminal({ cwd, env: { ASHLAR_EMBEDDER: 'none', ...env } })
  const exit = await main(args, terminal)
  return { exit, out: terminal.out.text, err: terminal.err.text }
}

test('a page is added by its address, where addresses of this machine are allowed', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/slate')
      response.setHeader('content-type', 'text/html').end('<h1>Slate</h1><p>Hung with copper nails.</p>')
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/slate`
  try {
    await using folder = await temporaryFolder()
    const refused = await run(folder.path, ['add', url])
    expect(refused.exit).toBe(1)
    expect(refused.out).toContain('--allow-private')
    expect((await run(folder.path, ['add', url, '--allow-private'])).exit).toBe(0)
    expect((await run(folder.path, ['search', 'nails'])).out).toContain(`1. ${url}:1`)
    expect((await run(folder.path, ['add', url, '--allow-private'])).out).toContain('Nothing to do: 1 unchanged')
    expect((await run(folder.path, ['add', `${url}x`, '--allow-private'])).out).toContain('the server answered 404')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

const model = modelFolder('all-MiniLM-L6-v2')

test.skipIf(model === undefined)('a model in a folder embeds, without a network', async () => {
  await using folder = await temporaryFolder(handbook)
  const env = { ASHLAR_EMBEDDER: `local:${model}` }
  expect((await run(folder.path, ['add', 'docs'], env)).exit).toBe(0)
  const found = await run(folder.path, ['search', 'when do I get my money back', '--json'], env)
  expect(JSON.parse(found.out).hits[0].document.id).toBe('docs/refunds.md')
  expect((await run(folder.path, ['sync', 'docs', '--json'], env)).out).toContain('"unchanged": 3')
  const other = await run(folder.path, ['search', 'money'], { ASHLAR_EMBEDDER: 'potion' })
  expect(other.err).toContain('EMBEDDING_MISMATCH')
})

let database: TestDatabase | undefined

beforeAll(async () => {
  database = await openTestDatabase()
})

afterAll(() => database?.[Symbol.asyncDispose]())

describe('a library in PostgreSQL', () => {
  test('is used as one in a file', async ({ skip }) => {
    if (database === undefined) return skip()
    await using folder = await temporaryFolder(handbook)
    const env = { ASHLAR_LIBRARY: database.url }
    const added = await run(folder.path, ['sync', 'docs'], env)
    expect([added.exit, added.err]).toEqual([0, ''])
    expect((await run(folder.path, ['search', 'honey'], env)).out).toContain('1. docs/bees.txt:1')
    expect((await run(folder.path, ['get', 'docs/bees.txt'], env)).out).toBe(handbook['docs/bees.txt'])
    expect((await run(folder.path, ['list', '--workspace', 'other'], env)).out).not.toContain('docs/')
    expect((await run(folder.path, ['remove', 'docs/bees.txt', '--yes'], env)).exit).toBe(0)
    expect((await run(folder.path, ['verify'], env)).out).toContain('All is as it should be: 2 documents')
    const status = await run(folder.path, ['status'], env)
    expect(status.out).toMatch(/documents +2/)
    expect(status.out + status.err).not.toContain(`:${new URL(database.url).password}@`)
    expect((await run(folder.path, ['doctor'], env)).exit).toBe(0)
    const tables = await rowsOf(database.connect(database.adminUrl), 'select count(*) from ashlar.document')
    expect(tables).toEqual([['2']])
  })

  test('that is not there is said without its password', async () => {
    await using folder = await temporaryFolder(handbook)
    const { exit, out, err } = await run(folder.path, ['add', 'docs', '--library', 'postgres://me:secret@127.0.0.1:1/none'])
    expect(exit).toBe(1)
    expect(err).toContain('127.0.0.1:1')
    expect(out + err).not.toContain('secret')
  })
})
