import { openRandom, pick } from './random.ts'

/** A text made to hurt, at any size. */
export interface HostileText {
  readonly name: string
  /** Formats that the text is written for; every format when left out. */
  readonly formats?: readonly string[]
  /** True for the inputs that also go through every counter. */
  readonly counters?: true
  readonly make: (size: number) => string
}

const repeat =
  (piece: string) =>
  (size: number): string =>
    piece.repeat(Math.ceil(size / piece.length))

/** `size` units of the alphabet, in an order that does not repeat. */
const scatter =
  (alphabet: readonly string[]) =>
  (size: number): string => {
    const random = openRandom(7)
    const parts: string[] = []
    for (let length = 0; length < size; ) {
      const part = pick(random, alphabet)
      parts.push(part)
      length += part.length
    }
    return parts.join('')
  }

/** Opens in the first half, closes in the second. */
const nest =
  (open: string, close: string) =>
  (size: number): string => {
    const depth = Math.floor(size / (open.length + close.length))
    return open.repeat(depth) + close.repeat(depth)
  }

/** Lines, each a level deeper than the one before, starting again after `depth`. */
const staircase =
  (mark: string, text: string, depth: number) =>
  (size: number): string => {
    const lines: string[] = []
    for (let length = 0, i = 0; length < size; i++) {
      const line = mark.repeat(i % depth) + text
      lines.push(line)
      length += line.length
    }
    return lines.join('')
  }

/** A first line, then the same row until the size is reached. */
const rows =
  (head: string, row: string, tail = '') =>
  (size: number): string =>
    head + row.repeat(Math.max(1, Math.round((size - head.length) / row.length))) + tail

const columns = 100_000
const range = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i))
const letters = range(0x61, 0x7b)
const base64 = [...letters, ...range(0x41, 0x5b), ...range(0x30, 0x3a), '+', '/']

