import { optionalPackage } from '../../model/optional-package.ts'
import type { Metadata } from '../../store/filter.ts'
import { damagedFile, encryptedFile, tooLargeFile } from '../load-failure.ts'
import type { Loader, LoadInput, LoadOptions } from '../loader.ts'
import { PdfLines } from './pdf-lines.ts'
import { joinLines, wordsOfLines } from './pdf-text.ts'

/** How many page numbers a note lists. */
const listed = 12

/**
 * PDF by its text, page by page in the order in which the file has it, with the way back to the page. Words that a line end divides are
 * joined. Pages without text, such as scans, are said; their pictures are not read.
 */
export const pdfLoader: Loader = {
  id: 'pdf/1',
  extensions: ['pdf'],
  mediaTypes: ['application/pdf'],
  recognises: isPdf,
  async load(input, options) {
    const unpdf = await optionalPackage('unpdf', () => import('unpdf'), 'Reading PDF')
    let pdf: PdfDocument
    try {
      // It takes the buffer for itself.
      pdf = await unpdf.getDocumentProxy(input.bytes.slice(), { disableFontFace: true, verbosity: 0 })
    } catch (cause) {
      throw failure(input.name, cause)
    }
    try {
      return await read(pdf, input, options)
    } finally {
      await pdf.loadingTask.destroy().catch(() => undefined)
    }
  },
}

type PdfDocument = Awaited<ReturnType<typeof import('unpdf')['getDocumentProxy']>>

function isPdf(bytes: Uint8Array): boolean {
  const mark = [0x25, 0x50, 0x44, 0x46, 0x2d]
  for (let at = bytes.indexOf(0x25); at >= 0 && at < 1024; at = bytes.indexOf(0x25, at + 1)) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return true
  }
  return false
}

function failure(name: string, cause: unknown): Error {
  const { name: kind, message } = cause as { readonly name?: string; readonly message?: string }
  if (kind === 'PasswordException') return encryptedFile(name, cause)
  return damagedFile(name, `it cannot be opened as PDF (${String(message).slice(0, 120).toWellFormed()})`, cause)
}

async function read(pdf: PdfDocument, { name }: LoadInput, { limits, signal }: LoadOptions) {
  if (pdf.numPages > limits.pages) throw tooLargeFile(name, 'pages', limits.pages)
  const pages: PdfLines[] = []
  const broken: number[] = []
  let length = 0
  for (let number = 1; number <= pdf.numPages; number++) {
    signal?.throwIfAborted()
    const lines = new PdfLines()
    try {
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      for (const item of items) if ('str' in item) lines.add(item)
      lines.finish()
      page.cleanup()
    } catch {
      // One page that cannot be read does not take the others with it.
      broken.push(number)
    }
    length += lines.length
    if (length > limits.textLength) throw tooLargeFile(name, 'characters of text', limits.textLength)
    pages.push(lines)
  }
  if (broken.length === pages.length) throw damagedFile(name, 'none of its pages can be read')
  const words = wordsOfLines(pages.map(({ lines }) => lines))
  const starts: number[] = []
  let text = ''
  for (const { lines } of pages) {
    const page = joinLines(lines, words)
    if (text !== '' && page !== '') text += '\n\n'
    starts.push(text.length)
    text += page
  }
  const empty = pages.flatMap(({ lines }, index) => (lines.length === 0 && !broken.includes(index + 1) ? [index + 1] : []))
  const { title, metadata } = await describe(pdf)
  return {
    text,
    format: 'plain' as const,
    loader: pdfLoader.id,
    positions: { kind: 'pages' as const, starts },
    notes: [
      ...(empty.length > 0 ? [`Without text, as scans are: ${numbered(empty)}.`] : []),
      ...(broken.length > 0 ? [`Could not be read and were left out: ${numbered(broken)}.`] : []),
    ],
    ...(title === undefined ? {} : { title }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function numbered(pages: readonly number[]): string {
  const more = pages.length > listed ? ` and ${pages.length - listed} more` : ''
  const list = `${pages.slice(0, listed).join(', ')}${more}`
  return pages.length === 1 ? `page ${list}` : `pages ${list}`
}

async function describe(pdf: PdfDocument): Promise<{ readonly title?: string; readonly metadata: Metadata }> {
  try {
    const { info } = (await pdf.getMetadata()) as unknown as { readonly info: Readonly<Record<string, unknown>> }
    const metadata: Record<string, string> = {}
    const put = (name: string, value: unknown): void => {
      if (typeof value === 'string' && value.trim() !== '')
        metadata[name] = value.trim().slice(0, 2000).replaceAll('\0', '').toWellFormed()
    }
    put('author', info['Author'])
    put('subject', info['Subject'])
    put('keywords', info['Keywords'])
    put('created', pdfDate(info['CreationDate']))
    put('modified', pdfDate(info['ModDate']))
    const title = typeof info['Title'] === 'string' ? info['Title'].replaceAll('\0', '').trim().toWellFormed() : ''
    return { metadata, ...(title === '' ? {} : { title }) }
  } catch {
    return { metadata: {} }
  }
}

/** `D:20240131120000+01'00'` as ISO 8601. */
function pdfDate(value: unknown): string | undefined {
  const found = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|(Z))?/.exec(String(value ?? ''))
  if (found === null) return undefined
  const [, year, month = '01', day = '01', hour, minute = '00', second = '00', sign, hours, minutes = '00'] = found
  const date = `${year}-${month}-${day}`
  if (hour === undefined) return date
  return `${date}T${hour}:${minute}:${second}${sign === undefined || Number(hours) + Number(minutes) === 0 ? 'Z' : `${sign}${hours}:${minutes}`}`
}
