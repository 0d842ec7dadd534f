import fc from 'fast-check'

import { isAshlarError } from '../error/ashlar-error.ts'
import type { Embedded, Embedder, TokenStates } from '../model/embedder.ts'
import {
  awkwardTexts,
  checkAbort,
  checkSerialisable,
  checkUsage,
  type ModelContractOptions,
  must,
  once,
  rejection,
  resultOrRefusal,
} from './model-contract.ts'
import { textArbitrary } from './text-arbitrary.ts'

/** What {@link embedderContract} needs to know. */
export interface EmbedderContractOptions extends ModelContractOptions {
  /** Makes the embedder, once for all tests. */
  readonly embedder: () => Embedder | Promise<Embedder>
  /**
   * Most that a number of a vector may differ when the same text is embedded again, alone or among others. Runtimes that add in
   * another order for another batch need some room. @default 0.0001
   */
  readonly tolerance?: number
  /** Least cosine between the mean of a text's token states and its vector, where pooling is the mean. @default 0.9 */
  readonly poolingSimilarity?: number
  /** Generator of texts in place of the built-in one. */
  readonly texts?: fc.Arbitrary<string>
}

const sentences: readonly string[] = [
  'Ashlar is stone that was dressed to fit.',
  'The mortar between the courses is thin.',
  'A keystone closes the arch and holds it.',
  'Rubble walls are laid without dressing.',
  'Rain runs off a coping that overhangs.',
  'The quarry lies two days to the north.',
]

/**
 * Registers what every embedder promises as tests: one vector a text and in order, dimensions and length as the identity says,
 * the same vector for the same text, nothing truncated, nothing but an `AshlarError` or the signal's reason thrown.
 */
