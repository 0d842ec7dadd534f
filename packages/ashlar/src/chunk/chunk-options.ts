import { AshlarError } from '../error/ashlar-error.ts'
import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'

/** How a text is cut. Every field has a default; a bare number in place of the object is `size`. */
export interface ChunkOptions {
  /**
   * The most a chunk may hold, overlap included, in the counter's unit. Small chunks are found precisely but say little
   * alone; large ones read well but blur what they are about.
   * @default 1000
   */
  readonly size?: number
  /**
   * How much of the chunk before is repeated at the start of the next, at most, in the counter's unit; at most half of
   * `size`. It starts at a sentence where there is one.
   * @default a fifth of `size`
   */
  readonly overlap?: number
  /** The unit of `size`, `overlap` and `window`. @default characters */
  readonly counter?: Counter
  /**
   * How far before the limit a cut may be placed to meet a better seam, in the counter's unit. Wide windows find better
   * seams and recover faster after an edit, narrow ones fill chunks more evenly; 0 cuts hard at the limit.
   * @default half of what the overlap leaves of `size`
   */
  readonly window?: number
  /**
   * Which of several equally strong seams is taken: `stable` lets a hash of the text around them decide, so that cuts
   * after an edit fall back into place; `nearest` takes the one nearest to the limit and gives no such promise.
   * @default 'stable'
   */
  readonly choose?: 'stable' | 'nearest'
  /** Whether white space at both ends of a chunk is left out of it (the offsets say exactly what is left). @default true */
  readonly trim?: boolean
}

/** {@link ChunkOptions} with every default filled in and every value checked. */
export interface ResolvedChunkOptions {
  readonly size: number
  readonly overlap: number
  readonly counter: Counter
  /** The share of a chunk's own part, before its limit, in which the cut may fall, or the window in units. */
  readonly window: number | undefined
  readonly choose: 'stable' | 'nearest'
  readonly trim: boolean
}

/** Checks options and fills in defaults; the one place where either happens. */
export function resolveChunkOptions(options: ChunkOptions | number = {}): ResolvedChunkOptions {
  const given: ChunkOptions = typeof options === 'number' ? { size: options } : options
  const size = given.size ?? 1000
  if (!Number.isSafeInteger(size) || size < 1) {
    throw new AshlarError('INVALID_SIZE', `size must be a whole number of at least 1, not ${String(size)}.`, {
      details: { size },
    })
  }
  const overlap = given.overlap ?? Math.floor(size / 5)
  if (!Number.isSafeInteger(overlap) || overlap < 0 || overlap > size / 2) {
    throw new AshlarError(
      'INVALID_OVERLAP',
      `overlap must be a whole number from 0 to half of size (${Math.floor(size / 2)}), not ${String(overlap)}.`,
      { details: { overlap, size } },
    )
  }
  const window = given.window
  if (window !== undefined && (!Number.isSafeInteger(window) || window < 0)) {
    throw new AshlarError('INVALID_WINDOW', `window must be a whole number of at least 0, not ${String(window)}.`, {
      details: { window },
    })
  }
  const counter = given.counter ?? characters
  if (typeof counter !== 'function' || typeof counter.id !== 'string') {
    throw new AshlarError(
      'INVALID_COUNTER',
      'counter must be a function with an id and an accuracy, such as `characters` or `words`.',
    )
  }
  return { size, overlap, counter, window, choose: given.choose ?? 'stable', trim: given.trim ?? true }
}
