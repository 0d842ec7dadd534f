import { isAshlarError } from '../error/ashlar-error.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import { checkDocument } from '../store/checked-document.ts'
import type { DocumentRecord, Store } from '../store/store.ts'
import { analyseQuery } from '../text/analyse-query.ts'
import { isGraphemeBoundary } from '../text/grapheme.ts'

/** Something stored that is not as it should be. */
export interface Problem {
  readonly document: string
  /** The piece it is about, where it is about one. */
  readonly child?: string
  /** What is broken: the text and its pieces, a cut, the stored hash, a vector that is missing or none, a piece that its own words or its own vector do not find. */
  readonly what: 'pieces' | 'cut' | 'hash' | 'vector' | 'found by words' | 'found by vector'
  readonly message: string
}

/** What {@link verify} looked at and found. */
export interface VerifyReport {
  readonly ok: boolean
  readonly documents: number
  readonly children: number
  /** Pieces that were searched for by their own words and by their own vectors. */
  readonly searched: { readonly byWords: number; readonly byVector: number }
  /** The first thousand. */
  readonly problems: readonly Problem[]
  readonly milliseconds: number
}

export interface VerifyOptions {
  /** Pieces of each document that are searched for; spread evenly, always the same ones. @default 2 */
  readonly search?: number
  /** Hears how many documents are done. */
  readonly onProgress?: (documents: number) => void
  readonly signal?: AbortSignal
}

const mostProblems = 1_000

/**
 * Checks again what was checked when it was written: that every stored piece is the exact slice of its text and none is missing, that no
 * cut splits what a reader sees as one character, that hashes are those of the content, that vectors are there; and searches for some
 * pieces of each document, to see that they are found. Reads everything once; changes nothing.
 */
export async function verify(store: Store, options: VerifyOptions = {}): Promise<VerifyReport> {
  const { search = 2, onProgress, signal } = options
  const began = performance.now()
  const abort = signal === undefined ? {} : { signal }
  const problems: Problem[] = []
  const note = (problem: Problem): void => {
    if (problems.length < mostProblems) problems.push(problem)
  }
  const identity = (await store.embeddings(abort)).find(({ active }) => active)?.identity
  const counts = { documents: 0, children: 0, byWords: 0, byVector: 0 }
  let after: string | undefined
  do {
    const page = await store.list({ limit: 20, ...(after === undefined ? {} : { after }), ...abort })
    // The same id may be there in several workspaces; a handle reads the first, and the others are for their own handles to check.
    const own = page.items.filter(({ workspace }) => workspace === store.scope.workspace).map(({ id }) => id)
    for (const record of await store.get(own, { ...abort, ...(identity === undefined ? {} : { embedding: identity }) })) {
      if (record === undefined) continue
      counts.documents++
      counts.children += record.children
      for (const problem of problemsOf(record, store, identity)) note(problem)
      for (const index of sample(record.children, search)) {
        counts.byWords += await findByWords(store, record, index, note, signal)
        counts.byVector += identity === undefined ? 0 : await findByVector(store, record, index, identity, note, signal)
      }
      onProgress?.(counts.documents)
    }
    after = page.next
  } while (after !== undefined)
  return {
    ok: problems.length === 0,
    documents: counts.documents,
    children: counts.children,
    searched: { byWords: counts.byWords, byVector: counts.byVector },
    problems,
    milliseconds: performance.now() - began,
  }
}

function* problemsOf(record: DocumentRecord, store: Store, identity: EmbedderIdentity | undefined): Generator<Problem> {
  const { id: document, tree, metadata, notes, contentHash, embedding } = record
  try {
    const again = checkDocument({ tree, metadata, notes }, store.scope.fields)
    if (again.contentHash !== contentHash) {
      yield { document, what: 'hash', message: 'What is stored is not what its hash was made of.' }
    }
  } catch (error) {
    if (!isAshlarError(error)) throw error
    yield { document, what: 'pieces', message: error.message }
  }
  if (tree.children.length !== record.children) {
    yield { document, what: 'pieces', message: `It says ${record.children} pieces and has ${tree.children.length}.` }
  }
  for (const { id, start, lead } of tree.children) {
    if (isGraphemeBoundary(tree.text, start + lead)) continue
    yield { document, child: id, what: 'cut', message: `The cut at ${start + lead} splits a character.` }
  }
  if (identity === undefined) return
  for (const [index, { id }] of tree.children.entries()) {
    const vector = embedding?.vectors[index]
    if (vector === undefined) {
      yield { document, child: id, what: 'vector', message: `It has no vector of ${identity.model}; sync or add it again.` }
    } else if (vector.some((number) => !Number.isFinite(number))) {
      yield { document, child: id, what: 'vector', message: 'Its vector has a number that is none.' }
    }
  }
}

/** Indices spread over the children, the same ones each time. */
function sample(children: number, most: number): number[] {
  const count = Math.min(children, most)
  return Array.from({ length: count }, (_, at) => Math.floor(((at + 0.5) * children) / count))
}

async function findByWords(
  store: Store,
  { id, tree }: DocumentRecord,
  index: number,
  note: (problem: Problem) => void,
  signal: AbortSignal | undefined,
): Promise<number> {
  const child = tree.children[index]
  if (child === undefined) return 0
  const terms = analyseQuery(child.text.slice(child.lead)).slice(0, 32)
  if (terms.length === 0) return 0
  const { children } = await store.nominate({
    terms: { terms, limits: { child: tree.children.length, parent: 0, section: 0, document: 0 } },
    where: { op: 'document', ids: [id] },
    ...(signal === undefined ? {} : { signal }),
  })
  const found = await store.children(children.filter(({ lexical }) => lexical.child > 0))
  if (!found.children.some((record) => record.id === child.id && record.workspace === store.scope.workspace)) {
    note({ document: id, child: child.id, what: 'found by words', message: 'Its own words do not find it.' })
  }
  return 1
}

async function findByVector(
  store: Store,
  { id, tree, embedding }: DocumentRecord,
  index: number,
  identity: EmbedderIdentity,
  note: (problem: Problem) => void,
  signal: AbortSignal | undefined,
): Promise<number> {
  const child = tree.children[index]
  const vector = embedding?.vectors[index]
  if (child === undefined || vector === undefined || vector.every((number) => number === 0)) return 0
  const { children } = await store.nominate({
    vector: { identity, values: vector, limit: tree.children.length },
    where: { op: 'document', ids: [id] },
    ...(signal === undefined ? {} : { signal }),
  })
  const near = children.filter(({ cosine = 0 }) => cosine > 0.99)
  const found = await store.children(near)
  if (!found.children.some((record) => record.id === child.id && record.workspace === store.scope.workspace)) {
    note({ document: id, child: child.id, what: 'found by vector', message: 'Its own vector does not find it.' })
  }
  return 1
}
