import type { Metadata } from '../../store/filter.ts'
import { XmlReader } from '../xml-reader.ts'
import type { Zip } from '../zip.ts'

/** Targets of a part's relationships by their id, as paths in the archive, with the last word of their type. */
export async function relationships(
  zip: Zip,
  part: string,
): Promise<ReadonlyMap<string, { readonly path: string; readonly type: string }>> {
  const slash = part.lastIndexOf('/')
  const folder = part.slice(0, slash + 1)
  const xml = await zip.text(`${folder}_rels/${part.slice(slash + 1)}.rels`)
  const found = new Map<string, { readonly path: string; readonly type: string }>()
  if (xml === undefined) return found
  const reader = new XmlReader(xml)
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event !== 'open' || reader.name !== 'Relationship' || reader.attribute('TargetMode') === 'External') continue
    const target = reader.attribute('Target') ?? ''
    const type = reader.attribute('Type') ?? ''
    found.set(reader.attribute('Id') ?? '', { path: resolve(folder, target), type: type.slice(type.lastIndexOf('/') + 1) })
  }
  return found
}

/** The part that an office file is about: `word/document.xml`, `xl/workbook.xml`. */
export async function mainPart(zip: Zip): Promise<string | undefined> {
  for (const { path, type } of (await relationships(zip, '')).values()) if (type === 'officeDocument') return path
  return undefined
}

function resolve(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter((part) => part !== '')
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

const named: Readonly<Record<string, string>> = {
  creator: 'author',
  subject: 'subject',
  keywords: 'keywords',
  description: 'description',
  created: 'created',
  modified: 'modified',
}

/** Title and what else an office file says about itself. */
export async function officeProperties(zip: Zip): Promise<{ readonly title?: string; readonly metadata?: Metadata }> {
  const xml = await zip.text('docProps/core.xml')
  if (xml === undefined) return {}
  const reader = new XmlReader(xml)
  const metadata: Record<string, string> = {}
  let title = ''
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event !== 'open') continue
    const { name } = reader
    if (name !== 'title' && named[name] === undefined) continue
    const value = reader.contents().trim().slice(0, 2000).replaceAll('\0', '').toWellFormed()
    if (value === '') continue
    if (name === 'title') title = value
    else metadata[named[name] as string] = value
  }
  return { ...(title === '' ? {} : { title }), ...(Object.keys(metadata).length === 0 ? {} : { metadata }) }
}

/** Whether the bytes are an archive that names a part, without decompressing anything: part names stand in the clear. */
export function namesPart(bytes: Uint8Array, name: string): boolean {
  const wanted = new TextEncoder().encode(name)
  // The directory stands at the end; 16 MB of it are more than any office file has.
  const from = Math.max(0, bytes.length - 2 ** 24)
  for (let at = bytes.indexOf(wanted[0] as number, from); at >= 0; at = bytes.indexOf(wanted[0] as number, at + 1)) {
    let same = 0
    while (same < wanted.length && bytes[at + same] === wanted[same]) same++
    if (same === wanted.length) return true
  }
  return false
}
