import { chmod, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { fetchUrl } from '../../src/ingest/node/fetch-url.ts'
import { fileSource } from '../../src/ingest/node/file-source.ts'
import { type FolderOptions, folderSource } from '../../src/ingest/node/folder-source.ts'
import { globMatcher } from '../../src/ingest/node/glob.ts'
import { ignoreRules, isIgnored } from '../../src/ingest/node/ignore-rules.ts'
import { isPrivateAddress } from '../../src/ingest/node/private-address.ts'
import { watchFolder } from '../../src/ingest/node/watch-folder.ts'
import type { Source, SourceItem } from '../../src/ingest/source.ts'
import { sha256 } from '../../src/text/sha-256.ts'

const home = await mkdtemp(join(tmpdir(), 'ashlar-sources-'))
afterAll(() => rm(home, { recursive: true, force: true }))

async function folderOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(home, name)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

async function idsOf(source: Source): Promise<string[]> {
  const ids: string[] = []
  for await (const entry of source.list()) ids.push('gap' in entry ? `!${entry.gap}` : entry.id)
  return ids
}

describe('patterns', () => {
  test.each([
    ['*.md', ['a.md', 'b/c.md'], ['a.txt', 'md', 'a.mdx']],
    ['docs/**', ['docs/a', 'docs/b/c'], ['doc/a', 'x/docs/a']],
    ['**/*.{md,txt}', ['a.md', 'b/c.txt', 'b/c/d.md'], ['a.html']],
    ['docs/*.md', ['docs/a.md'], ['docs/b/a.md', 'a.md']],
    ['a?c.[ch]', ['abc.c', 'axc.h', 'b/abc.h'], ['ac.c', 'abc.d', 'a/c.c']],
    ['[!a]*.md', ['b.md'], ['a.md']],
    ['docs/**/index.md', ['docs/index.md', 'docs/a/b/index.md'], ['docs/aindex.md']],
    ['a+b(1).md', ['a+b(1).md'], ['aab1.md']],
  ])('%s', (pattern, matching, others) => {
    const matches = globMatcher(pattern)
    for (const path of matching) expect(matches(path), path).toBe(true)
    for (const path of others) expect(matches(path), path).toBe(false)
  })

  test('that are none are refused', () => {
    for (const pattern of ['', '[', '{a', 'x'.repeat(1001)]) expect(() => globMatcher(pattern)).toThrowError(/pattern/)
  })

  test('of .gitignore: the last that matches decides, the nearest file first', () => {
    const top = ignoreRules('# comment\n*.log\n!keep.log\n/build/\nnode_modules/\ndocs/*.tmp\n\\#odd\ntrail \n', '', undefined)
    const ignored = (path: string, isFolder = false): boolean => isIgnored(path, isFolder, top)
    expect([ignored('a.log'), ignored('x/a.log'), ignored('keep.log'), ignored('build', true), ignored('x/build', true)]).toEqual(
      [true, true, false, true, false],
    )
    expect([
      ignored('build'),
      ignored('x/node_modules', true),
      ignored('docs/a.tmp'),
      ignored('docs/x/a.tmp'),
      ignored('#odd'),
    ]).toEqual([false, true, true, false, true])
    const nested = ignoreRules('!a.log\n/only.md\n', 'x/', top)
    expect([
      isIgnored('x/a.log', false, nested),
      isIgnored('x/only.md', false, nested),
      isIgnored('x/y/only.md', false, nested),
    ]).toEqual([false, true, false])
  })
})

describe('a folder', () => {
  test('lists files in the order of whole paths by code point', async () => {
    const names = ['a.md', 'a/b.md', 'a-b.md', 'a/', 'B.md', 'ä.md', '\u{1f600}.md', '\uffee.md', 'a/b/c.md', 'a/b-c.md']
    const folder = await folderOf(
      'order',
      Object.fromEntries(names.filter((name) => !name.endsWith('/')).map((name) => [name, name])),
    )
    const ids = await idsOf(folderSource(folder))
    expect(ids).toEqual(
      names
        .filter((name) => !name.endsWith('/'))
        .map((name) => ({ name, points: [...name].map((unit) => unit.codePointAt(0) ?? 0) }))
        .sort((left, right) => {
          const at = left.points.findIndex((point, index) => point !== right.points[index])
          return at < 0 ? left.points.length - right.points.length : (left.points[at] ?? 0) - (right.points[at] ?? -1)
        })
        .map(({ name }) => name),
    )
  })

  test('takes what is included and not excluded, ignored or hidden; has() says the same', async () => {
    const files = {
      'a.md': '1',
      'b.txt': '2',
      '.hidden.md': '3',
      '.config/c.md': '4',
      '.git/config.md': '5',
      'docs/d.md': '6',
      'docs/draft/e.md': '7',
      'out/f.md': '8',
      '.gitignore': 'out/\n',
    }
    const folder = await folderOf('choice', files)
    const expected: readonly (readonly [FolderOptions, readonly string[]])[] = [
      [{}, ['a.md', 'b.txt', 'docs/d.md', 'docs/draft/e.md', 'out/f.md']],
      [{ include: ['*.md'] }, ['a.md', 'docs/d.md', 'docs/draft/e.md', 'out/f.md']],
      [{ include: ['*.md'], exclude: ['docs/draft'] }, ['a.md', 'docs/d.md', 'out/f.md']],
      [{ exclude: ['docs/**', 'out/'] }, ['a.md', 'b.txt']],
      [{ gitignore: true }, ['a.md', 'b.txt', 'docs/d.md', 'docs/draft/e.md']],
      [{ hidden: true, include: ['*.md'] }, ['.config/c.md', '.hidden.md', 'a.md', 'docs/d.md', 'docs/draft/e.md', 'out/f.md']],
    ]
    for (const [options, ids] of expected) {
      const source = folderSource(folder, options)
      expect(await idsOf(source), JSON.stringify(options)).toEqual(ids)
      for (const id of Object.keys(files))
        expect(await source.has?.(id), `${id} ${JSON.stringify(options)}`).toBe(ids.includes(id))
    }
    expect(await folderSource(folder).has?.('../choice/a.md')).toBe(false)
    expect(await idsOf(folderSource(folder, { prefix: 'p/', include: ['a.md'] }))).toEqual(['p/a.md'])
  })

  test('follows no link out of itself', async () => {
    const outside = await folderOf('outside', { 'secret.md': 'secret' })
    const folder = await folderOf('links', { 'a.md': 'a', 'sub/b.md': 'b' })
    await symlink(join(outside, 'secret.md'), join(folder, 'secret.md'))
    await symlink(outside, join(folder, 'out'))
    await symlink(join(folder, 'sub'), join(folder, 'again'))
    await symlink(join(folder, 'a.md'), join(folder, 'alias.md'))
    await symlink(join(folder, 'nowhere'), join(folder, 'broken.md'))
    expect(await idsOf(folderSource(folder))).toEqual(['a.md', 'alias.md', 'sub/b.md'])
  })

  test('hashes in threads as the bytes are, and says what cannot be read', async () => {
    const large = 'x'.repeat(700_000)
    const folder = await folderOf('hashes', { 'a.md': '', 'b.md': 'b', 'c.md': large })
    const source = folderSource(folder)
    const items: SourceItem[] = []
    for await (const entry of source.list()) if (!('gap' in entry)) items.push(entry)
    expect(items.map(({ size }) => size)).toEqual([0, 1, 700_000])
    expect(await source.hash?.(items)).toEqual(['', 'b', large].map((text) => sha256(text)))
    await rm(join(folder, 'b.md'))
    const [, gone] = (await source.hash?.(items)) ?? []
    expect(gone).toMatchObject({ code: 'SOURCE_FAILED' })
    await expect(items[1]?.read()).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
  })

  test('reports what is too large, and a folder that cannot be read', async () => {
    const folder = await folderOf('closed', { 'a.md': 'a', 'big.md': 'x'.repeat(1000), 'shut/b.md': 'b' })
    await chmod(join(folder, 'shut'), 0o000)
    const ids = await idsOf(folderSource(folder, { maxBytes: 100 }))
    await chmod(join(folder, 'shut'), 0o755)
    // Root reads everything.
    expect(ids).toEqual(process.getuid?.() === 0 ? ['a.md', '!big.md', 'shut/b.md'] : ['a.md', '!big.md', '!shut/'])
    await expect(idsOf(folderSource(join(home, 'nowhere')))).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
    await expect(idsOf(folderSource(join(folder, 'a.md')))).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
  })

  test('is watched: changes are reported once they have settled, by notices and by looking', async () => {
    const folder = await folderOf('watched', { 'a.md': 'a' })
    for (const poll of [0, 50]) {
      const stop = new AbortController()
      const changes = watchFolder(folder, folderSource(folder), { settle: 30, poll, signal: stop.signal })
      // Watched from the call on, also while nobody asks.
      await new Promise((resolve) => setTimeout(resolve, 150))
      await writeFile(join(folder, `b${poll}.md`), 'b')
      await utimes(join(folder, `b${poll}.md`), 1, 1 + poll)
      await new Promise((resolve) => setTimeout(resolve, 150))
      expect(await changes.next()).toEqual({ value: undefined, done: false })
      const last = changes.next()
      stop.abort()
      expect(await last).toEqual({ value: undefined, done: true })
    }
    // One that nobody ever asks keeps nothing alive once it is let go.
    await watchFolder(folder, folderSource(folder))[Symbol.asyncDispose]()
  })
})

test('files are named one by one', async () => {
  const folder = await folderOf('single', { 'a.md': 'a', 'x/b.md': 'b', 'c.md': 'c' })
  const source = fileSource(['x/b.md', 'a.md', 'gone.md', './a.md'], { base: folder })
  expect(await idsOf(source)).toEqual(['x/b.md', 'a.md', '!gone.md'])
})

describe('addresses', () => {
  test('that are not public', () => {
    for (const address of [
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
      '100.64.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      'ff02::1',
      'localhost',
      '',
    ])
      expect(isPrivateAddress(address), address).toBe(true)
    for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111'])
      expect(isPrivateAddress(address), address).toBe(false)
  })

  test.each([
    'file:///etc/passwd',
    'ftp://example.org/a',
    'javascript:alert(1)',
    'nonsense',
    'http://user:secret@example.org/',
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data',
  ])('%s is refused', async (url) => {
    await expect(fetchUrl(url)).rejects.toMatchObject({ code: 'URL_REFUSED' })
  })

  test('are fetched within limits', async () => {
    const server: Server = createServer((request, response) => {
      if (request.url === '/moved') return void response.writeHead(302, { location: '/page' }).end()
      if (request.url === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
      if (request.url === '/away') return void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
      if (request.url === '/slow') return
      if (request.url === '/missing') return void response.writeHead(404).end()
      if (request.url === '/bomb')
        return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(5_000_000)))
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<h1>Walls</h1>')
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const options = { allowPrivate: true, maxBytes: 100_000, timeout: 500 }
      const { bytes, url, mediaType } = await fetchUrl(`${base}/moved`, options)
      expect([new TextDecoder().decode(bytes), url, mediaType]).toEqual([
        '<h1>Walls</h1>',
        `${base}/page`,
        'text/html; charset=utf-8',
      ])
      await expect(fetchUrl(`${base}/moved`, { ...options, allowPrivate: false })).rejects.toMatchObject({ code: 'URL_REFUSED' })
      await expect(fetchUrl(`${base}/loop`, options)).rejects.toMatchObject({ code: 'SOURCE_FAILED' })
      await expect(fetchUrl(`${base}/away`, options)).rejects.toMatchObject({ code: 'URL_REFUSED' })
      await expect(fetchUrl(`${base}/bomb`, options)).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
      await expect(fetchUrl(`${base}/missing`, options)).rejects.toMatchObject({
        code: 'SOURCE_FAILED',
        details: { retryable: false },
      })
      await expect(fetchUrl(`${base}/slow`, options)).rejects.toMatchObject({
        code: 'SOURCE_FAILED',
        details: { retryable: true },
      })
      const stop = AbortSignal.abort(new Error('enough'))
      await expect(fetchUrl(`${base}/page`, { ...options, signal: stop })).rejects.toThrow('enough')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })
})
