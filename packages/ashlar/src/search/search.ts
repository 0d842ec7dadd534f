import { AshlarError } from '../error/ashlar-error.ts'
import type { ChildRecord, ChildRecords, NominatedChild, Nominations, Store } from '../store/store.ts'
import { cosine } from '../vector/cosine.ts'
import { pieceWeight, weighPieces } from '../vector/late-query.ts'
import { evidenceWeights, type LegScores, nominationLimits } from './configuration.ts'
import { firstStage } from './first-stage.ts'
import { fuse } from './fuse.ts'
import type { Hit } from './hit.ts'
import { lexicalLegs } from './lexical-legs.ts'
import { type EmbeddedQuery, type ReadQuery, readQuery } from './read-query.ts'
import type { SearchOptions } from './search-options.ts'
import { reach, tokenLegs } from './token-legs.ts'

/**
 * Finds the children that answer a query, the best first.
 *
 * A child is judged by its vector, by its own tokens and words, and by those of what surrounds it. The store nominates a few hundred by
 * each of these; the best of them are scored by all, from what is stored and nothing else, so that every store gives the same hits.
 * Equals come in the order of documents' ids and of the text.
 */
export async function search(store: Store, query: string, options: SearchOptions = {}): Promise<Hit[]> {
  const { limit = 10, documents = false, signal } = options
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new AshlarError('INVALID_OPTION', `limit must be a whole number of at least 1, not ${String(limit)}.`, {
      details: { limit },
    })
  }
  const limits = { ...nominationLimits, ...options.nominate }
  signal?.throwIfAborted()
  if (query.trim() === '') return []
  const read = await readQuery(store, query, options)
  const nominations = await nominate(store, read, { ...options, nominate: limits })
  const wordsOf = lexicalLegs(read.terms, nominations, documents)
  const pool = firstStage(nominations, limits, wordsOf)
  const records = await fetchPool(store, pool, read.embedded, signal)
  const scored = scoreAll(records, pool, read, nominations, wordsOf)
  return scored.sort(byScore).slice(0, limit)
}

async function nominate(
  store: Store,
  { terms, embedded }: ReadQuery,
  { where, documents = false, nominate = {}, signal }: SearchOptions,
): Promise<Nominations> {
  const { vector, child, parent, section, document } = { ...nominationLimits, ...nominate }
  return store.nominate({
    terms: { terms, limits: { child, parent, section, document: documents ? document : 0 } },
    ...(embedded === undefined
      ? {}
      : {
          vector: {
            identity: embedded.identity,
            values: embedded.vector,
            limit: vector,
            ...(embedded.tokens === undefined ? {} : { pieces: embedded.tokens.query.ids }),
          },
        }),
    ...(where === undefined ? {} : { where }),
    ...(signal === undefined ? {} : { signal }),
  })
}

async function fetchPool(
  store: Store,
  pool: readonly NominatedChild[],
  embedded: EmbeddedQuery | undefined,
  signal: AbortSignal | undefined,
): Promise<ChildRecords> {
  return store.children(pool, {
    ...(embedded === undefined ? {} : { vectors: embedded.identity }),
    ...(embedded?.tokens === undefined ? {} : { windows: embedded.identity, neighbours: reach }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Gives every child all the scores that can be had of it. */
function scoreAll(
  records: ChildRecords,
  pool: readonly NominatedChild[],
  { embedded }: ReadQuery,
  { count, pieceFrequencies }: Nominations,
  wordsOf: (child: NominatedChild) => LegScores,
): Hit[] {
  const nominated = new Map(pool.map((child) => [child.key, child]))
  const { query, codec } = embedded?.tokens ?? {}
  const weightOf = (id: number): number => pieceWeight(pieceFrequencies.get(id) ?? 0, count)
  const tokens = query && codec ? tokenLegs(records, weighPieces(query, weightOf), codec) : []
  return records.children.map((record, at) => {
    // A vector that points nowhere is like nothing.
    const vector = embedded && record.vector ? { vector: cosine(embedded.vector, record.vector) || 0 } : {}
    const scores = { ...vector, ...tokens[at], ...wordsOf(nominated.get(record.key) as NominatedChild) }
    return toHit(record, scores)
  })
}

function toHit(record: ChildRecord, scores: LegScores): Hit {
  const { id, kind, end, workspace, document, parent, section, index, outline, header, note } = record
  const start = record.start + record.lead
  const text = parent.text.slice(start - parent.start, end - parent.start)
  const hit = {
    id,
    kind,
    start,
    end,
    text,
    score: fuse(scores, evidenceWeights),
    scores,
    workspace,
    document,
    parent,
    section,
    index,
    outline,
  }
  return { ...hit, ...(header === undefined ? {} : { header }), ...(note === undefined ? {} : { note }) }
}

function byScore(left: Hit, right: Hit): number {
  if (left.score !== right.score) return right.score - left.score
  if (left.document.id !== right.document.id) return left.document.id < right.document.id ? -1 : 1
  return left.index - right.index
}
