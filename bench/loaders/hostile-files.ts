import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { openRandom, type Random } from '../inputs/random.ts'

/** A file made to hurt, and what must come of it. */
export interface HostileFile {
  readonly name: string
  readonly family: string
  readonly bytes: Uint8Array
  /** Codes of which one must be given; `read` where the file may as well be read. */
  readonly allowed: readonly string[]
}

const encoder = new TextEncoder()
const bytesOf = (text: string): Uint8Array => encoder.encode(text)

interface Entry {
  readonly name: string
  readonly data: Uint8Array
  readonly method?: number
  /** What the directory says of its size, where that is not true. */
  readonly claimed?: number
  readonly encrypted?: boolean
}

/** A zip archive; checksums are left at zero, as readers of office files do not look at them. */
function zip(entries: readonly Entry[]): Uint8Array {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, data, method = 8, claimed, encrypted = false } of entries) {
    const packed = method === 8 ? deflateRawSync(data, { level: 9 }) : data
    const path = bytesOf(name)
    const local = new DataView(new ArrayBuffer(30))
    local.setUint32(0, 0x04034b50, true)
    local.setUint16(4, 20, true)
    local.setUint16(6, encrypted ? 1 : 0, true)
    local.setUint16(8, method, true)
    local.setUint32(18, packed.length, true)
    local.setUint32(22, claimed ?? data.length, true)
    local.setUint16(26, path.length, true)
    const central = new DataView(new ArrayBuffer(46))
    central.setUint32(0, 0x02014b50, true)
    central.setUint16(6, 20, true)
    central.setUint16(8, encrypted ? 1 : 0, true)
    central.setUint16(10, method, true)
    central.setUint32(20, packed.length, true)
    central.setUint32(24, claimed ?? data.length, true)
    central.setUint16(28, path.length, true)
    central.setUint32(42, at, true)
    parts.push(new Uint8Array(local.buffer), path, packed)
    directory.push(new Uint8Array(central.buffer), path)
    at += 30 + path.length + packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, entries.length, true)
  end.setUint16(10, entries.length, true)
  end.setUint32(12, size, true)
  end.setUint32(16, at, true)
  return joined([...parts, ...directory, new Uint8Array(end.buffer)])
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

function docx(document: string | Uint8Array, more: readonly Entry[] = [], claimed?: number): Uint8Array {
  const data = typeof document === 'string' ? bytesOf(document) : document
  return zip([{ name: 'word/document.xml', data, ...(claimed === undefined ? {} : { claimed }) }, ...more])
}