export function embedderContract(options: EmbedderContractOptions): void {
  const { name, test, runs = 25, seed = 20261115, timeout = 120_000, tolerance = 1e-4, poolingSimilarity = 0.9 } = options
  const embedder = once(options.embedder)
  const texts = options.texts ?? textArbitrary()
  const law = (promise: string, body: (embedder: Embedder) => Promise<void>): void => {
    test(`${name}: ${promise}`, async () => body(await embedder()), timeout)
  }

  law('gives one vector a text, in order, whatever else is in the batch', async (model) => {
    const batch = sentences.slice(0, model.maxBatch)
    const { vectors } = await embedChecked(model, batch, 'document')
    for (const [index, text] of batch.entries()) {
      const [alone] = (await embedChecked(model, [text], 'document')).vectors
      checkSame(alone, vectors[index], tolerance, `text ${index} alone and in a batch`)
    }
    const reversed = (await embedChecked(model, batch.toReversed(), 'document')).vectors.toReversed()
    for (const [index, vector] of vectors.entries())
      checkSame(vector, reversed[index], tolerance, `text ${index} in a batch turned round`)
    for (const [index, vector] of vectors.entries()) {
      const twin = vectors.findIndex((other, at) => at !== index && distance(vector, other) <= tolerance)
      must(twin < 0, `texts ${index} and ${twin} differ but have the same vector`)
    }
  })

  law('gives the same vector for the same text, and each caller its own', async (model) => {
    const [text = ''] = sentences
    const twice = model.maxBatch > 1 ? [text, text] : [text]
    const { vectors } = await embedChecked(model, twice, 'document')
    const kept = Float32Array.from(vectors[0] as Float32Array)
    checkSame(vectors.at(-1), kept, tolerance, 'one text twice in a batch')
    for (const vector of vectors) vector.fill(7)
    const again = await embedChecked(model, [text], 'document')
    checkSame(again.vectors[0], kept, tolerance, 'a text after the caller wrote into its earlier vector')
  })

  law('does not mix up calls that run at once', async (model) => {
    const alone: Float32Array[] = []
    for (const text of sentences) alone.push(...(await embedChecked(model, [text], 'document')).vectors)
    const together = await Promise.all(sentences.map((text) => embedChecked(model, [text], 'document')))
    for (const [index, { vectors }] of together.entries())
      checkSame(vectors[0], alone[index], tolerance, `text ${index} among calls at once`)
  })

  law('treats queries and documents as its identity says', async (model) => {
    const [text = ''] = sentences
    const { queryPrefix, documentPrefix } = model.identity
    const [asDocument] = (await embedChecked(model, [text], 'document')).vectors
    const [asQuery] = (await embedChecked(model, [text], 'query')).vectors
    if (queryPrefix !== documentPrefix)
      must(
        distance(asDocument as Float32Array, asQuery as Float32Array) > tolerance,
        'prefixes differ, but query and document have the same vector',
      )
  })

  law('does nothing for no texts', async (model) => {
    const { vectors, tokens, usage } = await model.embed([], { as: 'document' })
    must(vectors.length === 0 && (tokens?.length ?? 0) === 0, `gave ${vectors.length} vectors for no texts`)
    checkUsage(usage)
    must(usage.inputTokens === 0, 'counted tokens for no texts')
  })

  law('stops when it is told to, with the reason it was given', (model) =>
    checkAbort((signal) => model.embed(sentences.slice(0, model.maxBatch), { as: 'document', signal })),
  )

  law('has an identity that is data and does not change', async (model) => {
    const before = model.identity
    checkSerialisable(before)
    const { vectors } = await embedChecked(model, sentences.slice(0, 1), 'document')
    const after = model.identity
    must(
      after.dimensions === vectors[0]?.length,
      `the identity says ${after.dimensions} dimensions, vectors have ${vectors[0]?.length}`,
    )
    const dimensions = before.dimensions ?? after.dimensions
    must(
      JSON.stringify({ ...before, dimensions }) === JSON.stringify({ ...after, dimensions }),
      'the identity changed with a call',
    )
    must(before.dimensions === undefined || before.dimensions === after.dimensions, 'the dimensions changed with a call')
    must(Number.isInteger(model.maxBatch) && model.maxBatch > 0, `maxBatch is ${model.maxBatch}`)
    must((await embedder()).counter === model.counter, 'the counter changed')
  })

  law('embeds a text of just the length it may have and refuses the next longer one, naming it', async (model) => {
    const { counter, identity } = model
    if (counter?.accuracy !== 'exact' || identity.maxTokens === undefined) return
    const longest = longestText((text) => counter(identity.documentPrefix + text) <= (identity.maxTokens as number))
    await embedChecked(model, [longest], 'document')
    const batch = model.maxBatch > 1 ? [sentences[0] as string, `${longest} stone stone`] : [`${longest} stone stone`]
    const error = await rejection(model.embed(batch, { as: 'document' }), 'a text over the limit')
    must(
      isAshlarError(error) && error.code === 'TEXT_TOO_LONG',
      `a text over the limit ended with ${String(error)}, not TEXT_TOO_LONG`,
    )
    must(
      error.details['index'] === batch.length - 1,
      `TEXT_TOO_LONG names text ${String(error.details['index'])}, not ${batch.length - 1}`,
    )
  })

  law('takes a batch over its maximum in full or refuses it', async (model) => {
    if (model.maxBatch > 256) return
    const batch = Array.from({ length: model.maxBatch + 1 }, (_, index) => `stone ${index}`)
    const embedded = await resultOrRefusal(model.embed(batch, { as: 'document' }), 'a batch over the maximum')
    must(
      embedded === undefined || embedded.vectors.length === batch.length,
      `gave ${embedded?.vectors.length} vectors for ${batch.length} texts`,
    )
  })

  law('gives token states where it says so, each inside its text', async (model) => {
    if (!model.givesTokens) {
      const error = await rejection(
        model.embed(sentences.slice(0, 1), { as: 'document', tokens: true }),
        'asking for token states',
      )
      must(isAshlarError(error), `asking for token states ended with ${String(error)}, not with an AshlarError`)
      return
    }
    const batch = [...sentences, 'Ein Wort, two words, 三つの言葉 \u{1f9f1} end.'].slice(0, model.maxBatch)
    const embedded = await model.embed(batch, { as: 'document', tokens: true })
    must(embedded.tokens?.length === batch.length, `gave token states for ${embedded.tokens?.length} of ${batch.length} texts`)
    for (const [index, states] of embedded.tokens.entries())
      checkTokens(batch[index] as string, states, embedded.vectors[index]?.length ?? 0)
    if (model.identity.pooling === 'mean') {
      for (const [index, states] of embedded.tokens.entries())
        checkPooling(states, embedded.vectors[index] as Float32Array, poolingSimilarity, index)
    }
    const plain = await embedChecked(model, batch, 'document')
    must(plain.tokens === undefined, 'gave token states that were not asked for')
    for (const [index, vector] of plain.vectors.entries())
      checkSame(vector, embedded.vectors[index], tolerance, `text ${index} with and without token states`)
  })

  law('survives awkward texts or refuses them with an AshlarError', async (model) => {
    for (const text of awkwardTexts) await embedOrRefuse(model, [text])
    if (model.maxBatch > 1) await embedOrRefuse(model, awkwardTexts.filter((text) => text.trim() !== '').slice(0, model.maxBatch))
  })

  law(`keeps all this on ${runs} generated batches`, async (model) => {
    const batches = fc.array(texts, { minLength: 1, maxLength: Math.min(4, model.maxBatch) })
    await fc.assert(
      fc.asyncProperty(batches, fc.constantFrom('document' as const, 'query' as const), async (batch, as) => {
        const embedded = await embedOrRefuse(model, batch, as)
        if (embedded === undefined || !model.givesTokens) return
        const { tokens } = await model.embed(batch, { as, tokens: true })
        for (const [index, states] of (tokens ?? []).entries())
          checkTokens(batch[index] as string, states, embedded.vectors[index]?.length ?? 0)
      }),
      { numRuns: runs, seed },
    )
  })
}

