import type { Count, DetailedCounter } from './count.ts'
import type { Counter } from './counter.ts'
import { pieceMeasure } from './piece-measure.ts'
import {
  readTokenizerJson,
  specialTokensAround,
  type TokenizerJson,
  tokenizerId,
  unsupported,
  wordPieceOptions,
} from './tokenizer-json.ts'
import { isWhiteSpace } from './white-space.ts'
import { type Encoding, type WordPiece, type WordPieceOptions, wordPiece } from './word-piece.ts'

/** How a counter is made from a `tokenizer.json`. */
export interface TokenizerCounterOptions {
  /**
   * Whether the special tokens that the model wants around a text (`[CLS]`, `[SEP]`) are counted: the model reads them too,
   * and its limit includes them. Set it to false where a prompt's parts are counted apart and joined later.
   * @default true
   */
  readonly specialTokens?: boolean
  /**
   * The class `Tokenizer` of @huggingface/tokenizers, or one like it: needed for all tokenizers but BERT's WordPiece, which is
   * counted here, twenty times as fast and on text of any kind.
   */
  readonly engine?: TokenizerEngine
  /** Names the counter. @default the kind and size of the vocabulary and a hash of the file */
  readonly id?: string
}

/** What is needed of a tokenizer class. */
export type TokenizerEngine = new (
  tokenizer: object,
  config: object,
) => { encode(text: string, options: { add_special_tokens: boolean }): { readonly ids: { readonly length: number } } }

/**
 * A counter for the model that a Hugging Face `tokenizer.json` belongs to: the text of the file, or what it parses to.
 *
 * The `truncation` and `padding` written in it are ignored. Exact; with an `engine`, texts with a run of more than 8,192 code units
 * without white space are estimated in part, which `count()` reports.
 *
 * @throws AshlarError `UNSUPPORTED_TOKENIZER` if the file cannot be used; the message says what to do.
 */
export function tokenizerCounter(json: unknown, options: TokenizerCounterOptions = {}): Counter {
  const tokenizer = readTokenizerJson(json)
  const { id = tokenizerId(tokenizer), specialTokens = true, engine } = options
  const word = wordPieceOptions(tokenizer)
  if (word === undefined) return engineCounter(id, tokenizer, specialTokens, engine)
  const overhead = specialTokens ? specialTokensAround(tokenizer.post_processor) : 0
  return pieceCounter(id, wordPiece({ ...word, overhead }))
}

/**
 * Encodes texts with the WordPiece tokenizer of a `tokenizer.json`: ids, and the place in the text that each was made from.
 *
 * Without special tokens around them; pure and synchronous, for models that only need to look vectors up.
 *
 * @throws AshlarError `UNSUPPORTED_TOKENIZER` if it is a tokenizer of another kind.
 */
export function wordPieceEncoder(json: unknown): (text: string) => Encoding {
  return wordPiece(readWordPiece(json, 'Use the class Tokenizer of @huggingface/tokenizers instead.').options).encode
}

/** A WordPiece tokenizer that both encodes and counts, without special tokens around a text. */
export interface WordPieceTokenizer {
  readonly encode: (text: string) => Encoding
  readonly counter: Counter
  /** What stands for words that the vocabulary cannot spell. */
  readonly unknownId: number
  /** All ids are below this. */
  readonly size: number
}

/** Makes the encoder and the counter of a `tokenizer.json` on one copy of its vocabulary; `todo` is advice for other kinds. */
export function wordPieceTokenizer(json: unknown, todo: string): WordPieceTokenizer {
  const { tokenizer, options } = readWordPiece(json, todo)
  const pieces = wordPiece(options)
  let size = 0
  for (const ids of [options.vocabulary, options.addedTokens]) for (const id of ids.values()) size = Math.max(size, id + 1)
  return { encode: pieces.encode, counter: pieceCounter(tokenizerId(tokenizer), pieces), unknownId: options.unknownId, size }
}

function readWordPiece(json: unknown, todo: string): { tokenizer: TokenizerJson; options: WordPieceOptions } {
  const tokenizer = readTokenizerJson(json)
  const options = wordPieceOptions(tokenizer)
  if (options !== undefined) return { tokenizer, options }
  throw unsupported(`is no WordPiece tokenizer of BERT's kind but ${tokenizer.model.type ?? 'of an unnamed kind'}`, todo, {
    details: { type: tokenizer.model.type },
  })
}

function pieceCounter(id: string, pieces: WordPiece): Counter {
  return Object.assign((text: string) => countPieces(pieces, text), {
    id,
    accuracy: 'exact' as const,
    measure: (text: string) => pieceMeasure(text, pieces),
  })
}

function countPieces(pieces: WordPiece, text: string): number {
  let total = pieces.overhead
  for (let at = 0; at < text.length; ) {
    const end = pieces.end(text, at, text.length)
    total += pieces.count(text, at, end)
    at = end
  }
  return total
}

/** Runs without white space of more code units than this are sampled: engines need microseconds and much memory for each of them. */
const longestRun = 8192
const sample = 2048

function engineCounter(
  id: string,
  tokenizer: TokenizerJson,
  specialTokens: boolean,
  Engine: TokenizerEngine | undefined,
): DetailedCounter {
  const { type = 'of an unnamed kind' } = tokenizer.model
  if (Engine === undefined) {
    throw unsupported(
      `is ${type}, for which an engine is needed`,
      'Install @huggingface/tokenizers and pass its class: tokenizerCounter(json, { engine: Tokenizer }).',
      { details: { type } },
    )
  }
  let engine: InstanceType<TokenizerEngine>
  try {
    const absent = { normalizer: null, pre_tokenizer: null, post_processor: null, decoder: null, added_tokens: [] }
    engine = new Engine({ ...absent, ...tokenizer, truncation: null, padding: null }, {})
  } catch (cause) {
    throw unsupported(`is ${type}, which the engine refuses`, 'See the cause of this error.', { details: { type }, cause })
  }
  const encode = (text: string): number => engine.encode(text, { add_special_tokens: specialTokens }).ids.length
  const detail = (text: string): Count => {
    const runs = longRuns(text)
    if (runs.length === 0) return { tokens: encode(text), method: id, accuracy: 'exact' }
    const around = encode('')
    let rest = ''
    let at = 0
    let estimated = 0
    for (const [start, end] of runs) {
      rest += text.slice(at, start)
      at = end
      // Both ends and the middle stand for the whole.
      const middle = (start + end) >>> 1
      const samples = [start, middle, end - sample].map((from) => encode(text.slice(from, from + sample)) - around)
      estimated += Math.ceil((samples.reduce((sum, tokens) => sum + tokens, 0) * (end - start)) / (samples.length * sample))
    }
    const reason = `Only samples were counted of what goes on for over ${longestRun} code units without white space (${runs.length} times).`
    return {
      tokens: encode(rest + text.slice(at)) + estimated,
      method: id,
      accuracy: 'estimated',
      fallback: { method: id, reason },
    }
  }
  return Object.assign((text: string) => detail(text).tokens, { id, accuracy: 'exact' as const, detail })
}

/** Where the text goes on without white space for longer than engines are trusted with. */
function longRuns(text: string): [start: number, end: number][] {
  const runs: [number, number][] = []
  if (text.length <= longestRun) return runs
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !isWhiteSpace(text.charCodeAt(at))) continue
    if (at - start > longestRun) runs.push([start, at])
    start = at + 1
  }
  return runs
}
