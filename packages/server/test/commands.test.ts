import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../src/main.ts'
import { FakeTerminal, type FakeTerminalOptions } from './fake-terminal.ts'
import { handbook, temporaryFolder } from './temporary-folder.ts'

interface Ran {
  readonly exit: number
  readonly out: string
  readonly err: string
  readonly terminal: FakeTerminal
}

/** Runs the command in a folder, on words alone unless told otherwise. */
async function run(cwd: string, args: readonly string[], options: Partial<FakeTerminalOptions> = {}): Promise<Ran> {
  const terminal = new FakeTerminal({ cwd, ...options, env: { ASHLAR_EMBEDDER: 'none', ...options.env } })
  const exit = await main(args, terminal)
  return { exit, out: terminal.out.text, err: terminal.err.text, terminal }
}

function json(text: string): Record<string, never> {
  return JSON.parse(text) as Record<string, never>
}

const names = [
  'init',
  'add',
  'chunk',
  'plan',
  'sync',
  'search',
  'ask',
  'get',
  'list',
  'remove',
  'status',
  'verify',
  'quality',
  'eval',
  'mcp',
  'doctor',
]

describe('the first screen', () => {
  test('without arguments it says what there is, with examples', async () => {
    const { exit, out } = await run('/', [])
    expect(exit).toBe(0)
    expect(out).toContain('ashlar add docs')
    for (const name of names) expect(out).toMatch(new RegExp(`^  ${name}\\b`, 'm'))
  })

  test.each(names)('%s --help teaches by at least two examples', async (name) => {
    const { exit, out } = await run('/', [name, '--help'])
    expect(exit).toBe(0)
    expect(out.split('Examples:')[1]?.match(/^ {2}\$ .*ashlar/gm)?.length ?? 0).toBeGreaterThanOrEqual(2)
  })

  test('slips are pointed out, with exit code 2', async () => {
    const wrong = await run('/', ['serch', 'x'])
    expect(wrong.exit).toBe(2)
    expect(wrong.err).toContain('Did you mean search?')
    expect((await run('/', ['search', 'x', '--limti', '3'])).exit).toBe(2)
    expect((await run('/', ['search', 'x', '--limit', 'three'])).exit).toBe(2)
    expect((await run('/', ['search'])).exit).toBe(2)
  })
})

