import { cutVersion } from '../chunk/pack.ts'
import { canonical } from '../model/identity-key.ts'
import { embeddingKey } from '../store/checked-document.ts'
import type { Metadata } from '../store/filter.ts'
import { sha256 } from '../text/sha-256.ts'
import { resolveTreeOptions } from '../tree/tree-options.ts'
import { embeddingIdentity } from './embedding-identity.ts'
import type { Ingest } from './ingest.ts'

/** What is given with a document. */
interface Described {
  readonly title?: string | undefined
  readonly metadata?: Metadata | undefined
  readonly source?: string | undefined
}

/** Raised when the same bytes and options come to be stored in another way. */
const version = 1

/**
 * One short string for everything but its bytes and its loader that decides what is stored of a document. It is kept with the document:
 * one that was made by another recipe is made again, and whatever is the same then is not paid for again.
 */
export function recipes(ingest: Ingest): (item: Described) => string {
  const { child, parent, section, least, overlap, counter } = resolveTreeOptions(ingest.tree ?? {})
  const identity = embeddingIdentity(ingest)
  const common = canonical({
    version,
    cut: cutVersion,
    tree: [child, parent, section, least, overlap, counter.id],
    embedding: identity === undefined ? null : embeddingKey(identity),
    enrich: ingest.enrich === undefined ? null : written(ingest.enrich),
  })
  return ({ title, metadata, source }) => sha256(`${common}${canonical({ title, metadata, source })}`, 64)
}

function written(enrich: NonNullable<Ingest['enrich']>): unknown {
  const { generator, kinds, template, questions, keywords } = enrich
  return { generator: generator.identity, kinds, template, questions, keywords }
}
