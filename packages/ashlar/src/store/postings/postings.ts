import type { EngineReader } from '../engine.ts'
import type { LexicalScores, QueryTerm } from '../store.ts'
import type { StoredChild } from './build-segment.ts'
import { readPlaces } from './places.ts'
import type { PostingsCache } from './postings-cache.ts'
import { scoreLevels } from './score-levels.ts'

/** Where segments are read from; every engine's reader is one. */
export type SegmentReader = Pick<EngineReader, 'segments' | 'tombstones' | 'pages'>

/** What is looked for in the postings. */
export interface PostingsQuery {
  readonly terms: readonly QueryTerm[]
  /** Most pieces of each level that nominate; those above children nominate all of theirs. */
  readonly limits: { readonly child: number; readonly parent: number; readonly section: number; readonly document: number }
  /** Children that were nominated elsewhere, by key: they are scored as well. @default none */
  readonly children?: readonly number[]
  /** Keys of the documents that may be found. Statistics stay those of the whole index. @default all */
  readonly documents?: readonly number[]
  /**
   * Of the children that only the terms nominated, how many are kept: those with the highest sum of the four scores, ties by key.
   * @default all
   */
  readonly most?: number
}

/** A child and its exact scores. */
export interface ScoredChild {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  readonly lexical: LexicalScores
}

/** What was found: children by rising key. */
export interface PostingsResult {
  readonly children: readonly ScoredChild[]
  /** Live children, and how many of them hold each term of the query; terms that none holds are left out. */
  readonly count: number
  readonly frequencies: ReadonlyMap<string, number>
}

/** Places of children in one segment. */
export interface SegmentPlaces {
  readonly segment: number
  readonly places: readonly number[]
}

/** The lexical index of the workspaces that a reader reads, as it is in this transaction. */
export interface Postings {
  /** Live children. */
  readonly count: number
  query(query: PostingsQuery): Promise<PostingsResult>
  /** How many live children have each word piece under an embedding; pieces that none has are left out. */
  pieceFrequencies(embedding: number, ids: Iterable<number>): Promise<ReadonlyMap<number, number>>
  /** Where the live children of documents stand: all of them, or only those with these keys. They become tombstones by `packPlaces`. */
  locate(documents: readonly number[], children?: ReadonlySet<number>): Promise<readonly SegmentPlaces[]>
}

/** Opens the index that a reader sees. `cache` keeps what was decoded between transactions; one for each engine that is open. */
export async function openPostings(reader: SegmentReader, cache: PostingsCache): Promise<Postings> {
  void cache
  const live = await reader.segments()
  const dead = new Map<number, Set<number>>()
  const marked = live.filter(({ tombstones }) => tombstones > 0).map(({ id }) => id)
  for (const { segment, places } of marked.length === 0 ? [] : await reader.tombstones(marked)) {
    const known = dead.get(segment) ?? new Set()
    for (const place of readPlaces(places)) known.add(place)
    dead.set(segment, known)
  }
  const heads = await reader.pages(live.map(({ id }) => ({ segment: id, page: 0 })))
  const children: (StoredChild & { readonly segment: number; readonly place: number })[] = []
  for (const [at, { id }] of live.entries()) {
    const table = JSON.parse(new TextDecoder().decode(heads[at])) as StoredChild[]
    for (const [place, child] of table.entries())
      if (dead.get(id)?.has(place) !== true) children.push({ ...child, segment: id, place })
  }
  return {
    count: children.length,
    query: async (query) => scoreLevels(children, query),
    async pieceFrequencies(embedding, ids) {
      const asked = new Set(ids)
      const found = new Map<number, number>()
      for (const child of children) {
        for (const pieces of child.pieces) {
          if (pieces.embedding !== embedding) continue
          for (const id of pieces.ids) if (asked.has(id)) found.set(id, (found.get(id) ?? 0) + 1)
        }
      }
      return found
    },
    async locate(documents, keys) {
      const wanted = new Set(documents)
      const places = new Map<number, number[]>()
      for (const { segment, place, document, key } of children) {
        if (!wanted.has(document) || keys?.has(key) === false) continue
        const known = places.get(segment)
        if (known === undefined) places.set(segment, [place])
        else known.push(place)
      }
      return [...places].map(([segment, found]) => ({ segment, places: found }))
    },
  }
}
