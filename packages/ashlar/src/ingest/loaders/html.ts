import type { Metadata } from '../../store/filter.ts'
import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'
import { decodeXml } from '../xml-reader.ts'

/** What is looked at for a title and what else the head says. */
const reachOfHead = 100_000

/** HTML, kept as its source: it is cut along its elements, and a citation opens the source at the right line. */
export const htmlLoader: Loader = {
  id: 'html/1',
  extensions: ['html', 'htm', 'xhtml'],
  mediaTypes: ['text/html', 'application/xhtml+xml'],
  light: true,
  async load(input) {
    const { text, encoding, notes } = readText(input, namedEncoding(input.bytes))
    const head = text.slice(0, reachOfHead)
    const title = plainText(/<title\b[^>]{0,200}>([\s\S]{0,2000}?)<\/title\s{0,20}>/i.exec(head)?.[1] ?? '')
    const metadata = headMetadata(head)
    return {
      text,
      format: 'html',
      encoding,
      loader: htmlLoader.id,
      notes,
      ...(title === '' ? {} : { title }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    }
  },
}

/** The encoding that a page names in its first kilobyte. */
function namedEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024))
  return (
    /<meta[^>]{1,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)?.[1] ??
    /^<\?xml[^>]{1,100}encoding=["']([\w.:-]+)/.exec(start)?.[1]
  )
}

function headMetadata(head: string): Metadata {
  const metadata: Record<string, string> = {}
  for (const [tag] of head.matchAll(/<meta\b[^>]{1,2000}>/gi)) {
    const name = attribute(tag, 'name')?.toLowerCase()
    const content = attribute(tag, 'content')
    if (content !== undefined && (name === 'author' || name === 'description' || name === 'keywords'))
      metadata[name] = plainText(content)
  }
  return metadata
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(tag)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}

const named: Readonly<Record<string, string>> = {
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  rsquo: '’',
  lsquo: '‘',
  ldquo: '“',
  rdquo: '”',
  hellip: '…',
  middot: '·',
  copy: '©',
}

function plainText(text: string): string {
  return decodeXml(text.replace(/&([a-z]+);/g, (whole, name) => named[name] ?? whole))
    .replace(/\s+/g, ' ')
    .trim()
}
