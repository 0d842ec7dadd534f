import type { AshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import { embedAll } from '../model/embed-all.ts'
import type { Embedder } from '../model/embedder.ts'
import { Channel } from './channel.ts'

/** What became of the texts of one document. */
export interface EmbeddedTexts<Document> {
  readonly document: Document
  /** In the order of its texts. */
  readonly vectors: readonly (Float32Array | undefined)[]
  /** How many of them needed no call of their own. */
  readonly cached: number
  /** The first that went wrong. */
  readonly error: AshlarError | undefined
}

interface Job<Document> {
  readonly document: Document
  readonly vectors: (Float32Array | undefined)[]
  missing: number
  cached: number
  error: AshlarError | undefined
}

/**
 * Embeds the texts of many documents in batches that do not care where one document ends: small files do not cost a call each.
 *
 * Documents come out when their last text is embedded; those without any come out at once. How many are under way is bounded by what
 * `embedAll` reads ahead and by how fast they are taken.
 */
export async function* embedAcross<Document>(
  embedder: Embedder,
  documents: AsyncIterable<Document>,
  textsOf: (document: Document) => readonly string[],
  options: WorkOptions,
): AsyncGenerator<EmbeddedTexts<Document>, void, undefined> {
  const ready = new Channel<EmbeddedTexts<Document>>(32, () => 1)
  const left = new AbortController()
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
  const queue: { readonly job: Job<Document>; readonly at: number }[] = []
  async function* items(): AsyncGenerator<string, void, undefined> {
    for await (const document of documents) {
      const texts = textsOf(document)
      const job: Job<Document> = {
        document,
        vectors: texts.map(() => undefined),
        missing: texts.length,
        cached: 0,
        error: undefined,
      }
      if (texts.length === 0) await ready.put(job)
      for (const [at, text] of texts.entries()) {
        queue.push({ job, at })
        yield text
      }
    }
  }
  const work = async (): Promise<void> => {
    let next = 0
    for await (const outcome of embedAll(embedder, items(), { ...options, signal })) {
      const { job, at } = queue[next] as (typeof queue)[number]
      next++
      if (next >= 1_024) {
        queue.splice(0, next)
        next = 0
      }
      if (outcome.error !== undefined) job.error ??= outcome.error
      else {
        job.vectors[at] = outcome.vector
        if (outcome.cached) job.cached++
      }
      if (--job.missing === 0) await ready.put(job)
    }
    ready.close()
  }
  const working = work().catch((error: unknown) => ready.fail(error))
  try {
    yield* ready
  } finally {
    left.abort(new DOMException('The vectors are not wanted any more', 'AbortError'))
    ready.fail(left.signal.reason)
    await working
  }
}
