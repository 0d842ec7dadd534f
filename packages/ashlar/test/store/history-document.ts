import type { EmbedderIdentity } from '../../src/model/embedder.ts'
import type { ChildRecord, ChildRecords, DocumentRecord, Store, StoredDocument, StoreScope } from '../../src/store/store.ts'
import { analyseQuery } from '../../src/text/analyse-query.ts'
import { buildTree } from '../../src/tree/build-tree.ts'

/** What stores of histories are opened for. */
export const historyScope: StoreScope = { workspace: 'history', fields: { version: 'number' } }

const identity: EmbedderIdentity = {
  model: 'faults/letters',
  options: {},
  dimensions: 32,
  pooling: 'mean',
  normalized: true,
  queryPrefix: '',
  documentPrefix: '',
  maxTokens: undefined,
  tokenCodec: 'faults',
}

/**
 * A version of a document, with everything that can be kept of one. Its metadata, its token states and some of its words and notes are of
 * this version and of no other; most of its paragraphs are those of the version before.
 */
export function historyDocument(id: string, version: number): StoredDocument {
  const tree = historyTree(id, version)
  return {
    tree,
    metadata: { version },
    notes: tree.children.slice(0, 2).map((child) => ({ child: child.id, context: `Written as ${noteWord(id, version)}.` })),
    embeddings: [
      {
        identity,
        vectors: tree.children.map(({ text }) => historyVector(text)),
        contentKeys: tree.children.map((child) => child.id),
        windows: [
          {
            key: windowWord(id, version),
            first: 0,
            after: tree.children.length,
            blob: new TextEncoder().encode(windowWord(id, version)),
            pieces: tree.children.map((_, at) => Uint32Array.of(at, 1000 + (version % 1000))),
          },
        ],
      },
    ],
  }
}

function historyTree(id: string, version: number): StoredDocument['tree'] {
  return buildTree(historyText(id, version), { document: id, least: 0, child: 90, parent: 240, section: 600 })
}

function historyText(id: string, version: number): string {
  const paragraphs = Array.from({ length: 30 }, (_, at) => {
    const since = Math.floor((version + at) / 6)
    return `Paragraph ${at} of ${id} is about stone, slate and the courses of wall ${since}, as it was left at mark${id}x${at}x${since}.`
  })
  return `${paragraphs.join('\n\n')}\n\nThis is ${versionWord(id, version)}.`
}

const versionWord = (id: string, version: number): string => `version${id}x${version}`
const noteWord = (id: string, version: number): string => `note${id}x${version}`
const windowWord = (id: string, version: number): string => `window${id}x${version}`

function historyVector(text: string): Float32Array {
  const vector = new Float32Array(identity.dimensions as number)
  for (let at = 0; at < text.length; at++) {
    const place = (text.charCodeAt(at) * 31 + (text.charCodeAt(at + 1) || 0)) % vector.length
    vector[place] = (vector[place] as number) + 1
  }
  const length = Math.hypot(...vector)
  return vector.map((number) => number / length)
}

/** The version that a document has; 0 when it is not there. */
export function versionOf(document: Pick<DocumentRecord, 'metadata'> | undefined): number {
  return (document?.metadata['version'] as number | undefined) ?? 0
}

/** What of a document is not of the version that its metadata names, as sentences. */
export function tornRecord(record: DocumentRecord): readonly string[] {
  const { id, tree, children, notes } = record
  const version = versionOf(record)
  const torn: string[] = []
  const expected = historyDocument(id, version)
  if (tree.text !== expected.tree.text) torn.push(`the text of ${id} is not that of its version ${version}`)
  if (tree.children.length !== expected.tree.children.length || children !== expected.tree.children.length)
    torn.push(`${id} counts ${children} children and has ${tree.children.length}`)
  if (
    notes.length !== expected.notes?.length ||
    !notes.every(({ context }) => context === `Written as ${noteWord(id, version)}.`)
  )
    torn.push(`the notes of ${id} are not those of its version ${version}`)
  return torn
}

/**
 * Searches for one version of a document: by its metadata, its words, its notes and all of its vectors at once. A store answers from one
 * moment, at which either all of these find it or none does; then fetches what was found.
 */
export async function tornSearch(store: Store, id: string, version: number): Promise<readonly string[]> {
  const { tree } = historyDocument(id, version)
  const words = [versionWord(id, version), noteWord(id, version)]
  const terms = words.flatMap((word) => analyseQuery(word).filter(({ term }) => term.includes(word)))
  const found = await store.nominate({
    terms: { terms, limits: { child: 1_000, parent: 0, section: 0, document: 0 } },
    vector: { identity, values: historyVector(tree.children[0]?.text ?? ''), limit: 1_000 },
    where: {
      op: 'and',
      filters: [
        { op: 'document', ids: [id] },
        { op: 'equal', field: 'version', value: version },
      ],
    },
  })
  const near = found.children.filter(({ cosine }) => cosine !== undefined).length
  const said = found.children.filter(({ lexical }) => lexical.child > 0).length
  const holding = terms.map(({ term }) => found.frequencies.get(term) ?? 0)
  const torn: string[] = []
  const isThere = found.children.length > 0
  const [count, withWord, withNote] = isThere ? [tree.children.length, 1, 2] : [0, 0, 0]
  if (near !== count) torn.push(`${near} of ${count} children of ${id} at ${version} are found by vectors`)
  if (said !== withWord + withNote) torn.push(`${said} children of ${id} at ${version} are found by words of theirs`)
  if (holding.length !== 2 || holding[0] !== withWord || holding[1] !== withNote)
    torn.push(`${holding.join(' and ')} children have the words of ${id} at ${version}, which is ${isThere ? '' : 'not '}there`)
  const records = await store.children(found.children, { vectors: identity, windows: identity })
  const versions = new Set(records.children.map(({ document }) => versionOf(document)))
  if (versions.size > 1) torn.push(`children of ${id} are of versions ${[...versions].join(' and ')} at once`)
  return [...torn, ...records.children.flatMap((child) => tornChild(child, records))]
}

/** Whether a store finds a version of a document by a word of it. */
export async function findsVersion(store: Store, id: string, version: number): Promise<boolean> {
  const word = versionWord(id, version)
  const found = await store.nominate({
    terms: {
      terms: analyseQuery(word).filter(({ term }) => term.includes(word)),
      limits: { child: 20, parent: 0, section: 0, document: 0 },
    },
  })
  return found.children.length > 0
}

function tornChild(child: ChildRecord, { windows }: ChildRecords): readonly string[] {
  const { id } = child.document
  const version = versionOf(child.document)
  const name = `child ${child.index} of ${id} at ${version}`
  const text = historyText(id, version)
  const torn: string[] = []
  if (child.parent.text !== text.slice(child.parent.start, child.parent.end)) torn.push(`${name} has a parent of another version`)
  const expected = historyVector(text.slice(child.start, child.end))
  // A store may keep halves of numbers.
  if (child.vector === undefined || expected.some((value, at) => Math.abs(value - (child.vector?.[at] ?? 9)) > 0.01))
    torn.push(`${name} has ${child.vector === undefined ? 'no vector' : 'the vector of another text'}`)
  const blob = windows.get(child.window?.key ?? '')
  if (blob === undefined || new TextDecoder().decode(blob) !== windowWord(id, version))
    torn.push(`${name} has ${blob === undefined ? 'no token states' : 'token states of another version'}`)
  const note = child.index < 2 ? `Written as ${noteWord(id, version)}.` : undefined
  if (child.note?.context !== note) torn.push(`${name} has the note ${JSON.stringify(child.note?.context)}`)
  return torn
}