function xlsx(sheet: string | Uint8Array, more: readonly Entry[] = [], claimed?: number): Uint8Array {
  const data = typeof sheet === 'string' ? bytesOf(sheet) : sheet
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  return zip([
    { name: 'xl/workbook.xml', data: bytesOf('<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>') },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: bytesOf(
        `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
      ),
    },
    { name: 'xl/worksheets/sheet1.xml', data, ...(claimed === undefined ? {} : { claimed }) },
    ...more,
  ])
}

/** A PDF of numbered objects, with a cross-reference table. */
function pdf(objects: readonly (string | Uint8Array)[], trailer = '/Root 1 0 R'): Uint8Array {
  const parts: Uint8Array[] = [bytesOf('%PDF-1.7\n')]
  const starts: number[] = []
  let at = 9
  objects.forEach((object, index) => {
    starts.push(at)
    const body = joined([
      bytesOf(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? bytesOf(object) : object,
      bytesOf('\nendobj\n'),
    ])
    parts.push(body)
    at += body.length
  })
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    bytesOf(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  )
  return joined(parts)
}

function stream(data: Uint8Array, entries = ''): Uint8Array {
  return joined([bytesOf(`<< /Length ${data.length} ${entries} >>\nstream\n`), data, bytesOf('\nendstream')])
}

const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

function pdfWithPage(contents: Uint8Array, entries = ''): Uint8Array {
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >>',
    font,
    stream(contents, entries),
  ])
}

const large = ['FILE_TOO_LARGE']
const broken = ['DAMAGED_FILE']
const brokenOrLarge = ['DAMAGED_FILE', 'FILE_TOO_LARGE']
const stopped = ['FILE_TOO_LARGE', 'DAMAGED_FILE', 'LOADER_TIMED_OUT', 'LOADER_DIED']
const anything = ['read', 'UNSUPPORTED_FILE', 'ENCRYPTED_FILE', ...stopped]

/** Every hostile file, the same ones each time; `scale` makes the large ones smaller. */
export function* hostileFiles(mutations: number, scale = 1): Generator<HostileFile> {
  yield* bombs(scale)
  yield* pdfs(scale)
  yield* nested(scale)
  yield* encrypted()
  yield* misnamed()
  yield* texts(scale)
  yield* truncated()
  yield* mutated(mutations)
}

function* bombs(scale: number): Generator<HostileFile> {
  const family = 'bomb'
  const zeros = new Uint8Array(64 * 2 ** 20 * scale)
  const spaces = new Uint8Array(200 * 2 ** 20 * scale).fill(32)
  yield { family, name: 'claims.docx', bytes: docx(new Uint8Array(10), [], 2 ** 31), allowed: large }
  yield { family, name: 'claims.xlsx', bytes: xlsx(new Uint8Array(10), [], 2 ** 31), allowed: large }
  yield { family, name: 'flat.docx', bytes: docx(spaces), allowed: ['read', ...large] }
  yield { family, name: 'flat.xlsx', bytes: xlsx(spaces), allowed: ['read', ...large] }
  yield { family, name: 'lies.docx', bytes: docx(zeros, [], 100), allowed: broken }
  yield { family, name: 'lies.xlsx', bytes: xlsx(zeros, [], 100), allowed: broken }
  let nest = zip([{ name: 'bomb', data: zeros }])
  for (let depth = 0; depth < 8; depth++)
    nest = zip(Array.from({ length: 4 }, (_, index) => ({ name: `${index}.zip`, data: nest })))
  yield { family, name: 'nested.zip', bytes: nest, allowed: ['UNSUPPORTED_FILE'] }
  yield {
    family,
    name: 'nested.docx',
    bytes: docx('<w:document/>', [{ name: 'word/nested.zip', data: nest }]),
    allowed: ['read'],
  }
  const many = Array.from({ length: 70_000 }, (_, index) => ({
    name: `word/part${index}.xml`,
    data: new Uint8Array(0),
    method: 0,
  }))
  yield { family, name: 'many-parts.docx', bytes: docx('<w:document/>', many), allowed: ['read', ...brokenOrLarge] }
  const cells = `<worksheet><sheetData><row r="1">${'<c><v>1</v></c>'.repeat(6_000_000 * scale)}</row></sheetData></worksheet>`
  yield { family, name: 'cells.xlsx', bytes: xlsx(cells), allowed: ['read', ...stopped] }
  yield {
    family,
    name: 'merges.xlsx',
    bytes: xlsx(
      `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>x</v></c></row></sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(20_000)}</mergeCells></worksheet>`,
    ),
    allowed: ['read', ...stopped],
  }
  yield {
    family,
    name: 'far.xlsx',
    bytes: xlsx(
      '<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>',
    ),
    allowed: ['read'],
  }
  const laughs = Array.from({ length: 12 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`).join('')
  const entities = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>`
  yield {
    family,
    name: 'entities.docx',
    bytes: docx(`${entities}<w:document ${word}><w:p><w:r><w:t>&l12;</w:t></w:r></w:p></w:document>`),
    allowed: ['read'],
  }
  yield {
    family,
    name: 'entities.xlsx',
    bytes: xlsx(`${entities}<worksheet><sheetData><row r="1"><c t="str"><v>&l12;</v></c></row></sheetData></worksheet>`),
    allowed: ['read'],
  }
  yield {
    family,
    name: 'outside.docx',
    bytes: docx(
      `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><w:document ${word}><w:p><w:r><w:t>&f;</w:t></w:r></w:p></w:document>`,
    ),
    allowed: ['read'],
  }
  for (const [name, code] of [
    ['huge-number.xlsx', '0'.repeat(100_000)],
    ['odd-format.xlsx', '[h]:[m]:ss;"'],
    ['fraction.xlsx', '# ?????????/?????????'],
  ] as const) {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${code.replaceAll('"', '&quot;')}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`
    yield {
      family,
      name,
      bytes: xlsx(
        '<worksheet><sheetData><row r="1"><c s="0"><v>1e308</v></c><c s="0"><v>-0.333</v></c></row></sheetData></worksheet>',
        [{ name: 'xl/styles.xml', data: bytesOf(styles) }],
      ),
      allowed: ['read', ...stopped],
    }
  }
}

