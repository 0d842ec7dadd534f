import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Example, examplesInDocComments, examplesInMarkdown } from './example.ts'
import { compile, layOut, place, run } from './run-examples.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

function read(folder: string, pattern: RegExp, recursive: boolean): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const documents = [...read('', /^[^/]+\.md$/, false), ...read('docs', /\.md$/, true)]
const sources = readdirSync(join(root, 'packages')).flatMap((name) => read(`packages/${name}/src`, /\.ts$/, true))

const examples = [
  ...documents.flatMap(({ path, text }) => examplesInMarkdown(path, text)),
  ...sources.flatMap(({ path, text }) => examplesInDocComments(path, text)),
]

const ours = examples.filter(({ notOurs }) => notOurs === undefined)
const toRun = ours.filter(({ notRun }) => notRun === undefined)

describe('every program in the documentation', () => {
  let folder: string
  beforeAll(() => {
    folder = layOut(ours)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('there are some', () => {
    expect(examples.length).toBeGreaterThan(0)
  })

  test('is well formed', () => {
    expect(examples.flatMap((example) => (example.fault === undefined ? [] : [`${place(example)} ${example.fault}`]))).toEqual([])
  })

  test('compiles against the built package', () => {
    expect(compile(folder)).toBe('')
  })

  test.each(toRun.map((example) => [place(example), example] as const))('%s prints what it says', (_place, example) => {
    expect(run(example, folder)).toBe('')
  })
})

describe('what is found', () => {
  const fence = '```'
  const lines = (...all: string[]): string => all.join('\n')

  test('a ts fence and the output below it', () => {
    const text = lines('# Title', `${fence}ts`, 'console.log(1 + 1)', fence, '', `${fence}text`, '2', fence)
    expect(examplesInMarkdown('a.md', text)).toEqual([{ path: 'a.md', line: 3, code: 'console.log(1 + 1)', prints: ['2'] }])
  })

  test('an output fence without an info string, but not one behind a sentence', () => {
    const near = lines(`${fence}ts`, 'console.log(1)', fence, fence, '1', fence)
    const far = lines(`${fence}ts`, 'console.log(1)', fence, 'A sentence.', '', fence, '1', fence)
    expect(examplesInMarkdown('a.md', near)[0]?.prints).toEqual(['1'])
    expect(examplesInMarkdown('a.md', far)[0]?.prints).toEqual([])
  })

  test('promises in comments, on the same line and on lines of their own', () => {
    const text = lines(`${fence}ts`, "console.log('a') // => a", "console.log('b\\n\\nc')", '// => b', '// =>', '// => c', fence)
    expect(examplesInMarkdown('a.md', text)[0]?.prints).toEqual(['a', 'b', '', 'c'])
  })

  test('programs in doc comments, fenced and bare', () => {
    const text = lines(
      '/**',
      ' * Adds.',
      ' *',
      ' * @example',
      ` * ${fence}ts`,
      ' * console.log(1) // => 1',
      ` * ${fence}`,
      ' */',
      'export function add(): void {}',
      '',
      '  /**',
      '   * @example',
      '   * console.log(2) // => 2',
      '   *',
      '   * console.log(3) // => 3',
      '   * @default 2',
      '   */',
      'const text = "/* @example */"',
    )
    expect(examplesInDocComments('a.ts', text)).toEqual([
      { path: 'a.ts', line: 6, code: 'console.log(1) // => 1', prints: ['1'] },
      { path: 'a.ts', line: 13, code: 'console.log(2) // => 2\n\nconsole.log(3) // => 3', prints: ['2', '3'] },
    ])
  })

  test('no way out but a reason', () => {
    const one = (info: string): Example | undefined => examplesInMarkdown('a.md', lines(`${fence}${info}`, 'x', fence))[0]
    expect(one('ts no-run needs a server')).toMatchObject({ notRun: 'needs a server' })
    expect(one('ts no-run')?.fault).toContain('<reason>')
    expect(one('ts not-ours code of another library')).toMatchObject({ notOurs: 'code of another library' })
    expect(one('ts not-ours')?.fault).toContain('<reason>')
    expect(
      examplesInMarkdown('a.md', lines(`${fence}ts not-ours so`, "import { open } from 'ashlar/node'", fence))[0]?.fault,
    ).toContain('imports ashlar/node')
    expect(one('ts ignore this')?.fault).toContain('no-run')
    expect(one('js')?.fault).toContain('`ts`')
    expect(one('typescript')?.fault).toContain('`ts`')
    expect(one('sh')).toBeUndefined()
    expect(examplesInDocComments('a.ts', '/**\n * @example\n */')[0]?.fault).toContain('empty')
  })
})

describe('what is refused', () => {
  const good: Example = { path: 'good.md', line: 7, code: "console.log('a')", prints: ['a'] }
  const wrong: Example = { ...good, path: 'wrong.md', prints: ['b'] }
  const silent: Example = { ...good, path: 'silent.md', prints: [] }
  const missing: Example = { ...good, path: 'missing.md', code: 'const a = 1', prints: ['a'] }
  const throws: Example = { ...good, path: 'throws.md', code: "throw new Error('no')" }
  const warns: Example = { ...good, path: 'warns.md', code: "console.error('no')", prints: [] }
  const mistyped: Example = { ...good, path: 'mistyped.md', code: "import { nothing } from 'ashlar'\nconsole.log(nothing)" }
  let folder: string
  beforeAll(() => {
    folder = layOut([good, wrong, silent, missing, throws, warns, mistyped])
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('a wrong promise, a missing one, an empty one, an error', () => {
    expect(run(good, folder)).toBe('')
    expect(run(wrong, folder)).toContain('says it prints:\nb\nbut it printed:\na')
    expect(run(silent, folder)).toContain('does not say what')
    expect(run(missing, folder)).toContain('says it prints:\na')
    expect(run(throws, folder)).toContain('ended with 1')
    expect(run(warns, folder)).toContain('error stream')
  })

  test('a program that does not compile, at the line where it stands', () => {
    expect(compile(folder)).toMatch(/^mistyped\.md~7\.ts\(7,10\): error TS2305: .*$/)
  })
})
