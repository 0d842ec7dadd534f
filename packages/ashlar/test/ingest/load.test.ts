import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { resolveChunkOptions } from '../../src/chunk/chunk-options.ts'
import { pack } from '../../src/chunk/pack.ts'
import { formatOf } from '../../src/ingest/formats.ts'
import { load } from '../../src/ingest/load.ts'
import type { LoadedDocument, Loader } from '../../src/ingest/loader.ts'
import { readInput } from '../../src/ingest/read-input.ts'
import { citePlace } from '../../src/text/place.ts'
import { placeOf } from '../../src/text/position-map.ts'
import { zipArchive } from './zip-archive.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

async function loadOne(name: string, contents: string | Uint8Array): Promise<LoadedDocument> {
  const [document] = await load({ name, bytes: typeof contents === 'string' ? bytes(contents) : contents })
  if (document === undefined) throw new Error('nothing was loaded')
  return document
}

function cite({ text, positions }: LoadedDocument, word: string): string {
  expect(text).toContain(word)
  return citePlace(placeOf(positions, text, text.indexOf(word)))
}

const fixture = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../bench/loaders/files/${name}`, import.meta.url)))

const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const relation = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

function docx(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  return zipArchive({ 'word/document.xml': `<w:document ${w}><w:body>${body}</w:body></w:document>`, ...more })
}

function xlsx(sheets: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const names = Object.keys(sheets)
  return zipArchive({
    'xl/workbook.xml': `<workbook><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, index) => relation(`r${index}`, 'worksheet', `worksheets/s${index}.xml`)).join('')}${relation('st', 'styles', 'styles.xml')}</Relationships>`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `xl/worksheets/s${index}.xml`,
        `<worksheet><sheetData>${sheets[name]}</sheetData></worksheet>`,
      ]),
    ),
    ...more,
  })
}

const row = (number: number, ...cells: readonly (string | number)[]): string =>
  `<row r="${number}">${cells.map((cell) => (typeof cell === 'number' ? `<c><v>${cell}</v></c>` : cell === '' ? '<c/>' : `<c t="inlineStr"><is><t>${cell}</t></is></c>`)).join('')}</row>`

describe('files that are text', () => {
  test('are kept to the letter, and their lines are the lines of the file', async () => {
    const text = 'first\r\nsecond\rthird\n'
    const document = await loadOne('notes.txt', text)
    expect(document).toMatchObject({ text, format: 'plain', loader: 'text/1', encoding: 'utf-8', notes: [] })
    expect(cite(document, 'third')).toBe('line 3')
  })

  test('have a title where they say one', async () => {
    expect((await loadOne('a.md', '---\ntitle: "Walls"\n---\n\n# Other')).title).toBe('Walls')
    expect((await loadOne('a.md', '```\n# no\n```\n\n# Yes #\n')).title).toBe('Yes')
    expect((await loadOne('a.md', 'Dry walls\n=========\n')).title).toBe('Dry walls')
    const page = '<html><head><title>Walls &amp;\n stones &ndash; x</title><meta name="author" content="A. Mason"></head></html>'
    expect(await loadOne('a.html', page)).toMatchObject({
      title: 'Walls & stones – x',
      format: 'html',
      metadata: { author: 'A. Mason' },
      text: page,
    })
  })

  test('are well-formed', async () => {
    const { text } = await loadOne('a.txt', Uint8Array.of(0xff, 0xfe, 0x41, 0, 0, 0xd8, 0x42, 0, 0, 0))
    expect(text).toBe('A\ufffdB\ufffd')
  })

  test('say when they are not what they claim', async () => {
    expect((await loadOne('a.json', '{"a": ')).notes).toEqual([expect.stringContaining('not valid JSON')])
    expect(await loadOne('a.pdf', 'just words, no page')).toMatchObject({
      loader: 'text/1',
      notes: [expect.stringContaining('says pdf')],
    })
    expect(await loadOne('a.txt', fixture('chromium-en.pdf'))).toMatchObject({
      loader: 'pdf/1',
      notes: [expect.stringContaining('read as pdf')],
    })
    expect(await loadOne('noext', fixture('costs.xlsx'))).toMatchObject({
      loader: 'xlsx/1',
      notes: [expect.stringContaining('hidden')],
    })
  })

  test('are found by media type, and bytes that are none are refused', async () => {
    const [document] = await load({ name: 'download', bytes: bytes('# x'), mediaType: 'text/markdown; charset=utf-8' })
    expect(document?.loader).toBe('markdown/1')
    await expect(loadOne('a.bin', new Uint8Array(100))).rejects.toMatchObject({ code: 'UNSUPPORTED_FILE' })
    await expect(loadOne('a.doc', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0))).rejects.toThrow(
      'before 2007',
    )
  })

  test('can be cut by their format', async () => {
    for (const name of [
      'manual.html',
      'manual.md',
      'costs.xlsx',
      'records.jsonl',
      'records.json',
      'prices.csv',
      'text-ja-shift_jis.txt',
    ]) {
      const { text, format } = await loadOne(name, fixture(name))
      const chunks = [...pack(text, await formatOf(format), resolveChunkOptions({ size: 60, overlap: 0 }))]
      expect(chunks.length, name).toBeGreaterThan(1)
      for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text)
    }
  })

  test('can be read by a loader of one’s own', async () => {
    const shout: Loader = {
      id: 'shout/1',
      extensions: ['txt'],
      load: async ({ bytes }) => ({
        text: new TextDecoder().decode(bytes).toUpperCase(),
        format: 'plain',
        loader: 'shout/1',
        notes: [],
      }),
    }
    const [document] = await load({ name: 'a.txt', bytes: bytes('quiet') }, { loaders: [shout] })
    expect(document).toMatchObject({ text: 'QUIET', loader: 'shout/1' })
  })
})

