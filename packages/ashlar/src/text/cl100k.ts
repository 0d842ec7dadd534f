import tokens from 'gpt-tokenizer/bpeRanks/cl100k_base'
import { bytePairCounter } from './byte-pair.ts'
import type { Counter } from './counter.ts'
import { cl100kPieces } from './pre-token.ts'

/**
 * Counts tokens exactly as OpenAI's cl100k_base has them: text-embedding-3, GPT-4, GPT-3.5.
 *
 * Needs the optional peer `gpt-tokenizer`, for its table of tokens only.
 *
 * @example
 * console.log(cl100k('Ashlar: stone cut so true that it needs no mortar.')) // => 13
 */
export const cl100k: Counter = bytePairCounter({ id: 'cl100k', tokens, pieces: cl100kPieces })
