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
  for (const chunk of chunks) yield { ...chunk, id: ids(chunk) }
}

/** Gives one id after the other, for pieces in the order of their document; see {@link identify}. */
export function contentIds(options: IdentifyOptions): (piece: Pick<Chunk, 'text' | 'lead'>) => string {
  const { document = '', level = 'chunk' } = options
  // Lengths in front keep "a" + "bc" and "ab" + "c" apart.
  const scope = `${document.length}:${document}${level.length}:${level}:`
  const seen = new Set<string>()
  const repeats = new Map<string, number>()
  let before = ''
  return ({ text, lead }) => {
    const content = sha256(scope + (lead === 0 ? text : text.slice(lead)), 128)
    let id = content
    const known = seen.size
    // A set that does not grow has seen it: one look-up instead of two.
    if (seen.add(content).size === known) {
      const place = `${content}:${before}`
      const repeat = repeats.get(place) ?? 0
      repeats.set(place, repeat + 1)
      id = sha256(`${place}:${repeat}`, 128)
    }
    before = content
    return id
  }
}
