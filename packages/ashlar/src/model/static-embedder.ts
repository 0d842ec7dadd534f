import { AshlarError } from '../error/ashlar-error.ts'
import { type WordPieceTokenizer, wordPieceTokenizer } from '../text/tokenizer-counter.ts'
import type { Encoding } from '../text/word-piece.ts'
import type { Embedded, Embedder, EmbedderIdentity, EmbedOptions, ThreadModel, TokenPlaces, TokenStates } from './embedder.ts'
import { staticMean } from './static-mean.ts'
import { readStaticWeights, type StaticWeights } from './static-weights.ts'
import { noUsage } from './usage.ts'

/** The files of a static model, as bytes and data: nothing is read from a disk or a network here. */
export interface StaticEmbedderOptions {
  /** The model's `tokenizer.json`, parsed or as text. It must be a WordPiece tokenizer, as BERT's is. */
  readonly tokenizer: unknown
  /** The model's `model.safetensors`. Kept and read when needed: do not write to it afterwards. */
  readonly weights: Uint8Array | ArrayBufferLike
  /** The model's `config.json`, parsed; only `normalize` is looked at. @default vectors of length 1 */
  readonly config?: { readonly normalize?: unknown } & Readonly<Record<string, unknown>>
  /** Names the model in the identity, after `static/`. @default 'model2vec' */
  readonly name?: string
  /**
   * Tells these two files from any others in the identity, where who ships them knows it from an embedder that was made of them before; the
   * vocabulary is then read when something is first embedded. @default a hash of both
   */
  readonly fingerprint?: string
}

/** After this many code units other work gets a turn, and an abort is noticed. */
const turn = 0x4_0000

/**
 * An embedder that looks up one vector a token and takes their mean: no network, neural or other, and no native code. Runs in
 * browsers, takes about fifteen microseconds for a sentence, and has no limit on length.
 *
 * Reads models in the layout of model2vec. Documents and queries are embedded alike. A text without any token that the model
 * knows (empty, white space, a script outside its vocabulary) gets the zero vector, which is similar to nothing.
 *
 * ```ts no-run needs the files of a model
 * import { readFile } from 'node:fs/promises'
 * import { staticEmbedder } from 'ashlar/static'
 *
 * const [tokenizer, weights] = await Promise.all([readFile('model/tokenizer.json', 'utf8'), readFile('model/model.safetensors')])
 * const embedder = staticEmbedder({ tokenizer, weights, name: 'potion-base-8M' })
 * ```
 *
 * @throws AshlarError `INVALID_MODEL` if weights and tokenizer cannot be read or do not belong together.
 * @throws AshlarError `UNSUPPORTED_TOKENIZER` if the tokenizer is not WordPiece.
 */