/** Every input of the hostile bench; the first block is what the issue lists, the rest is what parsers and segmenters fear. */
export const hostileTexts: readonly HostileText[] = [
  { name: 'one letter', counters: true, make: repeat('a') },
  { name: 'base64', counters: true, make: scatter(base64) },
  {
    name: 'words without spaces',
    counters: true,
    make: scatter(['the', 'stone', 'was', 'cut', 'so', 'true', 'that', 'no', 'mortar', 'held', 'it']),
  },
  { name: 'CJK without punctuation', counters: true, make: scatter(range(0x4e00, 0x9fa0)) },
  { name: 'one line of quote marks', make: repeat('> ') },
  { name: 'nested quotes, line by line', counters: true, make: staircase('> ', 'a\n', 400) },
  { name: 'one line of list marks', make: repeat('- ') },
  { name: 'nested lists, line by line', counters: true, make: staircase('  ', '- a\n', 400) },
  { name: 'brackets opened', counters: true, make: repeat('[') },
  { name: 'brackets nested', counters: true, make: nest('[', ']') },
  { name: 'braces nested', make: nest('{"a":', '}') },
  { name: 'tiny lines', counters: true, make: repeat('a\n') },
  { name: 'combining marks', counters: true, make: (size) => `e${'\u0301'.repeat(size)}` },
  {
    name: 'table of 10^5 columns',
    counters: true,
    make: (size) => rows(`|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n`, `|${'b|'.repeat(columns)}\n`)(size),
  },
  {
    name: 'table of 10^5 columns, csv',
    formats: ['csv'],
    make: rows(`${'a,'.repeat(columns)}a\n`, `${'b,'.repeat(columns)}b\n`),
  },
  {
    name: 'table of 10^5 columns, html',
    formats: ['html'],
    make: rows(`<table><tr>${'<th>a</th>'.repeat(columns)}</tr>`, `<tr>${'<td>b</td>'.repeat(columns)}</tr>`, '</table>'),
  },
  {
    name: 'objects of 10^5 keys',
    formats: ['json'],
    make: rows('[0', `,{${Array.from({ length: columns }, (_, i) => `"${i}":1`).join(',')}}`, ']'),
  },

  { name: 'spaces', counters: true, make: repeat(' ') },
  { name: 'line breaks', counters: true, make: repeat('\n') },
  { name: 'CRLF', make: repeat('\r\n') },
  { name: 'tabs', make: repeat('\t') },
  { name: 'NUL', make: repeat('\u0000') },
  { name: 'digits', counters: true, make: repeat('0') },
  { name: 'full stops', counters: true, make: repeat('. ') },
  { name: 'abbreviations', make: repeat('Dr. ') },
  { name: 'initials', make: repeat('A.') },
  { name: 'ellipses', make: repeat('…') },
  { name: 'quotation marks', make: repeat('"') },
  { name: 'brackets after full stops', make: repeat('.)') },
  { name: 'commas', make: repeat(',') },
  { name: 'pipes', make: repeat('|') },
  { name: 'backslashes', make: repeat('\\') },
  { name: 'emoji joined without end', counters: true, make: repeat('👩\u200d') },
  { name: 'flags', counters: true, make: repeat('🇦') },
  { name: 'skin tones', make: repeat('👍🏽') },
  { name: 'lone high surrogates', counters: true, make: repeat('\ud83d') },
  { name: 'lone low surrogates', make: repeat('\ude00') },
  { name: 'Hangul letters', make: repeat('\u1100\u1161') },
  { name: 'Devanagari conjuncts without end', make: repeat('क्') },
  { name: 'Thai', counters: true, make: scatter(range(0x0e01, 0x0e2f)) },
  { name: 'variation selectors', make: (size) => `✔${'\ufe0f'.repeat(size)}` },
  { name: 'zero width joiners', make: repeat('\u200d') },
  { name: 'byte order marks', counters: true, make: repeat('\ufeff') },
  { name: 'special tokens', counters: true, make: repeat('<|endoftext|>') },
  { name: 'backticks', make: repeat('`') },
  { name: 'fences opened', make: repeat('```\n') },
  { name: 'fences, each longer', make: staircase('`', '```\n', 2000) },
  { name: 'asterisks', make: repeat('*') },
  { name: 'emphasis opened', make: repeat('*a **a ') },
  { name: 'heading marks', make: repeat('# ') },
  { name: 'headings', make: repeat('# a\n') },
  { name: 'setext lines', make: repeat('a\n=\n') },
  { name: 'links opened', make: repeat('[a](') },
  { name: 'images nested', make: nest('![', '](a)') },
  { name: 'reference definitions', make: repeat('[a]: b\n') },
  { name: 'footnotes', make: repeat('[^a]: b\n\n    c\n\n') },
  { name: 'formulas opened', make: repeat('$$\n') },
  { name: 'dollars', make: repeat('$') },
  { name: 'tables of one row', make: repeat('|a|\n|-|\n|b|\n') },
  { name: 'delimiter rows', make: repeat('|-|\n') },
  { name: 'front matter marks', make: repeat('---\n') },
  { name: 'ordered list marks', make: staircase('1. ', 'a\n', 300) },
  { name: 'numbers of a list', make: repeat('1.\n') },
  { name: 'less-than signs', make: repeat('<') },
  { name: 'ampersands', make: repeat('&') },
  { name: 'tags opened', make: repeat('<a ') },
  { name: 'comments opened', make: repeat('<!--') },
  { name: 'elements opened', make: repeat('<div>') },
  { name: 'elements nested', make: nest('<div>', '</div>') },
  { name: 'lists nested', formats: ['html', 'markdown'], make: nest('<ul><li>', '</li></ul>') },
  { name: 'tables nested', formats: ['html', 'markdown'], make: nest('<table><tr><td>', '</td></tr></table>') },
  { name: 'formatting never closed', formats: ['html', 'markdown'], make: repeat('<p><b><i><a href=x>a') },
  { name: 'end tags alone', make: repeat('</p>') },
  { name: 'attributes without end', formats: ['html', 'markdown'], make: (size) => `<p ${repeat('a=b ')(size)}` },
  { name: 'one letter in a paragraph', formats: ['html'], make: (size) => `<p>${repeat('a')(size)}</p>` },
  { name: 'entities', formats: ['html', 'markdown'], make: repeat('&amp;') },
  { name: 'script opened', formats: ['html', 'markdown'], make: (size) => `<script>${repeat('a')(size)}` },
  { name: 'CDATA opened', formats: ['html', 'markdown'], make: repeat('<![CDATA[') },
  { name: 'one quoted field', formats: ['csv'], make: (size) => `a,b\n1,"${repeat('a ')(size)}"\n` },
  { name: 'quoted field never closed', formats: ['csv'], make: (size) => `a,b\n1,"${repeat('a\n')(size)}` },
  { name: 'doubled quotes', formats: ['csv'], make: (size) => `a,b\n1,"${repeat('""')(size)}"\n` },
  { name: 'header without end', formats: ['csv'], make: (size) => `${repeat('a b,')(size)}\n1,2\n` },
  { name: 'one string', formats: ['json', 'jsonLines'], make: (size) => `{"a":"${repeat('a ')(size)}"}` },
  { name: 'string of escapes', formats: ['json', 'jsonLines'], make: (size) => `{"a":"${repeat('\\u0061')(size)}"}` },
  { name: 'string never closed', formats: ['json', 'jsonLines'], make: (size) => `{"a":"${repeat('a\\"')(size)}` },
  { name: 'keys nested', formats: ['json', 'jsonLines'], make: (size) => `${nest('{"a":', '}')(size).replace(':}', ':1}')}` },
  { name: 'flat array', formats: ['json', 'jsonLines'], make: (size) => `[0${repeat(',1')(size)}]` },
  { name: 'records of one key', formats: ['json'], make: (size) => `[{"a":1}${repeat(',{"a":1}')(size)}]` },
  { name: 'tiny records', formats: ['jsonLines'], make: repeat('{}\n') },
]
