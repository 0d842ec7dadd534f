import type { Library } from '../library/library.ts'
import { reserved } from '../store/reserved-metadata.ts'
import type { DocumentRecord } from '../store/store.ts'
import { unpackPositions } from '../text/packed-positions.ts'
import { citePlace, type Place } from '../text/place.ts'
import { placeOf } from '../text/position-map.ts'
import type { TreePiece } from '../tree/tree.ts'
import { formatNamed, type SampleOptions, sampleDocuments } from './corpus.ts'
import { type DanglingKind, danglingReferences } from './dangling-references.ts'
import type { DocumentSpan } from './document-span.ts'
import { documentStructure } from './document-structure.ts'
import { makeQuestions } from './make-questions.ts'
import { NearDuplicates } from './near-duplicates.ts'
import { orphanHeadings } from './orphan-headings.ts'
import { pieceAt } from './piece-at.ts'
import { SizeCounter, type SizeDistribution } from './size-distribution.ts'

/** A piece of a document, for people and for programs. */
export interface CitedPiece extends DocumentSpan {
  readonly id: string
  /** Where it begins in the original file. */
  readonly place: Place
  /** `docs/guide.md, lines 12-18 (Guide > Installing)`. */
  readonly citation: string
  /** Its beginning, on one line. */
  readonly excerpt: string
}

/** Pieces of one kind that a reader should look at; `count` is of all of them, `pieces` has the first. */
export interface Findings<Fact extends object> {
  readonly count: number
  readonly pieces: readonly (CitedPiece & Fact)[]
}

/** What {@link assessQuality} found. */
export interface QualityReport {
  readonly documents: number
  readonly sizes: SizeDistribution
  /** Headings that a cut left without what they head. */
  readonly orphanHeadings: Findings<{ readonly title: string; readonly alone: boolean }>
  /** Pieces that point to what they do not hold; `unresolved` counts those whose parent does not hold it either. */
  readonly danglingReferences: Findings<{ readonly kind: DanglingKind; readonly words: string; readonly inParent: boolean }> & {
    readonly unresolved: number
    readonly kinds: Readonly<Record<DanglingKind, number>>
  }
  /** Groups of pieces that say nearly the same, the largest first; `count` is of all groups, `pieces` of all that are in one. */
  readonly nearDuplicates: {
    readonly count: number
    readonly pieces: number
    readonly groups: readonly { readonly count: number; readonly likeness: number; readonly pieces: readonly CitedPiece[] }[]
    /** Pieces beyond the limit that were not compared. */
    readonly notCompared: number
  }
  /** Pieces that questions were made from and that no question found. */
  readonly neverFound: Findings<{ readonly questions: readonly string[] }> & {
    /** Pieces that questions were made from, questions that were asked, and hits that were looked at for each. */
    readonly asked: number
    readonly questions: number
    readonly hits: number
  }
  readonly milliseconds: number
}

export interface AssessQualityOptions extends SampleOptions {
  /** How alike two pieces must be to count as nearly the same, from 0 to 1. @default 0.8 */
  readonly likeness?: number
  /** The most pieces that are compared with one another; 256 bytes each. @default 200000 */
  readonly compared?: number
  /** The most questions that are made from the documents and asked; 0 asks none. @default 200 */
  readonly questions?: number
  /** How many hits of a question count as found. @default 10 */
  readonly hits?: number
  /** The most pieces of a kind that are named. @default 100 */
  readonly most?: number
  /** Hears how far reading and asking are. */
  readonly onProgress?: (step: { readonly type: 'reading' | 'asking'; readonly done: number; readonly of?: number }) => void
}

const excerptLength = 120

/**
 * Looks at the pieces that documents were cut into: their sizes, headings without text, references to what is elsewhere, pieces that say
 * nearly the same, and pieces that questions made from them do not find. Reads every document once and changes nothing.
 */