describe('add and search', () => {
  test('a folder is added and found, with the place that a terminal makes a link of', async () => {
    await using folder = await temporaryFolder(handbook)
    const added = await run(folder.path, ['add', 'docs'])
    expect(added.exit).toBe(0)
    expect(added.out).toMatch(/✓ 3 documents stored in \d+ pieces/)
    const found = await run(folder.path, ['search', 'how', 'long', 'do', 'refunds', 'take'])
    expect(found.exit).toBe(0)
    expect(found.out).toMatch(/^1\. docs\/refunds\.md:\d+ {2}\d+ %$/m)
    expect(found.out).toMatch(/^ {3}Refunds$/m)
    expect(found.out).toContain('five working days')
    const deeper = await run(join(folder.path, 'docs'), ['search', 'stones'])
    expect(deeper.out).toMatch(/^1\. walls\.md:\d+/m)
  })

  test('a library above the current folder is named, unless it was asked for', async () => {
    await using folder = await temporaryFolder(handbook)
    const inside = join(folder.path, 'docs')
    expect((await run(folder.path, ['add', 'docs'])).err).not.toContain('The library is')
    const { err } = await run(inside, ['search', 'stones'])
    expect(err).toContain(`The library is ${join(folder.path, '.ashlar/library.db')} (--library names another).`)
    expect((await run(inside, ['search', 'stones', '--quiet'])).err).toBe('')
    expect((await run(inside, ['search', 'stones', '--library', '../.ashlar/library.db'])).err).toBe('')
    const own = await run(inside, ['add', 'bees.txt', '--library', 'own.db'])
    expect(own.exit).toBe(0)
    expect((await stat(join(inside, 'own.db'))).size).toBeGreaterThan(0)
  })

  test('what matched stands out where there are colours', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    const { out } = await run(folder.path, ['search', 'honey'], { colour: true, isTTY: true })
    expect(out).toContain('\u001b[33m\u001b[1mhoney\u001b[22m\u001b[39m')
    const plain = await run(folder.path, ['search', 'honey'])
    expect(plain.out).not.toContain('\u001b')
  })

  test('nothing about it is said plainly', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    const { exit, out } = await run(folder.path, ['search', 'xylophone'])
    expect(exit).toBe(0)
    expect(out).toContain('Nothing here about that.')
  })

  test('with --json there is one document on standard output', async () => {
    await using folder = await temporaryFolder(handbook)
    expect(json((await run(folder.path, ['add', 'docs', '--json'])).out)).toMatchObject({ new: 3, failed: 0, failures: [] })
    const result = json((await run(folder.path, ['search', 'honey', '--json', '--explain'])).out)
    expect(result['hits']).toHaveLength(1)
    expect(result['explanation']).toBeDefined()
  })

  test('--explain says how it came about, --why what became of a piece', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    const { out } = await run(folder.path, ['search', 'refunds', '--explain'])
    expect(out).toContain('How this came about')
    expect(out).toMatch(/score 0\.\d+ = mean by weight of/)
    const piece = /piece (\S+)/.exec(out)?.[1] ?? ''
    const why = await run(folder.path, ['search', 'honey', '--why', piece, '--document', 'docs/refunds.md'])
    expect(why.out).toContain(`${piece}: `)
  })

  test('standard input is added under an id', async () => {
    await using folder = await temporaryFolder()
    const { exit } = await run(folder.path, ['add', '-', '--id', 'note'], { input: 'The key is under the third flowerpot.' })
    expect(exit).toBe(0)
    expect((await run(folder.path, ['get', 'note'])).out).toBe('The key is under the third flowerpot.')
    expect((await run(folder.path, ['add', 'docs', '--id', 'note'])).exit).toBe(2)
  })

  test('a file that cannot be read fails alone; what holds no text is left out of a folder', async () => {
    const png = Uint8Array.from([
      0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1,
    ])
    await using folder = await temporaryFolder({
      ...handbook,
      'docs/picture.png': png,
      'docs/broken.pdf': '%PDF-1.7\nnothing more',
    })
    const { exit, out } = await run(folder.path, ['add', 'docs'])
    expect(exit).toBe(1)
    expect(out).toContain('3 documents stored')
    expect(out).toMatch(/1 file left out, of formats that hold no text: png \(1\)/)
    expect(out).toMatch(/1 document could not be read:\n {2}docs\/broken\.pdf\n.*\[[A-Z_]+\]/)
    await rm(join(folder.path, 'docs/broken.pdf'))
    expect((await run(folder.path, ['add', 'docs'])).exit).toBe(0)
    expect((await run(folder.path, ['add', 'docs/picture.png'])).exit).toBe(1)
  })

  test('errors say what to do, and are data with --json', async () => {
    await using folder = await temporaryFolder()
    const missing = await run(folder.path, ['search', 'x'])
    expect(missing.exit).toBe(1)
    expect(missing.err).toBe(
      `error: There is no library at ${join(folder.path, '.ashlar/library.db')}.\n  Make one with: ashlar add <files or folders>\n  [FAILED]\n`,
    )
    const asData = await run(folder.path, ['search', 'x', '--json'])
    expect(json(asData.out)['error']).toMatchObject({ code: 'FAILED', advice: 'Make one with: ashlar add <files or folders>' })
    expect((await run(folder.path, ['add', 'no-such-folder'])).exit).toBe(2)
    expect((await run(folder.path, ['search', 'x', '--debug'])).err).toContain('at openLibrary')
  })

  test('Ctrl-C ends with 130 and says that nothing is lost', async () => {
    await using folder = await temporaryFolder(handbook)
    const terminal = new FakeTerminal({ cwd: folder.path, env: { ASHLAR_EMBEDDER: 'none' } })
    terminal.interrupt()
    expect(await main(['add', 'docs'], terminal)).toBe(130)
    expect(terminal.err.text).toContain('Stopped. What was stored stays')
    expect((await run(folder.path, ['add', 'docs'])).exit).toBe(0)
  })
})

