import { bytePairEncoder } from './byte-pair-encoder.ts'
import { bytePairMeasure } from './byte-pair-measure.ts'
import { byteVocabulary, type TokenTable } from './byte-vocabulary.ts'
import type { Counter } from './counter.ts'
import type { PieceEnd } from './pre-token.ts'

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
export function bytePairCounter({ id, tokens, pieces }: BytePairOptions): Counter {
  const open = () => ({ encoder: bytePairEncoder(byteVocabulary(tokens)), pieceEnd: pieces() })
  let tools: ReturnType<typeof open> | undefined
  const count = (text: string): number => {
    tools ??= open()
    const { encoder, pieceEnd } = tools
    let total = 0
    for (let at = 0; at < text.length; ) {
      const end = pieceEnd(text, at, text.length)
      total += encoder.count(text, at, end)
      at = end
    }
    return total
  }
  const measure: NonNullable<Counter['measure']> = (text) => {
    tools ??= open()
    return bytePairMeasure(text, tools.encoder, tools.pieceEnd)
  }
  return Object.assign(count, { id, accuracy: 'exact' as const, measure })
}
