import { AshlarError } from '../../error/ashlar-error.ts'
import type { FlatChunk } from './flat-chunk.ts'

/** Which column of a flat table holds what. A column that is not named and has no default is not read. */
export interface FlatColumns {
  /** The row's id. @default 'id' */
  readonly id?: string
  /** The chunk's text. @default 'text' */
  readonly text?: string
  /** What the document is known by. Without it every row is a document of its own. @default none */
  readonly document?: string
  /** What rows of a document are ordered by. @default the id */
  readonly order?: string
  /** `standard`, `parent` or `child`. @default none: all rows are standard */
  readonly kind?: string
  /** The document's title. @default none */
  readonly title?: string
  /** A vector: of pgvector, a list of numbers, JSON, or little-endian 32-bit floats. @default none */
  readonly vector?: string
  /** What was generated: a context, and questions and keywords as lists, JSON or lines. @default none */
  readonly context?: string
  readonly questions?: string
  readonly keywords?: string
  /** Metadata: one column of JSON objects, or a column for each field. @default none */
  readonly metadata?: string | Readonly<Record<string, string>>
}

/** Where a flat table is, and how much of it is read at once. */
export interface FlatTable {
  /** @default 'chunks' */
  readonly table?: string
  readonly columns?: FlatColumns
  /** Rows of a page. @default 1000 */
  readonly page?: number
}

/** The columns that are read, with the names that {@link readFlatChunk} knows them by. */
export function flatColumns({ columns = {}, page = 1_000 }: FlatTable): {
  readonly id: string
  readonly order: string
  readonly document: string | undefined
  readonly read: ReadonlyMap<string, string>
  readonly page: number
} {
  if (!(Number.isInteger(page) && page >= 1 && page <= 100_000))
    throw new AshlarError('INVALID_OPTION', `page is a whole number from 1 to 100,000; got ${page}.`, { details: { page } })
  const { id = 'id', text = 'text', order = id, metadata, document, ...others } = columns
  const read = new Map<string, string>([
    ['row', id],
    ['text', text],
  ])
  if (document !== undefined) read.set('document', document)
  for (const name of ['kind', 'title', 'vector', 'context', 'questions', 'keywords'] as const) {
    const column = others[name]
    if (column !== undefined) read.set(name, column)
  }
  if (typeof metadata === 'string') read.set('metadata', metadata)
  else for (const [field, column] of Object.entries(metadata ?? {})) read.set(`metadata.${field}`, column)
  return { id, order, document, read, page }
}

/** A name in a statement. It comes from whoever wrote the program, and is quoted all the same. */
export function quotedName(name: string): string {
  if (typeof name !== 'string' || name === '' || name.includes('\u0000'))
    throw new AshlarError('INVALID_OPTION', 'Tables and columns are named by texts without NUL.')
  return `"${name.replaceAll('"', '""')}"`
}

/** A row as the columns say, by the names of {@link flatColumns}. */
export function readFlatChunk(values: ReadonlyMap<string, unknown>): FlatChunk {
  const text = (name: string): string | undefined => {
    const value = values.get(name)
    return value === undefined || value === null ? undefined : String(value)
  }
  const metadata: Record<string, unknown> = {}
  const object = parsed(values.get('metadata'))
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) Object.assign(metadata, object)
  for (const [name, value] of values)
    if (name.startsWith('metadata.') && value !== null) metadata[name.slice('metadata.'.length)] = value
  const context = text('context')
  const questions = texts(values.get('questions'))
  const keywords = texts(values.get('keywords'))
  const generated = {
    ...(context === undefined || context === '' ? {} : { context }),
    ...(questions.length === 0 ? {} : { questions }),
    ...(keywords.length === 0 ? {} : { keywords }),
  }
  return {
    row: text('row') ?? '',
    document: text('document'),
    text: text('text'),
    kind: text('kind'),
    title: text('title'),
    metadata,
    generated: Object.keys(generated).length === 0 ? undefined : generated,
    vector: vectorOf(values.get('vector')),
  }
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function texts(value: unknown): string[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(String)
  if (typeof value !== 'string') return [String(value)]
  const list = value.startsWith('[') ? parsed(value) : undefined
  if (Array.isArray(list)) return list.map(String)
  return value.split('\n').filter((line) => line.trim() !== '')
}

/** Numbers between brackets or braces, or 32-bit floats as bytes. */
function vectorOf(value: unknown): Float32Array | undefined {
  if (value === undefined || value === null) return undefined
  if (value instanceof Uint8Array) {
    const { byteLength } = value
    if (byteLength % 4 !== 0) return new Float32Array()
    const view = new DataView(value.buffer, value.byteOffset, byteLength)
    return Float32Array.from({ length: byteLength / 4 }, (_, at) => view.getFloat32(4 * at, true))
  }
  const numbers = Array.isArray(value) ? value : String(value).trim().slice(1, -1).split(',')
  return Float32Array.from(numbers, (number) => (String(number).trim() === '' ? Number.NaN : Number(number)))
}