function* pdfs(scale: number): Generator<HostileFile> {
  const family = 'pdf'
  const pages = 100_000
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(' ')
  yield {
    family,
    name: 'pages.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R >>'),
    ]),
    allowed: large,
  }
  yield {
    family,
    name: 'claims-pages.pdf',
    bytes: pdf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
    allowed: stopped,
  }
  yield {
    family,
    name: 'cycle-pages.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 5 >>',
      '<< /Type /Pages /Kids [2 0 R] /Count 5 /Parent 2 0 R >>',
    ]),
    allowed: ['read', ...stopped],
  }
  yield { family, name: 'cycle-self.pdf', bytes: pdf(['1 0 R']), allowed: stopped }
  yield {
    family,
    name: 'cycle-length.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>',
      '<< /Length 4 0 R >>\nstream\nBT (x) Tj ET\nendstream',
    ]),
    allowed: ['read', ...stopped],
  }
  const form = '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>'
  yield {
    family,
    name: 'cycle-form.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Contents 4 0 R >>',
      stream(bytesOf('/X Do')),
      stream(bytesOf('/X Do /X Do'), form.slice(2)),
    ]),
    allowed: ['read', ...stopped],
  }
  const bomb = deflateSync(new Uint8Array(400 * 2 ** 20 * scale).fill(32), { level: 9 })
  yield { family, name: 'stream-bomb.pdf', bytes: pdfWithPage(bomb, '/Filter /FlateDecode'), allowed: ['read', ...stopped] }
  yield {
    family,
    name: 'stream-bomb-twice.pdf',
    bytes: pdfWithPage(
      deflateSync(deflateSync(new Uint8Array(900 * 2 ** 20 * scale).fill(32), { level: 9 })),
      '/Filter [/FlateDecode /FlateDecode]',
    ),
    allowed: ['read', ...stopped],
  }
  yield {
    family,
    name: 'text-bomb.pdf',
    bytes: pdfWithPage(
      deflateSync(bytesOf(`BT /F 9 Tf ${'(stone wall) Tj '.repeat(3_000_000 * scale)} ET`)),
      '/Filter /FlateDecode',
    ),
    allowed: ['read', ...stopped],
  }
  yield {
    family,
    name: 'deep-array.pdf',
    bytes: pdf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count 1 /Kids [3 0 R] /X ${'['.repeat(200_000 * scale)} >>`,
      '<< /Type /Page >>',
    ]),
    allowed: ['read', ...stopped],
  }
  yield {
    family,
    name: 'deep-states.pdf',
    bytes: pdfWithPage(bytesOf(`${'q '.repeat(500_000 * scale)}BT /F 9 Tf (x) Tj ET`)),
    allowed: ['read', ...stopped],
  }
  yield { family, name: 'only-header.pdf', bytes: bytesOf('%PDF-1.7\n'), allowed: broken }
  yield {
    family,
    name: 'no-objects.pdf',
    bytes: bytesOf('%PDF-1.7\ntrailer << /Root 9 0 R >>\nstartxref\n5\n%%EOF'),
    allowed: broken,
  }
  yield { family, name: 'scan.pdf', bytes: pdfWithPage(bytesOf('0 0 300 300 re f')), allowed: ['read'] }
  for (const version of [1, 2, 4]) {
    const key = `/Filter /Standard /V ${version} /R ${version + 1} /Length 128 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}>`
    const filters =
      version === 4 ? ' /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >> /StmF /StdCF /StrF /StdCF' : ''
    yield {
      family: 'encrypted',
      name: `password-v${version}.pdf`,
      bytes: pdf(
        ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>', `<< ${key}${filters} >>`],
        `/Root 1 0 R /Encrypt 3 0 R /ID [<${'00'.repeat(16)}> <${'00'.repeat(16)}>]`,
      ),
      allowed: ['ENCRYPTED_FILE'],
    }
  }
}

function* nested(scale: number): Generator<HostileFile> {
  const family = 'deep'
  for (const depth of [1000, 100_000, 2_000_000 * scale]) {
    yield {
      family,
      name: `deep-${depth}.json`,
      bytes: bytesOf('['.repeat(depth) + ']'.repeat(depth)),
      allowed: ['read', ...stopped],
    }
    yield { family, name: `deep-${depth}.html`, bytes: bytesOf('<div>'.repeat(depth) + 'x'), allowed: ['read', ...stopped] }
    yield {
      family,
      name: `deep-${depth}.ipynb`,
      bytes: bytesOf(`{"cells": ${'['.repeat(depth)}${']'.repeat(depth)}}`),
      allowed: ['read', ...stopped],
    }
    yield {
      family,
      name: `deep-objects-${depth}.ipynb`,
      bytes: bytesOf(`${'{"cells":'.repeat(depth)}1${'}'.repeat(depth)}`),
      allowed: ['read', ...stopped],
    }
    yield {
      family,
      name: `deep-tables-${depth}.docx`,
      bytes: docx(
        `<w:document ${word}>${'<w:tbl><w:tr><w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(depth / 10)}</w:document>`,
      ),
      allowed: ['read', ...stopped],
    }
    yield {
      family,
      name: `deep-boxes-${depth}.docx`,
      bytes: docx(`<w:document ${word}>${'<w:p><w:r><w:t>x</w:t><w:txbxContent>'.repeat(depth / 10)}</w:document>`),
      allowed: ['read', ...stopped],
    }
    yield {
      family,
      name: `deep-elements-${depth}.xlsx`,
      bytes: xlsx(`<worksheet>${'<sheetData>'.repeat(depth)}</worksheet>`),
      allowed: ['read', ...stopped],
    }
    yield { family, name: `deep-quotes-${depth}.md`, bytes: bytesOf(`${'>'.repeat(depth)} x`), allowed: ['read', ...stopped] }
  }
  const styles = Array.from(
    { length: 1000 },
    (_, index) => `<w:style w:type="paragraph" w:styleId="s${index}"><w:basedOn w:val="s${(index + 1) % 1000}"/></w:style>`,
  ).join('')
  const relations = '<Relationships><Relationship Id="r" Type="x/styles" Target="styles.xml"/></Relationships>'
  yield {
    family,
    name: 'cyclic-styles.docx',
    bytes: docx(
      `<w:document ${word}>${'<w:p><w:pPr><w:pStyle w:val="s1"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>'.repeat(1000)}</w:document>`,
      [
        { name: 'word/styles.xml', data: bytesOf(`<w:styles>${styles}</w:styles>`) },
        { name: 'word/_rels/document.xml.rels', data: bytesOf(relations) },
      ],
    ),
    allowed: ['read'],
  }
}

