/**
 * Exact token counters for OpenAI's encodings. Needs the optional peer `gpt-tokenizer`, for its tables of tokens only.
 *
 * `ashlar/tokens/cl100k` and `ashlar/tokens/o200k` load one table instead of both.
 */
export { cl100k } from './text/cl100k.ts'
export { o200k } from './text/o200k.ts'
