import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { formatOf } from '../ingest/formats.ts'
import type { LoadedFormat } from '../ingest/loader.ts'
import type { Library } from '../library/library.ts'
import { sha256 } from '../text/sha-256.ts'

/** A document as it is stored, apart from how it was cut. */
export interface CorpusDocument {
  readonly id: string
  readonly title: string
  readonly text: string
  /** The name of the format that it was cut by. */
  readonly format: string
}

/** Documents that stand for all that a library holds. */
export interface Corpus {
  readonly documents: readonly CorpusDocument[]
  readonly characters: number
  /** What the library holds in all. */
  readonly all: { readonly documents: number; readonly characters: number }
}

export interface SampleOptions {
  /** The most characters that are taken, all documents together. @default 2000000 */
  readonly characters?: number
  readonly signal?: AbortSignal
}

/**
 * Reads documents of a library until enough characters are together: all of it where it is small, otherwise a sample in an order that a
 * hash of their ids draws, so that it is the same each time and new documents do not change it much.
 */
export async function sampleDocuments(library: Pick<Library, 'list' | 'get'>, options: SampleOptions = {}): Promise<Corpus> {
  const { characters: most = 2_000_000, signal } = options
  const abort = signal === undefined ? {} : { signal }
  const listed: { readonly id: string; readonly length: number }[] = []
  let after: string | undefined
  do {
    const page = await library.list({ limit: 1000, ...(after === undefined ? {} : { after }), ...abort })
    for (const { id, length } of page.items) if (length > 0) listed.push({ id, length })
    after = page.next
  } while (after !== undefined)
  const all = { documents: listed.length, characters: listed.reduce((sum, { length }) => sum + length, 0) }
  const documents: CorpusDocument[] = []
  let characters = 0
  for (const { id, length } of all.characters > most ? shuffled(listed) : listed) {
    // What does not fit is left out, unless it is all there is.
    if (characters + length > most && documents.length > 0) continue
    const found = await library.get(id, abort)
    if (found === undefined) continue
    characters += length
    documents.push({ id, title: found.title, text: found.text, format: found.format })
  }
  return { documents, characters, all }
}

/** In the order of a hash: as good as by lot, and the same each time. */
function shuffled<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, hash: sha256(item.id, 64) }))
    .sort((left, right) => (left.hash < right.hash ? -1 : 1))
    .map(({ item }) => item)
}

const loaded: ReadonlySet<string> = new Set<LoadedFormat>(['plain', 'markdown', 'html', 'csv', 'json', 'json-lines'])

/** The format that a document was cut by, from its name; what nobody knows any more is read as plain text. */
export async function formatNamed(name: string): Promise<Format> {
  const own = name.replace(/^semantic-/, '')
  return loaded.has(own) ? formatOf(own as LoadedFormat) : plain
}
