import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../../packages/ashlar/test/store/postgres-database.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const database = await openTestDatabase()
const roles = `example_${randomBytes(4).toString('hex')}`
const keys = { acme: 'key-of-acme', globex: 'key-of-globex', shared: 'key-of-shared' }
type Tenant = keyof typeof keys

let service: ChildProcess
let address: string
let errors = ''
let admin: pg.Pool | undefined

interface Hit {
  readonly document: string
  readonly shared: boolean
  readonly text: string
}

/** Runs a program of the example until it says something. */
function start(program: string, env: Readonly<Record<string, string>>, until: RegExp): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [program], { cwd: folder, env: { ...process.env, ...env } })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (until.test(said)) resolve([child, said])
    })
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${errors}`)))
  })
}

beforeAll(async () => {
  if (database === undefined) return
  const setup = { ADMIN_DATABASE_URL: database.adminUrl, SERVICE_PASSWORD: "it's secret", ROLES: roles }
  // Twice: an update of the library runs it again.
  for (let time = 0; time < 2; time++) await start('setup.ts', setup, /logs in as/)
  const url = new URL(database.adminUrl)
  url.username = `${roles}_service`
  url.password = encodeURIComponent("it's secret")
  const apiKeys = Object.entries(keys).map((pair) => pair.join(':'))
  const env = { DATABASE_URL: url.href, API_KEYS: apiKeys.join(','), PORT: '0' }
  const [child, said] = await start('service.ts', env, /port \d+/)
  service = child
  address = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}`
})

afterAll(async () => {
  service?.kill('SIGKILL')
  if (database === undefined) return
  // Roles belong to the whole server, which may be somebody's.
  await asAdmin().query('drop schema if exists ashlar cascade')
  for (const name of ['service', 'owner', 'writer', 'reader']) {
    await asAdmin().query(`drop owned by ${roles}_${name}`)
    await asAdmin().query(`drop role ${roles}_${name}`)
  }
  await database[Symbol.asyncDispose]()
})

/** Looks behind the walls. */
function asAdmin(): pg.Pool {
  admin ??= database?.connect(database.adminUrl, { max: 1 })
  return admin as pg.Pool
}

async function rowsWith(word: string): Promise<number> {
  const { rows } = await asAdmin().query('select count(*)::int as rows from ashlar.parent p where p::text like $1', [`%${word}%`])
  return rows[0].rows
}

async function ask<Answer>(
  as: Tenant | { readonly key: string },
  method: string,
  path: string,
  body?: string,
): Promise<[number, Answer]> {
  const key = typeof as === 'string' ? keys[as] : as.key
  const headers = { authorization: `Bearer ${key}`, connection: 'close' }
  const response = await fetch(address + path, { method, headers, ...(body === undefined ? {} : { body }) })
  return [response.status, (await response.json()) as Answer]
}

async function put(as: Tenant, id: string, text: string, query = ''): Promise<void> {
  const [status, answer] = await ask(as, 'PUT', `/documents/${encodeURIComponent(id)}${query}`, text)
  expect(status, JSON.stringify(answer)).toBe(200)
}

async function search(as: Tenant, query: string, more: object = {}): Promise<readonly Hit[]> {
  const [status, answer] = await ask<{ readonly hits: readonly Hit[] }>(
    as,
    'POST',
    '/search',
    JSON.stringify({ query, limit: 50, ...more }),
  )
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.hits
}

async function listed(as: Tenant): Promise<readonly string[]> {
  const [, page] = await ask<{ readonly items: readonly { readonly id: string }[] }>(as, 'GET', '/documents')
  return page.items.map(({ id }) => id)
}

