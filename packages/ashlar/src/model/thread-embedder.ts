import type { Embedder, EmbedderIdentity, ThreadModel, TokenTable } from './embedder.ts'
import { staticEmbedder } from './static-embedder.ts'

/** A model as data, with what can be said of its embedder before it is opened. */
export interface ThreadEmbedder extends Pick<Embedder, 'maxBatch'> {
  readonly model: ThreadModel
  readonly identity: EmbedderIdentity
  readonly table: Pick<TokenTable, 'dimensions' | 'size'>
}

/** What makes data of an embedder for another thread; undefined where it is more than data. */
export function embedderForThread({ identity, maxBatch, tokenTable, forThread }: Embedder): (() => ThreadEmbedder) | undefined {
  if (forThread === undefined || tokenTable === undefined) return undefined
  const { dimensions, size } = tokenTable
  return () => ({ model: forThread(), identity, maxBatch, table: { dimensions, size } })
}

/**
 * The embedder of which {@link embedderForThread} made data. Its vocabulary is laid out when it first embeds: a thread that only hands
 * the model on never needs it.
 */
export function openThreadEmbedder({ model, identity, maxBatch, table }: ThreadEmbedder): Embedder {
  let opened: Embedder | undefined
  const embedder = (): Embedder => {
    opened ??= staticEmbedder(model)
    return opened
  }
  const rows = (): TokenTable => embedder().tokenTable as TokenTable
  return {
    identity,
    maxBatch,
    givesTokens: true,
    get counter() {
      return embedder().counter as NonNullable<Embedder['counter']>
    },
    tokenTable: { ...table, row: (id) => rows().row(id), encode: (text) => rows().encode?.(text) as never },
    forThread: () => model,
    embed: (texts, options) => embedder().embed(texts, options),
  }
}
