import { bytePairEncoder } from './byte-pair-encoder.ts'
import { byteVocabulary, type TokenTable } from './byte-vocabulary.ts'
import type { LimitCounter } from './count.ts'
import type { Counter } from './counter.ts'
import type { PieceCounter } from './piece-counter.ts'
import { pieceMeasure } from './piece-measure.ts'
import { type PieceEnd, unsettledPieces } from './pre-token.ts'

/** What sets one byte-pair tokenizer apart from another. */
export interface BytePairOptions {
  readonly id: string
  /** Tokens by rank. */
  readonly tokens: TokenTable
  /** Makes the scanner of the tokenizer's pre-tokens. */
  readonly pieces: () => PieceEnd
}

/**
 * An exact counter for a byte-pair tokenizer of OpenAI's kind, in linear time on any text.
 *
 * Text that looks like a special token (`<|endoftext|>`) is counted as the text it is. Tables are laid out at the first count.
 */
export function bytePairCounter({ id, tokens, pieces }: BytePairOptions): LimitCounter {
  const open = () => {
    const vocabulary = byteVocabulary(tokens)
    const encoder: PieceCounter = Object.assign(bytePairEncoder(vocabulary), {
      end: pieces(),
      unsettled: unsettledPieces,
      overhead: 0,
    })
    return { encoder, longest: vocabulary.longest }
  }
  let tools: ReturnType<typeof open> | undefined
  /** Counts the text, or as much of it as takes the count over `limit`. */
  const countUpTo = (text: string, limit: number): number => {
    tools ??= open()
    const { encoder } = tools
    let total = 0
    for (let at = 0; at < text.length && total <= limit; ) {
      const end = encoder.end(text, at, text.length)
      total += encoder.count(text, at, end)
      at = end
    }
    return total
  }
  const count = (text: string): number => countUpTo(text, Number.POSITIVE_INFINITY)
  const isWithin = (text: string, limit: number): boolean => {
    // A code unit is one to three bytes, and a byte at most one token.
    if (text.length * 3 <= limit) return true
    tools ??= open()
    return text.length <= limit * tools.longest && countUpTo(text, limit) <= limit
  }
  const measure: NonNullable<Counter['measure']> = (text) => {
    tools ??= open()
    return pieceMeasure(text, tools.encoder)
  }
  return Object.assign(count, { id, accuracy: 'exact' as const, measure, isWithin })
}