describe.skipIf(database === undefined)('tenants', () => {
  const hostile = ["'; drop table ashlar.document; --", '../globex/plans.md', 'globex', '%', 'a\u2028b', '["plans.md","globex"]']

  beforeAll(async () => {
    await put('acme', 'plans.md', '# Plans\n\nAcme will open a quarry in Portland in spring.\n', '?kind=plan&year=2026')
    await put('globex', 'plans.md', '# Plans\n\nGlobex will close its quarry in Carrara in autumn.\n', '?kind=plan&year=2026')
    await put('globex', 'secret.md', 'The quarry of Globex hides a vein of gold.\n', '?kind=secret&year=2025')
    await put('shared', 'safety.md', '# Safety\n\nHelmets are worn in every quarry.\n', '?kind=rule&year=2020')
    for (const id of hostile) await put('acme', id, `A quarry of Acme named ${id}.\n`)
  })

  test('see their own documents and the shared ones', async () => {
    const acme = await search('acme', 'quarry')
    expect(new Set(acme.map(({ document }) => document))).toEqual(new Set(['plans.md', 'safety.md', ...hostile]))
    expect(acme.map(({ text }) => text).join()).not.toContain('Globex')
    expect(acme.find(({ document }) => document === 'safety.md')?.shared).toBe(true)
    const globex = await search('globex', 'quarry')
    expect(new Set(globex.map(({ document }) => document))).toEqual(new Set(['plans.md', 'secret.md', 'safety.md']))
    expect(globex.map(({ text }) => text).join()).not.toContain('Acme')
    expect((await search('shared', 'quarry')).map(({ document }) => document)).toEqual(['safety.md'])
    expect(new Set(await listed('globex'))).toEqual(new Set(['plans.md', 'secret.md', 'safety.md']))
  })

  test('filter by what is declared, and get nowhere with anything else', async () => {
    const rules = await search('acme', 'quarry', { where: { year: { lt: 2024 } } })
    expect(rules.map(({ document }) => document)).toEqual(['safety.md'])
    const filters: readonly unknown[] = [
      { workspace: 'globex' },
      { 'ashlar.workspace': 'globex' },
      { kind: "secret' or workspace = 'globex" },
      { kind: { in: ['secret', 'plan'] } },
      { kind: { not: 'nothing' } },
      { op: 'not', filter: { op: 'equal', field: 'kind', value: 'nothing' } },
      { op: 'raw', sql: 'true' },
      { year: { gte: '0 or true' } },
      { __proto__: { workspace: 'globex' } },
      [{ kind: 'secret' }, { kind: { exists: false } }],
      'true',
      [[]],
    ]
    for (const where of filters) {
      const body = JSON.stringify({ query: 'quarry gold Globex', limit: 50, where })
      const [status, answer] = await ask('acme', 'POST', '/search', body)
      expect([200, 400], JSON.stringify(where)).toContain(status)
      expect(JSON.stringify(answer), JSON.stringify(where)).not.toMatch(/Carrara|vein of gold/)
    }
    const named = { query: 'quarry', workspace: 'globex', workspaces: ['globex'], tenant: 'globex', alsoRead: ['globex'] }
    expect(JSON.stringify(await ask('acme', 'POST', '/search', JSON.stringify(named)))).not.toMatch(/Carrara|vein of gold/)
    const [status, page] = await ask('acme', 'GET', `/documents?after=${encodeURIComponent('["a","globex"]')}`)
    expect([status, JSON.stringify(page).includes('secret.md')]).toEqual([400, false])
  })

  test('need a key that is known', async () => {
    for (const key of ['nobody', 'key-of-acm', 'globex', '__proto__'])
      expect(await ask({ key }, 'POST', '/search', '{"query":"quarry"}')).toEqual([401, { error: 'Unknown key.' }])
    const response = await fetch(`${address}/documents`)
    expect(response.status).toBe(401)
    await response.arrayBuffer()
  })

  test('erase what is theirs alone, with a receipt', async () => {
    await put('acme', 'voucher.md', 'Zephyrine Quackenbush earns 48213 ducats in the quarry.\n')
    expect(await search('acme', 'Quackenbush')).not.toHaveLength(0)
    expect(await rowsWith('Quackenbush')).toBe(1)
    // The shared document and those of others are not theirs to erase, whatever they are called.
    for (const id of ['safety.md', 'secret.md', '["secret.md","globex"]', "secret.md' or '1'='1"]) {
      const [status, receipt] = await ask('acme', 'DELETE', `/documents/${encodeURIComponent(id)}`)
      expect([status, receipt]).toMatchObject([200, { removed: 0, rows: 0 }])
    }
    const [status, receipt] = await ask<{ readonly rows: number }>('acme', 'DELETE', '/documents/voucher.md')
    expect([status, receipt]).toMatchObject([
      200,
      { removed: 1, erased: true, documents: [{ document: 'voucher.md', found: true }] },
    ])
    expect(receipt.rows).toBeGreaterThan(0)
    expect((await search('acme', '"Quackenbush"')).map(({ document }) => document)).not.toContain('voucher.md')
    expect(await search('acme', 'helmets')).not.toHaveLength(0)
    expect(await search('globex', '"vein of gold"')).not.toHaveLength(0)
    expect(await rowsWith('Quackenbush')).toBe(0)
  })

  test('work at the same time without mixing', async () => {
    const work = async (as: Tenant, other: string): Promise<void> => {
      for (let round = 0; round < 6; round++) {
        await put(as, `note ${round % 3}.md`, `Note ${round} of ${as}: the lintel of ${as} cracked.\n`)
        const hits = await search(as, 'cracked lintel')
        expect(hits.some(({ text }) => text.includes(`lintel of ${as}`))).toBe(true)
        expect(hits.map(({ text }) => text).join()).not.toContain(`lintel of ${other}`)
        if (round % 3 === 2) await ask(as, 'DELETE', `/documents/note%20${round % 3}.md`)
      }
    }
    await Promise.all([work('acme', 'globex'), work('globex', 'acme'), work('acme', 'globex')])
  })

  test('are told what is wrong with a request, and nothing of what went wrong inside', async () => {
    expect((await ask('acme', 'POST', '/search', '{'))[0]).toBe(400)
    expect((await ask('acme', 'POST', '/search', '{"query":""}'))[0]).toBe(400)
    expect((await ask('acme', 'POST', '/search', '{"query":"a","limit":1000}'))[0]).toBe(400)
    expect((await ask('acme', 'PUT', '/documents/%ff', 'a'))[0]).toBe(400)
    expect((await ask('acme', 'PUT', '/documents/a?year=soon', 'a'))[0]).toBe(400)
    expect((await ask('acme', 'PUT', `/documents/${encodeURIComponent('a\u0000b')}`, 'a'))[0]).toBeGreaterThanOrEqual(400)
    expect((await ask('acme', 'GET', '/'))[0]).toBe(404)
  })

  test('can upload a file that cannot be read without harm to anybody', async () => {
    const [status, answer] = await ask<{ readonly error: string }>('acme', 'PUT', '/documents/broken.pdf', '%PDF-1.7\nnonsense')
    expect([status, answer.error]).toEqual([422, expect.stringContaining('broken.pdf')])
    expect(await listed('acme')).not.toContain('broken.pdf')
    const page = '<!doctype html><title>Lintels</title><h1>Lintels</h1><p>A lintel spans an opening.</p>'
    const [put, receipt] = await ask('acme', 'PUT', '/documents/lintels.html', page)
    expect([put, receipt]).toMatchObject([200, { id: 'lintels.html', written: 1 }])
    expect((await search('acme', '"spans an opening"'))[0]?.document).toBe('lintels.html')
  })

  test('are served by a role that can pass by nothing', async () => {
    const { rows } = await asAdmin().query('select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = $1', [
      `${roles}_service`,
    ])
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: false }])
    const ended = new Promise((resolve) => service.once('exit', (code) => resolve(code)))
    service.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(errors).toBe('')
  })
})
