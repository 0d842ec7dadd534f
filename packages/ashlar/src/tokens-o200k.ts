/**
 * The exact token counter of OpenAI's encoding o200k alone. Needs gpt-tokenizer beside it.
 *
 * @module ashlar/tokens/o200k
 */
export { o200k } from './text/o200k.ts'
