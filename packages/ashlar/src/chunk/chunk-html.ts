import type { Chunk } from './chunk.ts'
import { type ChunkOptions, resolveChunkOptions } from './chunk-options.ts'
import { html } from './html.ts'
import { pack } from './pack.ts'

/**
 * Cuts HTML along its blocks; offsets and text are those of the source, tags included. Needs parse5 beside it.
 *
 * @example
 * const page = '<h1>Walls</h1><p>Dry stone needs no mortar.</p><h1>Roofs</h1><p>Slate lasts.</p>'
 * for (const { outline, text } of chunkHtml(page, { size: 60, overlap: 0 })) console.log(outline.join(' > '), text)
 * // => Walls <h1>Walls</h1><p>Dry stone needs no mortar.</p>
 * // => Roofs <h1>Roofs</h1><p>Slate lasts.</p>
 */
export function chunkHtml(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, html, resolveChunkOptions(options))
}
