/** Token counters for any model that comes with a Hugging Face `tokenizer.json`. */
export {
  type TokenizerCounterOptions,
  type TokenizerEngine,
  tokenizerCounter,
  wordPieceEncoder,
} from './text/tokenizer-counter.ts'
export type { Encoding } from './text/word-piece.ts'
