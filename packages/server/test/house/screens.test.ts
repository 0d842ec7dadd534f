import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { handbook, temporaryFolder } from '../temporary-folder.ts'
import { runBin } from './run-bin.ts'
import { Screen } from './screen.ts'

/** Compares a screen with the committed one; `npx vitest run --update` writes it. */
async function compare(name: string, screen: string): Promise<void> {
  await expect(screen).toMatchFileSnapshot(fileURLToPath(new URL(`screens/${name}.txt`, import.meta.url)))
}

/** What differs from run to run. */
function steady(screen: string, folder: string): string {
  return screen.replaceAll(folder, '<folder>').replace(/\d+(\.\d+)? (ms|s)\b/g, '<time>')
}

describe('screens', () => {
  test('the first screen', async () => {
    await using screen = new Screen([], { cwd: '/', rows: 60 })
    expect(await screen.ended()).toBe(0)
    await compare('help', screen.text())
    expect(screen.isStyled('Examples:')).toBe(true)
  })

  test.each([80, 40])('search in %i columns', async (columns) => {
    await using folder = await temporaryFolder(handbook)
    await runBin(folder.path, ['add', 'docs'])
    await using screen = new Screen(['search', 'how long do refunds take', '-n', '2'], { cwd: folder.path, columns })
    expect(await screen.ended()).toBe(0)
    await compare(`search-${columns}`, screen.text())
    expect(screen.isStyled('docs/refunds.md')).toBe(true)
  })

  test('without colours nothing but text is written', async () => {
    await using folder = await temporaryFolder(handbook)
    await runBin(folder.path, ['add', 'docs'])
    await using screen = new Screen(['search', 'honey'], { cwd: folder.path, env: { NO_COLOR: '1' } })
    expect(await screen.ended()).toBe(0)
    expect(screen.raw).not.toContain('\u001b')
    await compare('search-plain', screen.text())
  })

  test('chunk', async () => {
    await using folder = await temporaryFolder(handbook)
    await using screen = new Screen(['chunk', 'docs/refunds.md', '--child', '120', '--parent', '200'], { cwd: folder.path })
    expect(await screen.ended()).toBe(0)
    await compare('chunk', screen.text())
  })

  test('eval', async () => {
    await using folder = await temporaryFolder(handbook)
    await runBin(folder.path, ['add', 'docs'])
    await using screen = new Screen(['eval', '--compare', 'expand=child,parent'], { cwd: folder.path })
    expect(await screen.ended()).toBe(0)
    await compare('eval', steady(screen.text(), folder.path).replaceAll(/ +<time>/g, ' <time>'))
  })

  test('quality', async () => {
    await using folder = await temporaryFolder(handbook)
    await runBin(folder.path, ['add', 'docs'])
    await using screen = new Screen(['quality'], { cwd: folder.path })
    expect(await screen.ended()).toBe(0)
    await compare('quality', steady(screen.text(), folder.path))
  })

  test('add leaves one line, and the bar is gone', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`docs/${at}.md`, `# Stone ${at}\n\n${'Lay it well. '.repeat(100)}\n`]),
    )
    await using folder = await temporaryFolder(many)
    await using screen = new Screen(['add', 'docs'], { cwd: folder.path, columns: 70 })
    screen.resize(50, 20)
    expect(await screen.ended()).toBe(0)
    expect(screen.raw).toMatch(/Adding .*files/)
    expect(steady(screen.text(), folder.path)).toMatch(
      /^✓ 300 documents stored in [\d,]+ pieces, [\d.]+ kB, in\s+<time>\n {2}300 new\n$/,
    )
  })

  test('Ctrl-C ends a run with 130, and what was stored stays', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [`docs/${at}.md`, `# Stone ${at}\n\n${'Lay it well. '.repeat(200)}\n`]),
    )
    await using folder = await temporaryFolder(many)
    await using screen = new Screen(['add', 'docs'], { cwd: folder.path })
    await screen.shows(/Adding .*files/)
    screen.type('\u0003')
    expect(await screen.ended()).toBe(130)
    expect(screen.text()).toContain('Stopped. What was stored stays; the same command goes on from there.')
    expect((await runBin(folder.path, ['verify', '--sample', '1'])).exit).toBe(0)
  })

  test('remove asks, and no is no', async () => {
    await using folder = await temporaryFolder(handbook)
    await runBin(folder.path, ['add', 'docs'])
    await using screen = new Screen(['remove', 'docs/bees.txt'], { cwd: folder.path })
    await screen.shows('Erase docs/bees.txt')
    screen.type('n')
    expect(await screen.ended()).toBe(1)
    expect(screen.text()).toContain('Nothing was removed.')
    await using again = new Screen(['remove', 'docs/bees.txt'], { cwd: folder.path })
    await again.shows('Erase docs/bees.txt')
    again.type('y')
    expect(await again.ended()).toBe(0)
    expect(again.text()).toContain('1 document erased')
  })

  test('init asks and writes', async () => {
    await using folder = await temporaryFolder()
    await using screen = new Screen(['init'], { cwd: folder.path, env: { ASHLAR_EMBEDDER: '' } })
    await screen.shows('Which folder')
    screen.type('docs\r')
    await screen.shows('other words')
    screen.type('\u001b[B\r')
    expect(await screen.ended()).toBe(0)
    expect(screen.text()).toContain('Wrote')
    expect(screen.text()).toContain('ashlar sync')
  })
})
