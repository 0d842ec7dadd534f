import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { deepestNesting } from '../../src/chunk/markdown-container.ts'
import { longestHeldBack } from '../../src/chunk/markdown-scan-state.ts'
import { type Seam, strength } from '../../src/chunk/seam.ts'
import { fastest } from '../fastest.ts'
import { anyTexts } from './markdown-texts.ts'

const seamsOf = (text: string): Seam[] => [...markdown.seams(text)]

/** Each seam as `kind strength "what the unit or, without one, the line is"`. */
function outlined(text: string): string[] {
  return seamsOf(text).map(({ kind, strength, at, end }) => {
    const line = text.indexOf('\n', at)
    return `${kind} ${strength} ${JSON.stringify(text.slice(at, end ?? (line < 0 ? text.length : line + 1)))}`
  })
}

describe('markdown', () => {
  test('cuts before headings most willingly, and hardly between a heading and its text', () => {
    const text = '# One\n\ntext\n\n## Two ##\n### Three\n\n- a\n\nSetext *one*\ngoes on\n===\n\nSetext two\n---\n\nmore\n'
    expect(outlined(text)).toEqual([
      'heading 96 "# One\\n"',
      'paragraph 5 "text\\n"',
      'heading 94 "## Two ##\\n"',
      'heading 92 "### Three\\n"',
      'list 5 "- a\\n"',
      'item 5 "- a\\n"',
      'heading 96 "Setext *one*\\ngoes on\\n===\\n"',
      'heading 94 "Setext two\\n---\\n"',
      'paragraph 5 "more\\n"',
    ])
    const headings = seamsOf(text).flatMap(({ heading }) => heading ?? [])
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual([
      '1 One',
      '2 Two',
      '3 Three',
      '1 Setext *one* goes on',
      '2 Setext two',
    ])
  })

  test.each([
    ['# a', 'a'],
    ['#\ta \t', 'a'],
    ['# a #b', 'a #b'],
    ['# a ##  ', 'a'],
    ['# a#', 'a#'],
    ['# a \\#', 'a \\#'],
    ['# #', ''],
    ['#', ''],
    ['  ### ###  a  ###', '###  a'],
  ])('takes the title of %j without its signs', (text, title) => {
    expect(seamsOf(text)[0]?.heading?.title).toBe(title)
  })

  test('cuts a title off at 1,000 code units, between two code points', () => {
    expect(seamsOf(`# ${'a'.repeat(999)}😀`)[0]?.heading?.title).toBe('a'.repeat(999))
    expect(seamsOf(`${'a\n'.repeat(5000)}===`)[0]?.heading?.title).toHaveLength(999)
  })

  test('keeps headings of quotes and items out of the outline', () => {
    expect(seamsOf('> # a\n> b\n\n- # c\n').some(({ heading }) => heading !== undefined)).toBe(false)
  })

  test('holds text to its heading across a comment', () => {
    expect(outlined('# a\n<!-- toc -->\n\nb\n\nc\n')).toEqual([
      'heading 96 "# a\\n"',
      'html 5 "<!-- toc -->\\n"',
      'paragraph 5 "b\\n"',
      'paragraph 70 "c\\n"',
    ])
  })

  test('makes lists, items and what they hold units, weaker the deeper they are', () => {
    const text = 'a\n\n- b\n- c\n  - d\n\n    ```\n    e\n    ```\n  - f\n\n  g\n\nh\n'
    expect(outlined(text)).toEqual([
      'paragraph 70 "a\\n"',
      'list 70 "- b\\n- c\\n  - d\\n\\n    ```\\n    e\\n    ```\\n  - f\\n\\n  g\\n"',
      'item 70 "- b\\n"',
      'item 60 "- c\\n  - d\\n\\n    ```\\n    e\\n    ```\\n  - f\\n\\n  g\\n"',
      'list 59 "  - d\\n\\n    ```\\n    e\\n    ```\\n  - f\\n"',
      'item 59 "  - d\\n\\n    ```\\n    e\\n    ```\\n"',
      'fence 57 "    ```\\n    e\\n    ```\\n"',
      'item 58 "  - f\\n"',
      'paragraph 59 "  g\\n"',
      'paragraph 70 "h\\n"',
    ])
  })

  test('gives a table its header and holds the first row to it', () => {
    const text = 'Prices:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nend\n'
    expect(outlined(text)).toEqual([
      'paragraph 70 "Prices:\\n"',
      'table 66 "| a | b |\\n|---|---|\\n| 1 | 2 |\\n| 3 | 4 |\\n"',
      'row 5 "| 1 | 2 |\\n"',
      'row 60 "| 3 | 4 |\\n"',
      'paragraph 70 "end\\n"',
    ])
    const header = seamsOf(text).find(({ kind }) => kind === 'table')?.header
    expect(text.slice(header?.start, header?.end)).toBe('| a | b |\n|---|---|\n')
  })

  test('knows front matter, breaks, formulas, quotes, HTML, footnotes and definitions', () => {
    const text =
      '---\nt: 1\n---\na\n\n***\n\n$$\nx\n\ny\n$$\n\n> q\n>\n> r\n\n<div>\n\n[^1]: note\n\n    more\n\n[^2]: two\n\n    code\n\n[b]: c\n[d]: e\n  "f"\n'
    expect(outlined(text)).toEqual([
      'frontmatter 70 "---\\nt: 1\\n---\\n"',
      'paragraph 84 "a\\n"',
      'break 84 "***\\n"',
      'math 70 "$$\\nx\\n\\ny\\n$$\\n"',
      'quote 70 "> q\\n>\\n> r\\n"',
      'paragraph 59 "> r\\n"',
      'html 70 "<div>\\n"',
      'footnote 70 "[^1]: note\\n\\n    more\\n"',
      'paragraph 59 "    more\\n"',
      'footnote 60 "[^2]: two\\n\\n    code\\n"',
      'paragraph 59 "    code\\n"',
      'definition 70 "[b]: c\\n"',
      'definition 60 "[d]: e\\n"',
    ])
    expect(seamsOf('+++\na = 1\n+++\nb')[0]).toMatchObject({ kind: 'frontmatter', end: 14 })
  })

  test('says how to go on: by sentences in prose, by lines in code, by words in tables', () => {
    const text = 'p\n\n- i\n\n- ```\n  x\n  ```\n\n> q\n\n    c\n\n| a |\n|---|\n| b |\n'
    expect(seamsOf(text).map(({ kind, inside }) => `${kind} ${inside}`)).toEqual([
      'paragraph prose',
      'list prose',
      'item prose',
      'item lines',
      'fence lines',
      'quote prose',
      'code lines',
      'table words',
      'row words',
    ])
  })

  test('prefers to cut before the paragraph that introduces something', () => {
    for (const introduction of ['as follows:', '**As follows:**', '如下：']) {
      expect(seamsOf(`${introduction}\n\n- a\n`)[1]).toMatchObject({ kind: 'list', strength: strength.block - 4 })
    }
    expect(seamsOf('as follows.\n\n- a\n')[1]).toMatchObject({ kind: 'list', strength: strength.block })
    expect(seamsOf('as follows:\n\nb\n')[1]).toMatchObject({ kind: 'paragraph', strength: strength.block })
  })

  test('reads LF, CRLF and CR alike', () => {
    const shape = (text: string): string[] => {
      const line = (at: number): number => [...text.slice(0, at).matchAll(/\r\n|\r|\n/g)].length
      return seamsOf(text).map(
        ({ kind, at, end, strength }) => `${kind} ${line(at)} ${end === undefined ? '' : line(end)} ${strength}`,
      )
    }
    fc.assert(
      fc.property(anyTexts, (any) => {
        const text = any.replaceAll('\r', '')
        expect(shape(text.replaceAll('\n', '\r\n'))).toEqual(shape(text))
        expect(shape(text.replaceAll('\n', '\r'))).toEqual(shape(text))
      }),
    )
  })

  test('reads past a byte order mark', () => {
    expect(outlined('\uFEFF# a\nb\n')).toEqual(['heading 96 "\uFEFF# a\\n"', 'paragraph 5 "b\\n"'])
    expect(outlined('\uFEFF---\na: b\n---\n')).toEqual(['frontmatter 70 "\uFEFF---\\na: b\\n---\\n"'])
    expect(outlined('\uFEFF\ta\n')).toEqual(['code 70 "\uFEFF\\ta\\n"'])
  })

  test('gives rising seams at line starts and units that lie in each other, whatever the text', () => {
    fc.assert(
      fc.property(anyTexts, (text) => {
        const open: number[] = []
        let last = 0
        for (const { at, end } of markdown.seams(text)) {
          expect(at).toBeGreaterThanOrEqual(last)
          expect(at).toBeLessThan(text.length)
          expect(isLineStart(text, at)).toBe(true)
          last = at
          while (open.length > 0 && (open.at(-1) as number) <= at) open.pop()
          if (end === undefined) continue
          expect(end).toBeGreaterThan(at)
          expect(end).toBeLessThanOrEqual(open.at(-1) ?? text.length)
          expect(end === text.length || isLineStart(text, end)).toBe(true)
          open.push(end)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('follows nesting down to a depth, and takes the rest for text', () => {
    expect(seamsOf(`${'> '.repeat(1000)}a`)).toHaveLength(deepestNesting)
    expect(seamsOf(`${'- '.repeat(1000)}a`)).toHaveLength(2 * deepestNesting)
    expect(seamsOf(`${'>'.repeat(1000)}a\n${'>'.repeat(1000)}b\nc\n\nd`).at(-1)).toMatchObject({
      kind: 'paragraph',
      strength: 70,
    })
  })

  test('gives out a very long table while reading it, and corrects its end', () => {
    const row = '| some cell | another cell |\n'
    const rows = Math.ceil((3 * longestHeldBack) / row.length)
    const text = `| a | b |\n|---|---|\n${row.repeat(rows)}\nend\n`
    const tableEnd = text.length - 5
    let table: Seam | undefined
    let read = 0
    for (const seam of markdown.seams(text)) {
      if (seam.kind === 'table') table = seam
      else if (seam.kind === 'row') {
        read++
        // Whoever stands before this seam must still find itself in the table.
        expect(table?.end).toBeGreaterThanOrEqual(seam.at)
        expect(table?.end).toBeLessThanOrEqual(tableEnd)
      } else expect(seam).toMatchObject({ kind: 'paragraph', at: tableEnd + 1 })
    }
    expect(read).toBe(rows)
    expect(table?.end).toBe(tableEnd)
  })

  test('finds definitions alike in a paragraph of many lines', () => {
    const part = '[a]: b\n[c]:\nd\n"e\nf"\n[g]: <h>\n  (i)\n'
    const kinds = (count: number, rest: string): string =>
      seamsOf(part.repeat(count) + rest)
        .map(({ kind }) => kind)
        .join(' ')
        .replaceAll('definition definition definition', 'part')
    for (const rest of ['', 'text\n', 'text\n===\n', '[x]: y "\n[z]: z\n', '> [z]: z\n', '| a |\n|---|\n']) {
      const one = kinds(1, rest)
      expect(kinds(3000, rest)).toBe(`${'part '.repeat(2999)}${one}`)
    }
    expect(kinds(3000, '').trim()).toBe('part '.repeat(3000).trim())
  })

  test('gives a very long list the same seams as a short one', () => {
    const item = '- one\n  - two\n\n    three\n'
    const many = Math.ceil((2.5 * longestHeldBack) / item.length)
    const whole = seamsOf(`> x\n\n${item.repeat(many)}`)
    const few = seamsOf(`> x\n\n${item.repeat(3)}`)
    expect(whole).toHaveLength(1 + 1 + 4 * many)
    expect(whole[1]).toMatchObject({ kind: 'list', end: expect.toSatisfy((end: number) => end > longestHeldBack) })
    const strip = ({ kind, at, end, strength, inside }: Seam, from: number): unknown => ({
      kind,
      at: at - from,
      end: end === undefined ? undefined : end - from,
      strength,
      inside,
    })
    const expected = few.slice(6, 10).map((seam) => strip(seam, few[6]?.at ?? 0))
    for (let index = 6; index + 4 <= whole.length; index += 4) {
      const from = whole[index]?.at ?? 0
      const found = whole.slice(index, index + 4).map((seam) => strip(seam, from))
      if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected)
    }
  })

  test('keeps to linear time on texts made to hurt', () => {
    const size = 500_000
    const fill = (part: string): string => part.repeat(Math.ceil(size / part.length))
    const texts = [
      ...['>', '> ', '- ', '- * + ', '[', '[^a]: ', '1. ', '* ', '_ ', '<', '`', '|', '\\', ' ', '\t', '\0', 'a '].map((part) =>
        fill(part),
      ),
      ...['- ', '* ', '*   - '].map((part) => `${fill(part)}a`),
      ...['a\n', '\n', '\r', '> a\n', '- a\n', '-\n\n', '[a]:\n', '[a]: b\n"c\n', '[a]: b "c\n\n', '[[[[\n'].map((part) =>
        fill(part),
      ),
      ...['a|b\n|-|-|-\n', '|-|-|-\n', 'a\n===\n', '    a\n', '<a b="\n\n', '> <!--\n\n', '```a`\n', '# a\n'].map((part) =>
        fill(part),
      ),
      ...['---\n', '```\n', '$$\n', '<!--\n', '<pre>\n', '[a]: b "\n', '> a\n'].map((start) => start + fill('b\n')),
      `${'- '.repeat(100)}a\n${fill('\n')}`,
      `> ${'- '.repeat(99)}a\n${fill('>\n')}`,
      `|${fill('a|')}\n|${fill('-|')}\n|${fill('b|')}`,
      `[a]: ${fill('(')}`,
      `<a${fill(' a')}`,
      `${fill('a\n')}===`,
    ]
    for (const text of texts) {
      let count = 0
      const seconds = fastest(() => {
        for (const _ of markdown.seams(text)) count++
      }, 1)
      // A quadratic step would take minutes; the bound leaves room for a busy machine.
      expect(seconds, `${JSON.stringify(text.slice(0, 20))}, ${count} seams`).toBeLessThan(5)
    }
  })
})

function isLineStart(text: string, at: number): boolean {
  if (at === 0) return true
  const before = text[at - 1]
  return before === '\n' || (before === '\r' && text[at] !== '\n')
}