export async function assessQuality(
  library: Pick<Library, 'store' | 'list' | 'get' | 'search'>,
  options: AssessQualityOptions = {},
): Promise<QualityReport> {
  const { likeness = 0.8, compared = 200_000, most = 100, onProgress, signal } = options
  const began = performance.now()
  const sizes = new SizeCounter()
  const orphans = new Collected<{ readonly title: string; readonly alone: boolean }>(most)
  const dangling = new Collected<{ readonly kind: DanglingKind; readonly words: string; readonly inParent: boolean }>(most)
  const kinds: Record<DanglingKind, number> = { pronoun: 0, before: 0, after: 0, figure: 0 }
  let unresolved = 0
  const duplicates = new NearDuplicates()
  /** For each piece that is compared, its document and its place there: names are looked up again for those that matter. */
  const compareds: { readonly document: number; readonly piece: number }[] = []
  const documents: string[] = []
  let notCompared = 0
  for await (const record of records(library, signal)) {
    const { tree } = record
    const number = documents.push(record.id) - 1
    for (const [piece, child] of tree.children.entries()) {
      sizes.add(child.end - child.start)
      if (compareds.length < compared) {
        duplicates.add(compareds.length, child.text.slice(child.lead))
        compareds.push({ document: number, piece })
      } else notCompared++
    }
    for (const { piece, ...fact } of orphanHeadings(tree, documentStructure(tree.text, await formatNamed(tree.format)))) {
      orphans.add(record, piece, fact)
    }
    // One piece that points to five figures is one piece to look at.
    const seen = new Set<number>()
    for (const { piece, ...fact } of danglingReferences(tree)) {
      if (seen.has(piece)) continue
      seen.add(piece)
      kinds[fact.kind]++
      if (!fact.inParent) unresolved++
      dangling.add(record, piece, fact, !fact.inParent)
    }
    onProgress?.({ type: 'reading', done: documents.length })
  }
  const groups = duplicates.groups(likeness)
  const shown = groups.slice(0, most).map(({ numbers, likeness: alike }) => ({
    count: numbers.length,
    likeness: alike,
    places: numbers.slice(0, 5).map((at) => compareds[at] as (typeof compareds)[number]),
  }))
  return {
    documents: documents.length,
    sizes: sizes.distribution(),
    orphanHeadings: orphans.findings(),
    danglingReferences: { ...dangling.findings(), unresolved, kinds },
    nearDuplicates: {
      count: groups.length,
      pieces: groups.reduce((sum, { numbers }) => sum + numbers.length, 0),
      groups: await named(library, shown, documents, signal),
      notCompared,
    },
    neverFound: await neverFound(library, options),
    milliseconds: performance.now() - began,
  }
}

/** Findings of one kind: the first of them, those that weigh more before the others, and how many there are. */
class Collected<Fact extends object> {
  readonly #most: number
  readonly #pieces: (CitedPiece & Fact)[] = []
  readonly #lighter: (CitedPiece & Fact)[] = []
  #count = 0

  constructor(most: number) {
    this.#most = most
  }

