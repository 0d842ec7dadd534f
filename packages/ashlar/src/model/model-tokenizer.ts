import type { Counter } from '../text/counter.ts'
import { type TokenizerEngine, tokenizerCounter, wordPieceEncoder } from '../text/tokenizer-counter.ts'
import { readTokenizerJson, wordPieceOptions } from '../text/tokenizer-json.ts'
import type { ModelFolder } from './model-folder.ts'
import type { openTransformers } from './onnx-model.ts'
import { type TokenTemplate, tokenTemplate } from './token-template.ts'

/** A text's tokens without special ones, and the code units each was made from where the tokenizer tells. */
export interface TextTokens {
  readonly ids: readonly number[]
  readonly starts?: readonly number[]
  readonly ends?: readonly number[]
}

/** Makes tokens as a model wants them. */
export interface ModelTokenizer {
  encode(text: string): TextTokens
  readonly template: TokenTemplate
  /** Counts without special tokens. */
  readonly counter: Counter
  readonly givesOffsets: boolean
}

/**
 * The tokenizer of a model folder: Ashlar's own where it is BERT's WordPiece, which knows where each token stands in the text;
 * else that of transformers.js, which does not say.
 */
export async function openModelTokenizer(
  transformers: Awaited<ReturnType<typeof openTransformers>>,
  folder: ModelFolder,
): Promise<ModelTokenizer> {
  const json = readTokenizerJson(folder.tokenizer)
  const template = tokenTemplate(json.post_processor)
  if (wordPieceOptions(json) !== undefined) {
    const counter = tokenizerCounter(json, { specialTokens: false })
    return { encode: wordPieceEncoder(json), template, counter, givesOffsets: true }
  }
  const tokenizer = await transformers.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true })
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false })
  const engine = class {
    encode(text: string): { ids: number[] } {
      return { ids: encode(text) }
    }
  } satisfies TokenizerEngine
  const counter = tokenizerCounter(json, { specialTokens: false, engine })
  return { encode: (text) => ({ ids: encode(text) }), template, counter, givesOffsets: false }
}