export function staticEmbedder(options: StaticEmbedderOptions): Embedder {
  const { tokenizer, config, name = 'model2vec' } = options
  let file = options.weights instanceof Uint8Array ? options.weights : new Uint8Array(options.weights)
  let shared: Uint8Array | undefined
  let current = readStaticWeights(file)
  const { dimensions, size, type } = current
  const weights: StaticWeights = {
    dimensions,
    size,
    type,
    row: (id) => current.row(id),
    addRows: (ids, first, after, sums) => current.addRows(ids, first, after, sums),
    hasDirection: (id) => current.hasDirection(id),
  }
  let made: WordPieceTokenizer | undefined
  const words = (): WordPieceTokenizer => {
    made ??= wordsFor(tokenizer, size)
    return made
  }
  const { fingerprint = `${words().counter.id}-${hashOf(file)}` } = options
  const normalized = config?.normalize !== false
  const mean = staticMean(weights, normalized)
  const identity: EmbedderIdentity = {
    model: `static/${name}`,
    options: { weights: weights.type, fingerprint },
    dimensions: weights.dimensions,
    pooling: 'mean',
    normalized,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: undefined,
  }

  async function embed(texts: readonly string[], { tokens = false, signal }: EmbedOptions): Promise<Embedded> {
    signal?.throwIfAborted()
    const vectors: Float32Array[] = []
    const states: TokenStates[] = []
    let inputTokens = 0
    let done = 0
    for (const text of texts) {
      if (done >= turn) {
        done = 0
        await new Promise((resolve) => setTimeout(resolve))
        signal?.throwIfAborted()
      }
      done += text.length
      const encoding = words().encode(text)
      inputTokens += encoding.ids.length
      const known = without(encoding, words().unknownId)
      vectors.push(mean(known.ids))
      if (tokens) states.push(tokenStates(known, weights))
    }
    const usage = { ...noUsage, inputTokens }
    return tokens ? { vectors, tokens: states, usage } : { vectors, usage }
  }

  function encode(text: string): TokenPlaces {
    const encoding = words().encode(text)
    const { ids, starts, ends } = without(encoding, words().unknownId)
    return {
      ids: Uint32Array.from(ids),
      starts: Uint32Array.from(starts),
      ends: Uint32Array.from(ends),
      count: encoding.ids.length,
    }
  }

  function forThread(): ThreadModel {
    if (shared === undefined) {
      shared = inSharedMemory(file)
      // From here on all read the same bytes, and those that were given can be forgotten.
      current = readStaticWeights(shared)
      file = shared
    }
    return { kind: 'static', tokenizer, weights: shared, config: { normalize: normalized }, name, fingerprint }
  }

  const tokenTable = { ...weights, encode }
  return {
    identity,
    maxBatch: 1024,
    get counter() {
      return words().counter
    },
    givesTokens: true,
    tokenTable,
    forThread,
    embed,
  }
}

function wordsFor(tokenizer: unknown, vectors: number): WordPieceTokenizer {
  const words = wordPieceTokenizer(tokenizer, 'Take a static model that was made with a vocabulary of word pieces.')
  if (words.size <= vectors) return words
  throw new AshlarError(
    'INVALID_MODEL',
    `The tokenizer has ${words.size} tokens and the weights are for ${vectors}. They belong to different models.`,
    { details: { tokens: words.size, vectors } },
  )
}

function inSharedMemory(bytes: Uint8Array): Uint8Array {
  if (typeof SharedArrayBuffer === 'undefined' || bytes.buffer instanceof SharedArrayBuffer) return bytes
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

/** The encoding with no unknown tokens in it; the same one where it has none. */
function without(encoding: Encoding, unknownId: number): Encoding {
  if (!encoding.ids.includes(unknownId)) return encoding
  const known: Encoding = { ids: [], starts: [], ends: [] }
  encoding.ids.forEach((id, at) => {
    if (id === unknownId) return
    known.ids.push(id)
    known.starts.push(encoding.starts[at] as number)
    known.ends.push(encoding.ends[at] as number)
  })
  return known
}

function tokenStates({ ids, starts, ends }: Encoding, weights: StaticWeights): TokenStates {
  const { dimensions } = weights
  const states = new Float32Array(ids.length * dimensions)
  ids.forEach((id, at) => {
    states.set(weights.row(id), at * dimensions)
  })
  return { starts: Uint32Array.from(starts), ends: Uint32Array.from(ends), ids: Uint32Array.from(ids), states }
}

/** 64 bits of a hash of the weights: models without a name of their own, or with one in common, are not to be mixed up. */
function hashOf(file: Uint8Array): string {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  let left = file.length | 0
  let right = 0x9e37_79b9 | 0
  for (let at = 0; at + 4 <= file.length; at += 4) {
    const word = view.getInt32(at, true)
    left = Math.imul(left ^ word, 0x85eb_ca6b)
    left ^= left >>> 15
    right = Math.imul(right + word, 0xc2b2_ae35)
    right ^= right >>> 13
  }
  for (let at = file.length & ~3; at < file.length; at++) left = Math.imul(left ^ (file[at] as number), 0x0100_0193)
  return [left, right].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