describe('stored text cannot command the terminal', () => {
  const attack = `${'Bees make honey. '.repeat(40)}\u001b[2J\u001b]0;owned\u0007\u009b31m honey after`

  test.each([
    ['search', 'honey'],
    ['get', 'evil'],
    ['list'],
    ['search', 'honey', '--explain'],
    ['search', 'honey', '--json'],
    ['quality', '--likeness', '0.3'],
    ['status'],
  ])('%s', async (...args) => {
    await using folder = await temporaryFolder({ 'evil\u001b[31m.txt': attack })
    expect((await run(folder.path, ['add', '-', '--id', 'evil'], { input: attack })).exit).toBe(0)
    expect((await run(folder.path, ['add', 'evil\u001b[31m.txt'])).exit).toBe(0)
    const { out, err } = await run(folder.path, args, { isTTY: true })
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  test('and a program that reads the output gets every byte', async () => {
    await using folder = await temporaryFolder()
    await run(folder.path, ['add', '-', '--id', 'evil'], { input: attack })
    expect((await run(folder.path, ['get', 'evil'])).out).toBe(attack)
  })
})

describe('plan and sync', () => {
  test('a plan says what a sync then does', async () => {
    await using folder = await temporaryFolder(handbook)
    const { path } = folder
    expect((await run(path, ['plan', 'docs'])).out).toMatch(/^3 new, 0 changed, 0 moved, 0 gone, 0 unchanged/)
    expect((await run(path, ['sync', 'docs'])).out).toContain('3 documents stored')
    expect((await run(path, ['sync', 'docs'])).out).toContain('Nothing to do: 3 unchanged')
    await rename(join(path, 'docs/bees.txt'), join(path, 'docs/hives.txt'))
    await rm(join(path, 'docs/walls.md'))
    await writeFile(join(path, 'docs/new.md'), '# New\n\nSomething new.\n')
    const planned = await run(path, ['plan', 'docs'])
    expect(planned.out).toContain('1 new, 0 changed, 1 moved, 1 gone, 1 unchanged')
    expect(planned.out).toContain('> docs/hives.txt (was docs/bees.txt)')
    expect(planned.out).toContain('- docs/walls.md')
    expect(json((await run(path, ['plan', 'docs', '--json'])).out)['counts']).toMatchObject({ new: 1, moved: 1 })
    expect((await run(path, ['sync', 'docs', '--no-remove'])).exit).toBe(0)
    expect((await run(path, ['get', 'docs/walls.md'])).exit).toBe(0)
    expect((await run(path, ['sync', 'docs'])).exit).toBe(0)
    expect((await run(path, ['get', 'docs/walls.md'])).exit).toBe(1)
    expect((await run(path, ['verify'])).out).toContain('All is as it should be: 3 documents')
  })

  test('a file that is added by name stays with the folder that was synced', async () => {
    await using folder = await temporaryFolder(handbook)
    const { path } = folder
    await run(path, ['sync', 'docs'])
    expect(json((await run(path, ['add', 'docs/bees.txt', '--json'])).out)).toMatchObject({ unchanged: 1, written: 0 })
    await writeFile(join(path, 'docs/bees.txt'), 'Bees need water as well.\n')
    expect(json((await run(path, ['add', 'docs/bees.txt', '--json'])).out)).toMatchObject({ changed: 1, written: 1 })
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ new: 0, changed: 0, unchanged: 3 })
    await rm(join(path, 'docs/bees.txt'))
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ removed: 1, unchanged: 2 })
  })

  test('a folder within another one is added without taking its documents away', async () => {
    await using folder = await temporaryFolder({ ...handbook, 'docs/deep/a.md': '# A\n\nDeep down.\n' })
    const { path } = folder
    await run(path, ['sync', 'docs'])
    expect(json((await run(path, ['add', 'docs/deep', '--json'])).out)).toMatchObject({ unchanged: 1, written: 0 })
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ new: 0, unchanged: 4 })
  })

  test('much that is gone is removed only when somebody agrees', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`docs/n${at}.txt`, `Note ${at} about ${at * 7}.`]))
    await using folder = await temporaryFolder(many)
    const { path } = folder
    await run(path, ['sync', 'docs'])
    await rename(join(path, 'docs'), join(path, 'elsewhere'))
    await mkdir(join(path, 'docs'))
    const refused = await run(path, ['sync', 'docs'])
    expect(refused.exit).toBe(1)
    expect(refused.err).toContain('30 of 30 documents are not in the folder any more.')
    expect(refused.err).toContain('--yes')
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ removed: 0, refusal: { code: 'FAILED' } })
    const no = await run(path, ['sync', 'docs'], { isTTY: true, answer: false })
    expect(no.terminal.questions).toEqual(['30 of 30 documents are not in the folder any more. Remove them from the library?'])
    expect(no.exit).toBe(0)
    expect((await run(path, ['get', 'docs/n3.txt'])).exit).toBe(0)
    const yes = await run(path, ['sync', 'docs'], { isTTY: true, answer: true })
    expect(yes.out).toContain('30 removed')
  })

  test('what only moved, or is little, is removed without a question', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`docs/a/n${at}.txt`, `Note ${at} about ${at * 7}.`]))
    await using folder = await temporaryFolder(many)
    const { path } = folder
    await run(path, ['sync', 'docs'])
    await rename(join(path, 'docs/a'), join(path, 'docs/b'))
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ moved: 30, removed: 0 })
    for (let at = 0; at < 10; at++) await rm(join(path, `docs/b/n${at}.txt`))
    expect(json((await run(path, ['sync', 'docs', '--json'])).out)).toMatchObject({ removed: 10, unchanged: 20 })
    for (let at = 10; at < 30; at++) await rm(join(path, `docs/b/n${at}.txt`))
    expect(json((await run(path, ['sync', 'docs', '--json', '--yes'])).out)).toMatchObject({ removed: 20 })
  })

  test('.gitignore and node_modules are left out unless asked for', async () => {
    await using folder = await temporaryFolder({
      ...handbook,
      'docs/.gitignore': 'walls.md\n',
      'docs/node_modules/x/readme.md': '# X\n\nNot a document.\n',
    })
    expect(json((await run(folder.path, ['sync', 'docs', '--json'])).out)).toMatchObject({ new: 2 })
    expect(json((await run(folder.path, ['sync', 'docs', '--json', '--no-gitignore'])).out)).toMatchObject({
      new: 1,
      unchanged: 2,
    })
  })

  test('--watch syncs again when something changes, until Ctrl-C', async () => {
    await using folder = await temporaryFolder(handbook)
    const terminal = new FakeTerminal({ cwd: folder.path, env: { ASHLAR_EMBEDDER: 'none' } })
    const running = main(['sync', 'docs', '--watch'], terminal)
    await until(() => terminal.err.text.includes('Watching'))
    await writeFile(join(folder.path, 'docs/new.md'), '# New\n\nSomething new.\n')
    await until(() => terminal.out.text.includes('1 new'))
    terminal.interrupt()
    expect(await running).toBe(130)
    expect((await run(folder.path, ['get', 'docs/new.md'])).exit).toBe(0)
  })
})