describe('Word documents', () => {
  test('keep headings, lists, tables and notes', async () => {
    const numbering =
      '<w:numbering><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>'
    const item = (list: number, level: number): string =>
      `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`
    const document = await loadOne(
      'a.docx',
      docx(
        paragraph('Walls', '<w:pStyle w:val="H1"/>') +
          paragraph('Dig', item(1, 0)) +
          paragraph('deep', item(1, 1)) +
          paragraph('Lay', item(1, 0)) +
          paragraph('loose', item(2, 0)) +
          `<w:tbl><w:tr>${cell('Stone')}${cell('Use')}</w:tr><w:tr>${cell('Granite')}${cell('a|b')}</w:tr></w:tbl>` +
          '<w:p><w:r><w:t xml:space="preserve">Wide </w:t><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>moved</w:t></w:r></w:moveFrom><w:r><w:tab/><w:t>&lt;end&gt; &#x41;</w:t></w:r></w:p>' +
          paragraph('# no heading'),
        {
          'word/styles.xml':
            '<w:styles><w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>',
          'word/numbering.xml': numbering,
          'word/footnotes.xml': `<w:footnotes><w:footnote w:type="separator" w:id="0">${paragraph('-----')}</w:footnote><w:footnote w:id="2">${paragraph('About 70 cm.')}</w:footnote></w:footnotes>`,
          'word/_rels/document.xml.rels': `<Relationships>${relation('1', 'styles', 'styles.xml')}${relation('2', 'numbering', 'numbering.xml')}${relation('3', 'footnotes', 'footnotes.xml')}</Relationships>`,
        },
      ),
    )
    expect(document.text).toBe(
      '# Walls\n\n3. Dig\n    3.a) deep\n4. Lay\n- loose\n\n| Stone | Use |\n| --- | --- |\n| Granite | a\\|b |\n\nWide [^1]\t<end> A\n\n\\# no heading\n\n[^1]: About 70 cm.',
    )
    expect(document.title).toBe('Walls')
    expect([cite(document, 'Walls'), cite(document, 'Lay'), cite(document, 'Granite'), cite(document, 'no heading')]).toEqual([
      'paragraph 1',
      'paragraph 4',
      'paragraph 8',
      'paragraph 11',
    ])
  })

  test('give text boxes and formulas, and never expand an entity', async () => {
    const { text } = await loadOne(
      'a.docx',
      docx(
        '<w:p><w:r><w:t>outer</w:t><mc:AlternateContent><mc:Choice><w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>' +
          '<w:p><m:oMath><m:f><m:num><m:r><m:t>a</m:t></m:r></m:num><m:den><m:r><m:t>b</m:t></m:r></m:den></m:f><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>' +
          paragraph('&bomb;'),
      ),
    )
    expect(text).toBe('outer\n\nbox\n\na/bx^2\n\n&bomb;')
  })

  test('that are damaged, locked or too large say so', async () => {
    await expect(loadOne('a.docx', fixture('manual-pandoc.docx').subarray(0, 5000))).rejects.toMatchObject({
      code: 'DAMAGED_FILE',
    })
    await expect(loadOne('a.docx', zipArchive({ 'word/document.xml': 'x'.repeat(1000) }, 10))).rejects.toMatchObject({
      code: 'DAMAGED_FILE',
    })
    await expect(loadOne('a.docx', zipArchive({ 'word/document.xml': 'x' }, 2 ** 31))).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    })
    const limits = { inflatedBytes: 100 }
    await expect(load({ name: 'a.docx', bytes: fixture('manual-pandoc.docx') }, { limits })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    })
    await expect(
      load({ name: 'a.docx', bytes: fixture('manual-pandoc.docx') }, { limits: { textLength: 50 } }),
    ).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    })
  })
})