function* encrypted(): Generator<HostileFile> {
  const family = 'encrypted'
  for (const name of readdirSync(fileURLToPath(locked)).toSorted()) {
    // One may be read without a password, and only not be printed.
    const allowed = name === 'no-printing.pdf' ? ['read'] : ['ENCRYPTED_FILE']
    yield { family, name: `locked-${name}`, bytes: new Uint8Array(readFileSync(new URL(name, locked))), allowed }
  }
  // A compound file that holds an encrypted package, as Office writes a document with a password.
  const compound = new Uint8Array(8192)
  compound.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  ;[...'EncryptedPackage'].forEach((letter, index) => {
    compound[1024 + index * 2] = letter.charCodeAt(0)
  })
  for (const name of ['password.docx', 'password.xlsx', 'password'])
    yield { family, name, bytes: compound, allowed: ['ENCRYPTED_FILE'] }
  yield {
    family,
    name: 'zip-password.docx',
    bytes: zip([{ name: 'word/document.xml', data: bytesOf('<x/>'), encrypted: true }]),
    allowed: ['ENCRYPTED_FILE'],
  }
  yield {
    family,
    name: 'zip-password.xlsx',
    bytes: zip([{ name: 'xl/workbook.xml', data: bytesOf('<x/>'), encrypted: true }]),
    allowed: ['ENCRYPTED_FILE'],
  }
  const old = new Uint8Array(4096)
  old.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
  for (const name of ['old.doc', 'old.xls', 'old.docx']) yield { family, name, bytes: old, allowed: ['UNSUPPORTED_FILE'] }
}