describe('chunk', () => {
  test('shows every level and every child', async () => {
    await using folder = await temporaryFolder(handbook)
    const { exit, out } = await run(folder.path, ['chunk', 'docs/refunds.md'])
    expect(exit).toBe(0)
    expect(out).toMatch(/^refunds\.md {2}markdown, \d+ characters: \d+ sections?, \d+ parents?, \d+ child(ren)?$/m)
    expect(out).toMatch(/^━━ section 1/m)
    expect(out).toMatch(/^child 1 {2}0-\d+, \d+ characters, line 1$/m)
    expect(out).toContain('head of the shop')
  })

  test('as data its pieces are slices of the source', async () => {
    await using folder = await temporaryFolder(handbook)
    const [document] = JSON.parse((await run(folder.path, ['chunk', 'docs/refunds.md', '--json', '--overlap', '20'])).out)
    for (const { start, end, text } of document.children) expect(handbook['docs/refunds.md'].slice(start, end)).toBe(text)
  })

  test('--html writes a page with every piece and nothing from elsewhere', async () => {
    await using folder = await temporaryFolder({ 'a.md': '# <script>alert(1)</script>\n\n"Quotes" & <b>tags</b>\u202e.\n' })
    expect((await run(folder.path, ['chunk', 'a.md', '--html', 'a.html'])).exit).toBe(0)
    const page = await readFile(join(folder.path, 'a.html'), 'utf8')
    expect(page).toContain("default-src 'none'")
    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toContain('<script>alert')
    expect(page).not.toMatch(/\b(src|href)=/)
    expect(page).toContain('prefers-color-scheme: dark')
    expect(page).toContain('tabindex')
  })
})

