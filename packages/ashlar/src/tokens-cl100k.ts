/**
 * The exact token counter of OpenAI's encoding cl100k alone. Needs gpt-tokenizer beside it.
 *
 * @module ashlar/tokens/cl100k
 */
export { cl100k } from './text/cl100k.ts'