/** Every kind under the name of every other. */
function* misnamed(): Generator<HostileFile> {
  const family = 'wrong extension'
  const contents: readonly (readonly [string, Uint8Array])[] = [
    ['text', bytesOf('Plain words about walls.\n')],
    ['html', bytesOf('<!DOCTYPE html><title>x</title><p>Walls</p>')],
    ['json', bytesOf('{"wall": [1, 2]}')],
    ['pdf', fixture('chromium-en.pdf')],
    ['docx', fixture('manual-pandoc.docx')],
    ['xlsx', fixture('costs.xlsx')],
    ['empty', new Uint8Array(0)],
  ]
  for (const [kind, bytes] of contents) {
    for (const extension of ['pdf', 'docx', 'xlsx', 'txt', 'md', 'html', 'csv', 'json', 'jsonl', 'ipynb', 'xyz']) {
      const wrong = extension === 'ipynb' && !['pdf', 'docx', 'xlsx'].includes(kind)
      const hollow = kind === 'empty' && ['pdf', 'docx', 'xlsx'].includes(extension)
      yield { family, name: `${kind}.${extension}`, bytes, allowed: wrong ? broken : hollow ? ['read', ...broken] : ['read'] }
    }
  }
  for (const [name, head] of [
    ['png', [0x89, 0x50, 0x4e, 0x47]],
    ['jpg', [0xff, 0xd8, 0xff, 0xe0]],
    ['gz', [0x1f, 0x8b, 8, 0]],
    ['exe', [0x4d, 0x5a, 0x90, 0]],
    ['mp4', [0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]],
  ] as const) {
    for (const extension of ['txt', 'pdf', 'docx', name])
      yield { family, name: `${name}.${extension}`, bytes: Uint8Array.of(...head, 0, 1, 2, 3), allowed: ['UNSUPPORTED_FILE'] }
  }
}

function* texts(scale: number): Generator<HostileFile> {
  const family = 'text'
  yield { family, name: 'one-line.txt', bytes: bytesOf('stone '.repeat(5_000_000 * scale)), allowed: ['read'] }
  yield { family, name: 'one-word.txt', bytes: bytesOf('s'.repeat(30_000_000 * scale)), allowed: ['read'] }
  yield { family, name: 'one-line.csv', bytes: bytesOf('a,'.repeat(5_000_000 * scale)), allowed: ['read'] }
  yield { family, name: 'open-quote.csv', bytes: bytesOf(`a,"${'b,\n'.repeat(3_000_000 * scale)}`), allowed: ['read'] }
  yield { family, name: 'open-tag.html', bytes: bytesOf(`<title>${'<'.repeat(10_000_000 * scale)}`), allowed: ['read'] }
  yield {
    family,
    name: 'open-comment.html',
    bytes: bytesOf(`<!-- ${'<meta name='.repeat(1_000_000 * scale)}`),
    allowed: ['read'],
  }
  yield { family, name: 'fences.md', bytes: bytesOf('```\n'.repeat(2_000_000 * scale)), allowed: ['read'] }
  yield { family, name: 'front.md', bytes: bytesOf(`---\n${'title: \n'.repeat(1_000_000 * scale)}`), allowed: ['read'] }
  yield {
    family,
    name: 'backslashes.xlsx',
    bytes: xlsx(
      `<worksheet><sheetData><row r="1"><c t="str"><v>${'\\'.repeat(1_000_000 * scale)}|${'\\'.repeat(1_000_000 * scale)}</v></c><c t="str"><v>${' \n'.repeat(500_000 * scale)}x</v></c></row></sheetData></worksheet>`,
    ),
    allowed: ['read'],
  }
  yield {
    family,
    name: 'attributes.docx',
    bytes: docx(`<w:document ${word} ${"a='>' ".repeat(300_000 * scale)}>x</w:document>`),
    allowed: ['read', ...broken],
  }
  yield {
    family,
    name: 'open-quotes.docx',
    bytes: docx(`<w:document>${'<w:p a="> '.repeat(300_000 * scale)}`),
    allowed: ['read', ...broken],
  }
  yield { family, name: 'zeros.txt', bytes: new Uint8Array(1_000_000), allowed: ['UNSUPPORTED_FILE'] }
  yield {
    family,
    name: 'surrogates.txt',
    bytes: Uint8Array.of(0xff, 0xfe, ...Array.from({ length: 1000 }, (_, index) => [0, 0xd8 + (index % 8)]).flat()),
    allowed: ['read'],
  }
  yield { family, name: 'noise.txt', bytes: noise(openRandom(1), 100_000), allowed: ['UNSUPPORTED_FILE'] }
  yield { family, name: 'noise.json', bytes: noise(openRandom(2), 100_000), allowed: ['UNSUPPORTED_FILE'] }
  yield { family, name: `${'long'.repeat(5000)}.pdf`, bytes: bytesOf('%PDF-1.4'), allowed: broken }
  yield { family, name: '../../\u0000\ud800.docx', bytes: docx(''), allowed: ['read', ...broken] }
  yield {
    family,
    name: 'cells.ipynb',
    bytes: bytesOf(
      JSON.stringify({ cells: [null, 1, 'x', {}, { cell_type: 'code', source: 1, outputs: [null, 3, { data: 5 }] }] }),
    ),
    allowed: ['read', ...broken],
  }
  yield {
    family,
    name: 'fences.ipynb',
    bytes: bytesOf(JSON.stringify({ cells: [{ cell_type: 'code', source: '`'.repeat(3_000_000 * scale) }] })),
    allowed: ['read'],
  }
}