async function embedChecked(model: Embedder, texts: readonly string[], as: 'document' | 'query'): Promise<Embedded> {
  const embedded = await model.embed(texts, { as })
  checkEmbedded(model, texts, embedded)
  return embedded
}

async function embedOrRefuse(
  model: Embedder,
  texts: readonly string[],
  as: 'document' | 'query' = 'document',
): Promise<Embedded | undefined> {
  const shown = JSON.stringify(texts.map((text) => text.slice(0, 60)))
  const embedded = await resultOrRefusal(model.embed(texts, { as }), shown)
  if (embedded !== undefined) checkEmbedded(model, texts, embedded)
  return embedded
}

function checkEmbedded(model: Embedder, texts: readonly string[], { vectors, usage }: Embedded): void {
  must(vectors.length === texts.length, `gave ${vectors.length} vectors for ${texts.length} texts`)
  for (const [index, vector] of vectors.entries()) {
    must(vector instanceof Float32Array, `vector ${index} is not a Float32Array`)
    must(
      vector.length > 0 && vector.length === vectors[0]?.length,
      `vector ${index} has ${vector.length} numbers, others ${vectors[0]?.length}`,
    )
    must(vector.every(Number.isFinite), `vector ${index} has numbers that are not finite`)
    if (!model.identity.normalized) continue
    const length = Math.sqrt(dot(vector, vector))
    // What has nothing to be embedded, such as white space, may have no direction.
    must(Math.abs(length - 1) < 1e-3 || length === 0, `vector ${index} has length ${length}, the identity says normalised`)
    must(length > 0 || !/\p{L}{3}/u.test(texts[index] as string), `vector ${index} is zero, but its text has words`)
  }
  checkUsage(usage)
}

function checkTokens(text: string, { starts, ends, ids, states }: TokenStates, dimensions: number): void {
  const count = ids.length
  const shown = JSON.stringify(text.slice(0, 60))
  must(starts.length === count && ends.length === count, `${shown}: ${count} ids, ${starts.length} starts, ${ends.length} ends`)
  must(states.length === count * dimensions, `${shown}: ${states.length} numbers for ${count} tokens of ${dimensions}`)
  must(states.every(Number.isFinite), `${shown}: token states that are not finite`)
  for (let at = 0; at < count; at++) {
    const start = starts[at] as number
    const end = ends[at] as number
    must(start <= end && end <= text.length, `${shown}: token ${at} says ${start}-${end} in a text of ${text.length}`)
    must(at === 0 || start >= (starts[at - 1] as number), `${shown}: token ${at} starts before the one before it`)
    must(at === 0 || end >= (ends[at - 1] as number), `${shown}: token ${at} ends before the one before it`)
  }
  must(count > 0 || !/\p{L}{3}/u.test(text), `${shown}: no tokens, but words`)
}

function checkPooling({ ids, states }: TokenStates, vector: Float32Array, least: number, index: number): void {
  const mean = new Float32Array(vector.length)
  for (let at = 0; at < states.length; at++)
    mean[at % vector.length] = (mean[at % vector.length] as number) + (states[at] as number) / ids.length
  const cosine = dot(mean, vector) / Math.sqrt(dot(mean, mean) * dot(vector, vector))
  must(
    cosine >= least,
    `text ${index}: the mean of its token states has a cosine of ${cosine.toFixed(3)} to its vector, at least ${least} was promised`,
  )
}

function checkSame(left: Float32Array | undefined, right: Float32Array | undefined, tolerance: number, what: string): void {
  must(left !== undefined && right !== undefined && left.length === right.length, `${what}: vectors of different dimensions`)
  const apart = distance(left, right)
  must(apart <= tolerance, `${what}: vectors differ by ${apart}, at most ${tolerance} was promised`)
}

/** The largest difference between two numbers in the same place. */
function distance(left: Float32Array, right: Float32Array): number {
  let most = 0
  for (let index = 0; index < left.length; index++)
    most = Math.max(most, Math.abs((left[index] as number) - (right[index] as number)))
  return most
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0
  for (let index = 0; index < left.length; index++) sum += (left[index] as number) * (right[index] as number)
  return sum
}

/** A text of as many words as fit. */
function longestText(fits: (text: string) => boolean): string {
  const text = (words: number): string =>
    Array.from({ length: words }, (_, index) => sentences[index % sentences.length]?.split(' ')[1]).join(' ')
  let low = 1
  let high = 2
  while (fits(text(high))) high *= 2
  while (low < high - 1) {
    const middle = (low + high) >> 1
    if (fits(text(middle))) low = middle
    else high = middle
  }
  return text(low)
}