describe('quality', () => {
  const notes =
    'Every mason signs the book of the yard in the morning and in the evening, and nobody leaves without a word to the foreman.'
  const files = {
    ...handbook,
    'docs/yard.md': `# The yard\n\n${notes}\n`,
    'docs/gate.md': `# The gate\n\n${notes}\n`,
  }

  test('shows sizes, and what is fine and what is not, with places', async () => {
    await using folder = await temporaryFolder(files)
    await run(folder.path, ['add', 'docs'])
    const { exit, out } = await run(folder.path, ['quality'])
    expect(exit).toBe(0)
    expect(out).toMatch(/^\d+ pieces of 5 documents, \d+ to \d+ characters/)
    expect(out).toMatch(/^ +\d+-\d+ █+/m)
    expect(out).toContain('✓ Every heading stands with its text')
    expect(out).toMatch(/! 2 pieces say nearly the same as others, in 1 group\n {2}docs\/gate\.md:1 {2}2 times, \d+ % alike/)
    expect(out).toMatch(/also docs\/yard\.md:1/)
    expect(out).toMatch(/✓ All \d+ pieces that questions were made from are found among 10 hits/)
  })

  test('is data with --json, and asks nothing where it shall not', async () => {
    await using folder = await temporaryFolder(files)
    await run(folder.path, ['add', 'docs'])
    const report = json((await run(folder.path, ['quality', '--json', '--questions', '0'])).out)
    expect(report).toMatchObject({ documents: 5, neverFound: { questions: 0 }, nearDuplicates: { pieces: 2 } })
    expect((await run(folder.path, ['quality', '--likeness', '2'])).exit).toBe(2)
  })

  test('an empty library has nothing to say', async () => {
    await using folder = await temporaryFolder({ 'docs/empty.txt': '' })
    await run(folder.path, ['add', 'docs'])
    expect((await run(folder.path, ['quality'])).out).toMatch(/^0 pieces of \d documents?/)
  })

  test('--html writes a page with nothing from elsewhere', async () => {
    await using folder = await temporaryFolder({ 'a.md': `# <script>alert(1)</script>\n\n${notes}\n`, 'b.md': notes })
    await run(folder.path, ['add', 'a.md', 'b.md'])
    expect((await run(folder.path, ['quality', '--likeness', '0.5', '--html', 'q.html'])).exit).toBe(0)
    const page = await readFile(join(folder.path, 'q.html'), 'utf8')
    expect(page).toContain("default-src 'none'")
    expect(page).toContain('&lt;script&gt;alert(1)')
    expect(page).not.toContain('<script')
    expect(page).not.toMatch(/\b(src|href)=/)
  })
})

