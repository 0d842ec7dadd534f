import type { Chunk } from './chunk.ts'
import { type ChunkOptions, resolveChunkOptions } from './chunk-options.ts'
import { html } from './html.ts'
import { pack } from './pack.ts'

/**
 * Cuts HTML along its block elements; lists, tables and preformatted text stay whole where they fit, tags are not cut, and each
 * chunk carries the titles it stands under.
 *
 * @example
 * const page = '<h1>Walls</h1><p>Stone on stone.</p><h2>Dry</h2><p>No mortar.</p>'
 * for (const { outline, text } of chunkHtml(page, { size: 40, overlap: 0 })) console.log(outline.join(' > '), text)
 * // => Walls <h1>Walls</h1><p>Stone on stone.</p>
 * // => Walls > Dry <h2>Dry</h2><p>No mortar.</p>
 */
export function chunkHtml(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, html, resolveChunkOptions(options))
}