describe('workbooks', () => {
  test('have a section a sheet, tables with headers, and the way back to each cell', async () => {
    const document = await loadOne(
      'a.xlsx',
      xlsx({
        Costs:
          row(2, 'Costs of a wall') +
          row(4, 'Item', 'Sum') +
          row(5, 'stone', 12) +
          row(6, 'a|b', 3) +
          row(9, 1, 2) +
          row(10, 3, 4),
        'Second one': row(1, 'only text'),
      }),
    )
    expect(document.text).toBe(
      '# Costs\n\nCosts of a wall\n\n| Item | Sum |\n| --- | --- |\n| stone | 12 |\n| a\\|b | 3 |\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n# Second one\n\nonly text\n',
    )
    expect(['Costs of', 'Sum', 'stone', '12', 'b |', '4 |', 'only'].map((word) => cite(document, word))).toEqual([
      'Costs!A2',
      'Costs!B4',
      'Costs!A5',
      'Costs!B5',
      'Costs!A6',
      'Costs!B10',
      "'Second one'!A1",
    ])
  })

  test('say what is too large or missing', async () => {
    const limits = { cells: 2 }
    await expect(load({ name: 'a.xlsx', bytes: xlsx({ A: row(1, 1, 2, 3) }) }, { limits })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
    })
    await expect(loadOne('a.xlsx', zipArchive({ 'xl/workbook.xml': '<workbook/>' }))).rejects.toMatchObject({
      code: 'DAMAGED_FILE',
    })
  })
})

describe('PDF', () => {
  test('has pages, a title and joined words', async () => {
    const document = await loadOne('a.pdf', fixture('columns-chromium.pdf'))
    expect(document).toMatchObject({ title: 'Dry stone walls', format: 'plain', language: { code: 'en' } })
    expect(cite(document, 'M01x')).toBe('page 1')
    expect(document.text).not.toMatch(/\p{L}-\n\p{Ll}/u)
  })

  test('of too many pages, or broken, says so', async () => {
    await expect(load({ name: 'a.pdf', bytes: fixture('long-chromium.pdf') }, { limits: { pages: 3 } })).rejects.toMatchObject({
      code: 'FILE_TOO_LARGE',
      details: { what: 'pages', limit: 3 },
    })
    await expect(loadOne('a.pdf', '%PDF-1.7\nnothing')).rejects.toMatchObject({ code: 'DAMAGED_FILE' })
  })

  test('leaves the caller’s bytes alone', async () => {
    const own = fixture('chromium-en.pdf')
    await loadOne('a.pdf', own)
    expect(own.length).toBeGreaterThan(1000)
  })
})

describe('notebooks', () => {
  test('are markdown with the way back to cell and line', async () => {
    const notebook = {
      cells: [
        { cell_type: 'markdown', source: ['# Walls\n', '\n', 'about them'] },
        {
          cell_type: 'code',
          source: 'x = "```"\nprint(x)',
          outputs: [
            { output_type: 'stream', text: ['```\n', '\u001b[31mred\u001b[0m\n'] },
            { output_type: 'execute_result', data: { 'text/plain': '42' } },
            { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure size 1x1>' } },
          ],
        },
      ],
      metadata: { language_info: { name: 'python' } },
    }
    const document = await loadOne('a.ipynb', JSON.stringify(notebook))
    expect(document.text).toBe('# Walls\n\nabout them\n\n````python\nx = "```"\nprint(x)\n````\n\n````\n```\nred\n42\n````')
    expect([cite(document, 'about'), cite(document, 'print'), cite(document, '42')]).toEqual([
      'cell 1, line 3',
      'cell 2, line 2',
      'output of cell 2, line 3',
    ])
    expect(document).toMatchObject({ title: 'Walls', notes: ['1 output has no text, such as images.'] })
  })

  test('that are none say so', async () => {
    for (const text of ['[]', '{}', 'x', '{"cells": 1}'])
      await expect(loadOne('a.ipynb', text)).rejects.toMatchObject({ code: 'DAMAGED_FILE' })
  })
})

describe('a file, a blob, a stream', () => {
  test('is read with its name and type', async () => {
    const file = new File(['# x'], 'a.md', { type: 'text/markdown' })
    expect(await readInput(file)).toEqual({ name: 'a.md', mediaType: 'text/markdown', bytes: bytes('# x') })
    expect((await readInput(new Blob(['ab']).stream(), { name: 'a.txt' })).bytes).toEqual(bytes('ab'))
    expect((await readInput(bytes('ab').buffer as ArrayBuffer, { name: 'a.txt' })).bytes).toEqual(bytes('ab'))
  })

  test('is not read beyond the limit', async () => {
    let given = 0
    const endless = (async function* () {
      for (;;) {
        given++
        yield new Uint8Array(100)
      }
    })()
    await expect(readInput(endless, { name: 'a', limits: { bytes: 1000 } })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    expect(given).toBe(11)
    await expect(readInput(new Blob(['abc']), { limits: { bytes: 2 } })).rejects.toMatchObject({ code: 'FILE_TOO_LARGE' })
    await expect(readInput(new Blob(['abc']), { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