function noise(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => Math.floor(random() * 256))
}

const files = new URL('./files/', import.meta.url)
const locked = new URL('./locked/', import.meta.url)

function fixture(name: string): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, files)))
}

const structured = /\.(pdf|docx|xlsx|ipynb)$/

function* truncated(): Generator<HostileFile> {
  for (const name of readdirSync(fileURLToPath(files))
    .toSorted()
    .filter((each) => structured.test(each))) {
    const bytes = fixture(name)
    // What is left of an archive without its directory cannot be read; a PDF can be searched for pages.
    const allowed = name.endsWith('.pdf') ? ['read', ...broken] : broken
    yield { family: 'truncated', name: `half-${name}`, bytes: bytes.subarray(0, bytes.length >> 1), allowed }
    yield { family: 'truncated', name: `nearly-${name}`, bytes: bytes.subarray(0, bytes.length - 40), allowed }
  }
}

/** Real files with some of their bytes changed, moved, repeated or taken out. */
function* mutated(count: number): Generator<HostileFile> {
  const random = openRandom(20_261_115)
  const names = readdirSync(fileURLToPath(files)).toSorted()
  const pick = (below: number): number => Math.floor(random() * below)
  for (let index = 0; index < count; index++) {
    // Half of them are of the kinds that have something to parse.
    const pool = index % 4 === 0 ? names : names.filter((name) => structured.test(name))
    const name = pool[pick(pool.length)] as string
    let bytes = fixture(name)
    for (let change = 1 + pick(12); change > 0; change--) {
      const at = pick(bytes.length)
      const length = 1 + pick(64)
      switch (pick(5)) {
        case 0:
          bytes[at] = pick(256)
          break
        case 1:
          bytes.fill(pick(256), at, at + length)
          break
        case 2:
          bytes = joined([bytes.subarray(0, at), bytes.subarray(at + length)])
          break
        case 3:
          bytes = joined([bytes.subarray(0, at), bytes.subarray(pick(at + 1), at), bytes.subarray(at)]).slice(0, 2_000_000)
          break
        default:
          bytes.copyWithin(at, pick(bytes.length), pick(bytes.length))
      }
      if (bytes.length === 0) bytes = Uint8Array.of(0)
    }
    yield { family: 'mutated', name: `${index}-${name}`, bytes, allowed: anything }
  }
}
