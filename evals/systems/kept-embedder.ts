import type { Embedded, Embedder, EmbedOptions } from 'ashlar/models'
import { processTime } from '../../bench/harness/interleave.ts'
import { recordedEmbedder } from '../../bench/late/recorded-embedder.ts'
import { queryFolder } from '../eval-cache.ts'

/** The same embedder, whose answers to questions are kept between runs, and whose time is taken. Documents are for the journal to keep. */
export class KeptEmbedder implements Embedder {
  /** Set to have questions embedded although their vectors are kept. */
  fresh = false
  /** CPU milliseconds spent on questions. */
  time = 0
  readonly #embedder: Embedder
  readonly #recorded: Embedder
  readonly identity: Embedder['identity']
  readonly maxBatch: number
  readonly givesTokens: boolean
  readonly counter?: NonNullable<Embedder['counter']>
  readonly tokenTable?: NonNullable<Embedder['tokenTable']>

  constructor(embedder: Embedder) {
    this.#embedder = embedder
    // A table of vectors is faster than any file.
    this.#recorded = embedder.tokenTable === undefined ? recordedEmbedder(embedder, queryFolder()) : embedder
    this.identity = embedder.identity
    this.maxBatch = embedder.maxBatch
    this.givesTokens = embedder.givesTokens
    if (embedder.counter !== undefined) this.counter = embedder.counter
    if (embedder.tokenTable !== undefined) this.tokenTable = embedder.tokenTable
  }

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Embedded> {
    if (options.as === 'document') return this.#embedder.embed(texts, options)
    const before = processTime()
    const embedded = await (this.fresh ? this.#embedder : this.#recorded).embed(texts, options)
    this.time += processTime() - before
    return embedded
  }
}
