import { sha256 } from '../text/sha-256.ts'
import type { Chunk } from './chunk.ts'

/** What an id belongs to. Chunks of different documents or levels never share an id, whatever their text. */
export interface IdentifyOptions {
  /** The document's own id. @default '' */
  readonly document?: string
  /** The level of the tree the chunks are on. @default 'chunk' */
  readonly level?: string
}

/**
 * Gives each chunk an id made of its content: 128 bits of SHA-256 over document, level and own text, not over its position,
 * overlap or outline.
 *
 * A text that occurs again is told apart by the chunk before it, and where that is the same too, by counting. So an edit
 * changes the ids of the chunks whose text it changes, and of a repeat that follows one of them.
 *
 * @example
 * const [first] = identify(chunkText('Stone on stone.'), { document: 'wall.txt' })
 * console.log(first?.id) // => 6c259025b2ac6d0d983e046e13b6be39
 */
export function* identify<C extends Pick<Chunk, 'text' | 'lead'>>(
  chunks: Iterable<C>,
  options: IdentifyOptions = {},
): Generator<C & { readonly id: string }, undefined> {
  const ids = contentIds(options)
  for (const chunk of chunks) {
    const { text, lead } = chunk
    yield { ...chunk, id: ids.next(ids.hash(lead === 0 ? text : text.slice(lead))) }
  }
}

/** Makes ids of one document and level; see {@link identify}. */
export interface ContentIds {
  /** What a piece's own content comes to. */
  hash(content: string): string
  /** The id of the next piece in the order of the document, whose content came to `hash`. */
  next(hash: string): string
}

/** Opens the ids of one document and level. */
export function contentIds(options: IdentifyOptions): ContentIds {
  const { document = '', level = 'chunk' } = options
  // Lengths in front keep "a" + "bc" and "ab" + "c" apart.
  const scope = `${document.length}:${document}${level.length}:${level}:`
  const seen = new Set<string>()
  const repeats = new Map<string, number>()
  let before = ''
  return {
    hash: (content) => sha256(scope + content, 128),
    next(hash) {
      let id = hash
      const known = seen.size
      // A set that does not grow has seen it: one look-up instead of two.
      if (seen.add(hash).size === known) {
        const place = `${hash}:${before}`
        const repeat = repeats.get(place) ?? 0
        repeats.set(place, repeat + 1)
        id = sha256(`${place}:${repeat}`, 128)
      }
      before = hash
      return id
    },
  }
}