  add(record: DocumentRecord, piece: number, fact: Fact, weighs = true): void {
    this.#count++
    const kept = weighs ? this.#pieces : this.#lighter
    if (kept.length < this.#most) kept.push({ ...citedPiece(record, piece), ...fact })
  }

  findings(): Findings<Fact> {
    return { count: this.#count, pieces: [...this.#pieces, ...this.#lighter].slice(0, this.#most) }
  }
}

/** Every document of the workspace with its pieces, a few at a time. */
async function* records(
  { store }: Pick<Library, 'store'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<DocumentRecord, void, undefined> {
  const abort = signal === undefined ? {} : { signal }
  let after: string | undefined
  do {
    const page = await store.list({ limit: 20, ...(after === undefined ? {} : { after }), ...abort })
    const own = page.items.filter(({ workspace }) => workspace === store.scope.workspace).map(({ id }) => id)
    for (const record of await store.get(own, abort)) if (record !== undefined) yield record
    after = page.next
  } while (after !== undefined)
}

function citedPiece({ id: document, title, tree, metadata }: DocumentRecord, index: number): CitedPiece {
  const { id, start, end, outline, text, lead } = tree.children[index] as TreePiece
  const packed = metadata[reserved.positions]
  const positions = typeof packed === 'string' ? unpackPositions(packed) : undefined
  const last = Math.max(start, start + text.trimEnd().length - 1)
  const titles = [title, ...outline].filter((one, at, all) => one !== '' && one !== all[at - 1])
  const place = placeOf(positions, tree.text, start + lead)
  const where = citePlace(place, placeOf(positions, tree.text, last))
  return {
    document,
    id,
    start,
    end,
    place,
    citation: `${document}, ${where}${titles.length === 0 ? '' : ` (${titles.join(' > ')})`}`,
    excerpt: text
      .slice(0, 2 * excerptLength)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, excerptLength),
  }
}

interface UnnamedGroup {
  readonly count: number
  readonly likeness: number
  readonly places: readonly { readonly document: number; readonly piece: number }[]
}

async function named(
  { store }: Pick<Library, 'store'>,
  groups: readonly UnnamedGroup[],
  documents: readonly string[],
  signal: AbortSignal | undefined,
): Promise<QualityReport['nearDuplicates']['groups']> {
  const result: QualityReport['nearDuplicates']['groups'][number][] = []
  for (const { count, likeness, places } of groups) {
    const wanted = places.map(({ document }) => documents[document] as string)
    const found = await store.get(wanted, signal === undefined ? {} : { signal })
    const pieces = found.flatMap((record, at) =>
      record === undefined ? [] : [citedPiece(record, (places[at] as { piece: number }).piece)],
    )
    result.push({ count, likeness, pieces })
  }
  return result
}

async function neverFound(
  library: Pick<Library, 'store' | 'list' | 'get' | 'search'>,
  { questions: limit = 200, hits = 10, most = 100, characters, onProgress, signal }: AssessQualityOptions,
): Promise<QualityReport['neverFound']> {
  const abort = signal === undefined ? {} : { signal }
  if (limit === 0) return { count: 0, pieces: [], asked: 0, questions: 0, hits }
  const corpus = await sampleDocuments(library, { ...abort, ...(characters === undefined ? {} : { characters }) })
  const questions = await makeQuestions(corpus.documents, { limit })
  const trees = new Map<string, DocumentRecord | undefined>()
  /** Pieces that questions are about. */
  const about = new Map<string, { readonly record: DocumentRecord; readonly piece: number; readonly questions: string[] }>()
  const found = new Set<string>()
  for (const [at, { text, gold }] of questions.entries()) {
    for (const { document, start } of gold) {
      if (!trees.has(document)) trees.set(document, (await library.store.get([document], abort))[0])
      const record = trees.get(document)
      // A long answer is found where it begins.
      const piece = pieceAt(record?.tree.children ?? [], start)
      const child = record?.tree.children[piece]
      if (record === undefined || child === undefined) continue
      const key = `${document} ${child.id}`
      const known = about.get(key)
      if (known === undefined) about.set(key, { record, piece, questions: [text] })
      else known.questions.push(text)
    }
    const result = await library.search(text, { limit: hits, places: false, ...abort })
    for (const { children, document, alsoAt } of result.hits) {
      for (const { id } of children) found.add(`${document.id} ${id}`)
      for (const twin of alsoAt) found.add(`${twin.document} ${twin.child}`)
    }
    onProgress?.({ type: 'asking', done: at + 1, of: questions.length })
  }
  const lost = [...about].filter(([key]) => !found.has(key)).map(([, one]) => one)
  return {
    count: lost.length,
    pieces: lost
      .slice(0, most)
      .map(({ record, piece, questions: texts }) => ({ ...citedPiece(record, piece), questions: texts })),
    asked: about.size,
    questions: questions.length,
    hits,
  }
}
