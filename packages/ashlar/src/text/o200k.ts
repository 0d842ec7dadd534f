import tokens from 'gpt-tokenizer/bpeRanks/o200k_base'
import { bytePairCounter } from './byte-pair.ts'
import type { Counter } from './counter.ts'
import { o200kPieces } from './pre-token.ts'

/**
 * Counts tokens exactly as OpenAI's o200k_base has them: GPT-4o and all later models.
 *
 * Needs the optional peer `gpt-tokenizer`, for its table of tokens only.
 *
 * @example
 * console.log(o200k('Ashlar: stone cut so true that it needs no mortar.')) // => 13
 */
export const o200k: Counter = bytePairCounter({ id: 'o200k', tokens, pieces: o200kPieces })