describe('eval', () => {
  const subjects = ['lime', 'slate', 'timber', 'glass', 'copper', 'gravel']
  const books = Object.fromEntries(
    subjects.map((subject, at) => [
      `docs/${subject}.md`,
      `# Book of ${subject}

## Buying ${subject}

${subject} is sold by weight in the yard at the harbour. Dealers open at ${at + 5} in the morning. ${'Whoever comes late takes what is left. '.repeat(6)}

## Storing ${subject}

Keep it dry and off the ground. ${'A roof of boards is enough in most winters. '.repeat(8)} In spring it is turned.
`,
    ]),
  )

  test('asks the library as it is, by kind of question', async () => {
    await using folder = await temporaryFolder(books)
    await run(folder.path, ['add', 'docs'])
    const { exit, out, err } = await run(folder.path, ['eval', '--questions', '20'])
    expect(exit).toBe(0)
    expect(err).toMatch(/\d+ questions \(\d+ from headings.*\) about 6 documents\./)
    expect(out).toMatch(/^ +5 hits +800 tokens +MRR +read +search$/m)
    expect(out).toMatch(/^ {2}as it is +\d+\.\d % \(\d+-\d+\)/m)
    expect(out).toMatch(/^ +\d+ % {2}from headings \(\d+\)$/m)
  })

  test('compares ways to cut, says which to take, and what it is judged by', async () => {
    await using folder = await temporaryFolder(books)
    await run(folder.path, ['add', 'docs'])
    const asked = [
      'eval',
      '--compare',
      'child=60,300',
      'expand=child,parent',
      '--from',
      'heading',
      '--hits',
      '1',
      '--tokens',
      '100',
    ]
    const { exit, out, err } = await run(folder.path, asked)
    expect(exit).toBe(0)
    expect(err).toMatch(/characters are cut and indexed in 2 ways/)
    expect(out).toMatch(/^ {2}child=60 expand=child\n +\d+\.\d % \(/m)
    expect(out).toContain('child=300 expand=parent against child=60 expand=child')
    expect(out).toMatch(/^ {2}Take child=60 expand=child: it finds more of the evidence within 100 tokens$/m)
    expect(out).toMatch(/1 hit: \+\d+\.\d points \(-?\d+\.\d to \d+\.\d\); better on \d+, worse on \d+, same on \d+; p = /)
    expect(out).toContain('Questions that differ most')
    const report = JSON.parse((await run(folder.path, [...asked, '--json'])).out)
    expect(report.results).toHaveLength(2)
    expect(report.comparisons[0].recommendation).toContain('child=300 expand=parent')
    expect(report.asked.length).toBe(report.questions)
    for (const { asked: answers, completeness } of report.results) {
      const scores: number[] = answers.map((one: { completeness: number }) => one.completeness)
      expect(completeness.mean).toBeCloseTo(scores.reduce((sum, score) => sum + score, 0) / scores.length, 9)
    }
    expect(report.asked[0]).toMatchObject({ kind: 'heading', gold: [{ document: expect.stringContaining('docs/') }] })
  })

  test('slips in settings are pointed out', async () => {
    await using folder = await temporaryFolder(books)
    await run(folder.path, ['add', 'docs'])
    const wrong = async (...compare: string[]): Promise<string> => {
      const { exit, err } = await run(folder.path, ['eval', '--compare', ...compare])
      expect(exit).toBe(2)
      return err
    }
    expect(await wrong('siz=1,2')).toContain('Did you mean size?')
    expect(await wrong('size')).toContain('size has no values')
    expect(await wrong('size=300,big')).toContain('size must be a whole number, not big')
    expect(await wrong('expand=child,all')).toContain('expand must be one of child, parent, segment')
    expect(await wrong('size=1,2,3', 'expand=child,parent')).toContain('expand has 2 values and another setting has 3')
    expect(await wrong('semantic=on,off')).toContain('without an embedder')
    expect(await wrong('enrich=off,on')).toContain('enrich=on needs a language model')
  })

  test('a library without anything to ask about says so', async () => {
    await using folder = await temporaryFolder({ 'docs/a.txt': 'x\n' })
    await run(folder.path, ['add', 'docs'])
    const { exit, err } = await run(folder.path, ['eval'])
    expect(exit).toBe(1)
    expect(err).toContain('No question could be made from these documents.')
  })

  test('nothing is sent to somebody who may take money without asking', async () => {
    await using folder = await temporaryFolder({
      ...books,
      'node_modules/@ai-sdk/openai/package.json':
        '{ "name": "@ai-sdk/openai", "version": "1.0.0", "type": "module", "main": "index.js" }',
      'node_modules/@ai-sdk/openai/index.js': `export const openai = Object.assign(() => ({}), {
  embeddingModel: (modelId) => ({ specificationVersion: 'v3', provider: 'openai', modelId, maxEmbeddingsPerCall: 10, supportsParallelCalls: true, doEmbed: async () => { throw new Error('called') } }),
})`,
    })
    await run(folder.path, ['add', 'docs'])
    const { exit, err } = await run(folder.path, [
      'eval',
      '--compare',
      'embedder=none,openai:text-embedding-3-small',
      '--price',
      '0.02',
    ])
    expect(exit).toBe(1)
    expect(err).toMatch(
      /This embeds [\d,]+ characters \(about [\d,]+ tokens, about 0\.0\d+\)\. Nobody is there to agree to that\./,
    )
  })
})

describe('looking after a library', () => {
  test('list pages, get refuses what is not there', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    const first = await run(folder.path, ['list', '--limit', '2'])
    expect(first.out.trim().split('\n')).toHaveLength(2)
    const after = /--after '(.+)'/.exec(first.err)?.[1] ?? ''
    expect((await run(folder.path, ['list', '--after', after])).out).toMatch(/^docs\/walls\.md/)
    expect((await run(folder.path, ['get', 'nothing'])).err).toContain('See which there are with: ashlar list')
  })

  test('remove asks first', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    expect((await run(folder.path, ['remove', 'docs/bees.txt'])).exit).toBe(2)
    const no = await run(folder.path, ['remove', 'docs/bees.txt'], { isTTY: true, answer: false })
    expect(no.exit).toBe(1)
    expect(no.terminal.questions).toEqual(['Erase docs/bees.txt with everything made of it?'])
    const yes = await run(folder.path, ['remove', 'docs/bees.txt'], { isTTY: true, answer: true })
    expect(yes.out).toContain('1 document erased')
    const again = await run(folder.path, ['remove', 'docs/bees.txt', 'docs/walls.md', '--yes'])
    expect(again.exit).toBe(1)
    expect(again.out).toContain('There is no document docs/bees.txt')
  })

  test('status says what there is and who said so', async () => {
    await using folder = await temporaryFolder({ ...handbook, 'ashlar.json': '{ "workspace": "shop" }' })
    expect((await run(folder.path, ['status'])).out).toContain('not there yet')
    await run(folder.path, ['add', 'docs'])
    const { out } = await run(folder.path, ['status'])
    expect(out).toMatch(/documents +3/)
    expect(out).toMatch(/workspace +shop +ashlar\.json/)
    expect(out).toMatch(/embedder +none +ASHLAR_EMBEDDER/)
    const hidden = await run(folder.path, ['status', '--json', '--library', 'postgres://me:secret@127.0.0.1:1/x'])
    expect(hidden.out + hidden.err).not.toContain('secret')
  })

  test('doctor looks at everything and says what to do', async () => {
    await using folder = await temporaryFolder()
    const well = await run(folder.path, ['doctor'])
    expect(well.exit).toBe(0)
    expect(well.out).toContain('All is in order.')
    await mkdir(join(folder.path, '.ashlar'))
    await writeFile(join(folder.path, '.ashlar/library.db'), 'not a library at all, only text\n'.repeat(100))
    const ill = await run(folder.path, ['doctor', '--embedder', 'openai:text-embedding-3-small'])
    expect(ill.exit).toBe(1)
    expect(ill.out).toMatch(/✗ Library/)
    expect(ill.out).toContain('Set OPENAI_API_KEY to your key.')
  })

  test('init writes what was said and nothing else, and no second time', async () => {
    await using folder = await temporaryFolder()
    const made = await run(folder.path, ['init', '--embedder', 'none', '--workspace', 'shop'])
    expect(made.exit).toBe(0)
    expect(JSON.parse(await readFile(join(folder.path, 'ashlar.json'), 'utf8'))).toEqual({ embedder: 'none', workspace: 'shop' })
    const again = await run(folder.path, ['init'])
    expect(again.exit).toBe(1)
    expect(again.err).toContain('ashlar init --force')
    expect((await stat(join(folder.path, 'ashlar.json'))).size).toBeGreaterThan(10)
  })

  test('ask without a model shows the evidence and says what to install', async () => {
    await using folder = await temporaryFolder(handbook)
    await run(folder.path, ['add', 'docs'])
    const { exit, out, err } = await run(folder.path, ['ask', 'how', 'long', 'do', 'refunds', 'take'])
    expect(exit).toBe(0)
    expect(out).toContain('five working days')
    expect(err).toContain('npm install @ai-sdk/openai')
    expect((await run(folder.path, ['ask', 'x', '--model', 'opnai:gpt'])).err).toContain('Did you mean openai?')
  })

  test('an embedder that nobody knows is refused with those that there are', async () => {
    await using folder = await temporaryFolder(handbook)
    const { exit, err } = await run(folder.path, ['add', 'docs', '--embedder', 'poton'])
    expect(exit).toBe(2)
    expect(err).toContain('Did you mean potion?')
    expect((await run(folder.path, ['add', 'docs', '--library', 'mysql://host/x'])).exit).toBe(2)
  })
})

async function until(holds: () => boolean): Promise<void> {
  for (let at = 0; at < 400 && !holds(); at++) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(holds()).toBe(true)
}
