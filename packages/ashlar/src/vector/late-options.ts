import { AshlarError } from '../error/ashlar-error.ts'
import type { Embedder, EmbedderIdentity } from '../model/embedder.ts'
import { identityKey } from '../model/identity-key.ts'
import type { TreePiece } from '../tree/tree.ts'
import { idCodec } from './id-codec.ts'
import { signCodec } from './sign-codec.ts'
import { englishStopWords } from './stop-words.ts'
import type { TokenCodec } from './token-codec.ts'
import type { StopWords } from './token-filter.ts'

/** What late vectors and token states are made with: the part of the options that decides what comes out. */
export interface LateOptions {
  /** Makes the vectors. */
  readonly embedder: Embedder
  /**
   * Makes the token states, where `embedder` gives none: a local model beside one behind an API. Children's vectors are then the
   * embedder's own, of each child by itself. @default embedder
   */
  readonly tokensFrom?: Embedder
  /** The text that a paired embedder reads of a child; part of the windows' keys. @default the child's own text */
  readonly textOf?: (child: TreePiece) => string
  /** How token states are kept. @default `idCodec` where tokens have one state in every text, else `signCodec` */
  readonly codec?: TokenCodec
  /** Most characters of a window. @default 800 */
  readonly window?: number
  /** Words whose tokens are not kept; tokens without a letter or digit never are. @default englishStopWords */
  readonly stopWords?: StopWords
}

/** {@link LateOptions} with every default filled in and checked. */
export interface ResolvedLateOptions {
  readonly embedder: Embedder
  readonly tokensFrom: Embedder
  readonly paired: boolean
  readonly codec: TokenCodec
  readonly window: number
  readonly stopWords: StopWords
}

export function resolveLateOptions(options: LateOptions): ResolvedLateOptions {
  const { embedder, tokensFrom = embedder, window = 800, stopWords = englishStopWords } = options
  const { codec = tokensFrom.tokenTable === undefined ? signCodec : idCodec(tokensFrom.tokenTable) } = options
  if (!tokensFrom.givesTokens) {
    throw new AshlarError(
      'INVALID_OPTION',
      `The embedder ${tokensFrom.identity.model} gives no token states. Pass one that does as tokensFrom, such as a local model.`,
      { details: { model: tokensFrom.identity.model } },
    )
  }
  if (!Number.isSafeInteger(window) || window < 1) {
    throw new AshlarError('INVALID_OPTION', `window must be a whole number of characters of at least 1, not ${String(window)}.`, {
      details: { window },
    })
  }
  return { embedder, tokensFrom, paired: tokensFrom !== embedder, codec, window, stopWords }
}

/**
 * The identity of what `embedLate` makes with these options.
 *
 * Late vectors are means over a window and cannot be compared with the embedder's own vectors of documents, so they have an identity of
 * their own; those of a paired embedder keep its identity. How token states are kept stands in `tokenCodec`.
 */
export function lateIdentity(options: LateOptions): EmbedderIdentity {
  const { embedder, tokensFrom, paired, codec, window, stopWords } = resolveLateOptions(options)
  const kept = `${codec.id}/${stopWords.id}`
  if (paired) return { ...embedder.identity, tokenCodec: `${kept}/${window}/${identityKey(tokensFrom.identity)}` }
  const { identity } = embedder
  return {
    ...identity,
    options: { ...identity.options, late: window },
    pooling: 'mean',
    normalized: true,
    tokenCodec: kept,
  }
}
