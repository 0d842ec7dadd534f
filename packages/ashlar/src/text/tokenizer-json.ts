import { AshlarError } from '../error/ashlar-error.ts'
import type { WordPieceOptions } from './word-piece.ts'

/** The parts of a Hugging Face `tokenizer.json` that are looked at here. Everything else in it is left to the engine. */
export interface TokenizerJson {
  readonly model: { readonly type?: string; readonly vocab: unknown } & Readonly<Record<string, unknown>>
  readonly normalizer?: Component | null
  readonly pre_tokenizer?: Component | null
  readonly post_processor?: Component | null
  readonly added_tokens?: readonly AddedToken[]
}

type Component = { readonly type?: string } & Readonly<Record<string, unknown>>

interface AddedToken {
  readonly id: number
  readonly content: string
  readonly normalized?: boolean
  readonly special?: boolean
}

/** Checks that `json` is a `tokenizer.json`, as text or parsed, and gives what of it is needed. */
export function readTokenizerJson(json: unknown): TokenizerJson {
  let parsed = json
  if (typeof json === 'string') {
    try {
      parsed = JSON.parse(json)
    } catch (cause) {
      throw unsupported('is not JSON', 'Pass the content of the model’s tokenizer.json.', { cause })
    }
  }
  if (!isRecord(parsed)) throw unsupported('is no object', 'Pass the content of the model’s tokenizer.json.')
  const { model, added_tokens: addedTokens = [] } = parsed
  const vocabulary = isRecord(model) ? model['vocab'] : undefined
  if (
    !isRecord(model) ||
    typeof vocabulary !== 'object' ||
    vocabulary === null ||
    (model['type'] !== undefined && typeof model['type'] !== 'string')
  ) {
    throw unsupported(
      'has no model with a vocabulary',
      'Files such as tokenizer_config.json or vocab.txt do not say how to tokenize: pass tokenizer.json.',
    )
  }
  const isAdded = (token: unknown): boolean =>
    isRecord(token) && typeof token['content'] === 'string' && token['content'] !== '' && Number.isInteger(token['id'])
  if (!Array.isArray(addedTokens) || !addedTokens.every(isAdded)) {
    throw unsupported('has a list of added tokens that cannot be read', 'Fetch the file again from where the model comes from.')
  }
  return parsed as unknown as TokenizerJson
}

/** The error for a tokenizer that cannot be used: what is wrong with it, and what to do. */
export function unsupported(
  what: string,
  todo: string,
  options: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
): AshlarError {
  return new AshlarError('UNSUPPORTED_TOKENIZER', `This tokenizer ${what}. ${todo}`, options)
}

/** A name for the tokenizer: its kind, the size of its vocabulary, and a hash of everything that decides about counts. */
export function tokenizerId({ model, normalizer, pre_tokenizer, post_processor, added_tokens = [] }: TokenizerJson): string {
  const { vocab, ...rest } = model
  let hash = 0x811c_9dc5
  const addUnits = (text: string): void => {
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193)
  }
  const add = (...parts: readonly string[]): void => {
    for (const part of parts) addUnits(part)
    hash = Math.imul(hash ^ 0xffff, 0x0100_0193)
  }
  const entries = Object.keys(vocab as object)
  for (const piece of entries) add(piece, ' ', String((vocab as Record<string, unknown>)[piece]))
  add(JSON.stringify([rest, normalizer, pre_tokenizer, post_processor, added_tokens.map(({ content, id }) => [content, id])]))
  return `${String(model.type ?? 'tokenizer').toLowerCase()}-${entries.length}-${(hash >>> 0).toString(16).padStart(8, '0')}`
}

/**
 * What {@link WordPieceOptions} the file amounts to, or nothing if it is a tokenizer of another kind.
 *
 * `truncation` and `padding` are not looked at: they say how long a model's input may be, not how long a text is.
 */
export function wordPieceOptions(json: TokenizerJson): WordPieceOptions | undefined {
  const { model, normalizer, pre_tokenizer: preTokenizer, added_tokens: addedTokens = [] } = json
  if (model.type !== 'WordPiece' || normalizer?.type !== 'BertNormalizer' || preTokenizer?.type !== 'BertPreTokenizer') {
    return undefined
  }
  // Matching after normalization is not done here, and only special tokens are spared it by default.
  if (addedTokens.some(({ normalized, special }) => normalized ?? !special)) return undefined
  const vocabulary = new Map<string, number>()
  const ids = model.vocab as Record<string, unknown>
  for (const piece of Object.keys(ids)) {
    const id = ids[piece]
    if (typeof id !== 'number' || !Number.isInteger(id)) {
      throw unsupported(`has the id ${String(id)} for “${piece}”`, 'Fetch the file again from where the model comes from.')
    }
    vocabulary.set(piece, id)
  }
  const unknown = String(model['unk_token'] ?? '[UNK]')
  const added = new Map(addedTokens.map(({ content, id }) => [content, id]))
  const unknownId = added.get(unknown) ?? vocabulary.get(unknown)
  if (unknownId === undefined) {
    throw unsupported(`does not have its own unknown token “${unknown}”`, 'Fetch the file again from where the model comes from.')
  }
  const lowercase = normalizer['lowercase'] === true
  return {
    vocabulary,
    unknownId,
    continuingPrefix: String(model['continuing_subword_prefix'] ?? '##'),
    longestWord: Number(model['max_input_chars_per_word'] ?? 100),
    normalizer: {
      cleanText: normalizer['clean_text'] === true,
      handleChineseCharacters: normalizer['handle_chinese_chars'] === true,
      lowercase,
      stripAccents: normalizer['strip_accents'] === true || (lowercase && normalizer['strip_accents'] !== false),
    },
    addedTokens: added,
  }
}

/** How many special tokens the file puts around a single text. */
export function specialTokensAround(postProcessor: Component | null | undefined): number {
  switch (postProcessor?.type) {
    case undefined:
    case 'ByteLevel':
      return 0
    case 'BertProcessing':
    case 'RobertaProcessing':
      return 2
    case 'TemplateProcessing': {
      const single = postProcessor['single']
      return Array.isArray(single) ? single.filter((item) => isRecord(item) && 'SpecialToken' in item).length : 0
    }
    case 'Sequence': {
      const steps = postProcessor['processors']
      return Array.isArray(steps) ? steps.reduce((sum: number, step) => sum + specialTokensAround(step as Component), 0) : 0
    }
    default:
      throw unsupported(
        `has the post-processor ${postProcessor?.type}, which is not known here`,
        'Set specialTokens to false to count without special tokens.',
        { details: { type: postProcessor?.type } },
      )
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
