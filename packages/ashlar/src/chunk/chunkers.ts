import type { Chunk } from './chunk.ts'
import { type ChunkOptions, resolveChunkOptions } from './chunk-options.ts'
import { type CsvOptions, csv } from './csv.ts'
import { json } from './json.ts'
import { jsonLines } from './json-lines.ts'
import { markdown } from './markdown.ts'
import { pack } from './pack.ts'
import { plain } from './plain.ts'
import type { Format } from './seam.ts'

/** A function that cuts a text into chunks: the contract of every chunker, ours or a stranger's. */
export type Chunker = (text: string, options?: ChunkOptions | number) => Iterable<Chunk>

/**
 * Cuts a text by any format.
 *
 * @example
 * const halves = [...chunk('North wall. South wall.', { format: plain, size: 12, overlap: 0 })]
 * console.log(halves.map(({ text }) => text)) // => [ 'North wall.', 'South wall.' ]
 */
export function chunk(text: string, options: ChunkOptions & { readonly format: Format }): Generator<Chunk, undefined> {
  return pack(text, options.format, resolveChunkOptions(options))
}

/**
 * Cuts plain text at paragraphs, list items, lines, sentences, clauses or words, in that order of preference.
 *
 * @example
 * for (const { start, end, text } of chunkText('Dr. Ames laid it. It held.', { size: 18, overlap: 0 })) console.log(start, end, text)
 * // => 0 17 Dr. Ames laid it.
 * // => 18 26 It held.
 */
export function chunkText(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, plain, resolveChunkOptions(options))
}

/**
 * Cuts markdown along its blocks; lists, tables, fenced code and formulas stay whole where they fit, and each chunk carries the
 * titles it stands under.
 */
export function chunkMarkdown(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, markdown, resolveChunkOptions(options))
}

/** Cuts CSV, TSV and their like between rows; each chunk after the first says where the header row stands. */
export function chunkCsv(text: string, options?: (ChunkOptions & CsvOptions) | number): Generator<Chunk, undefined> {
  return pack(text, csv(typeof options === 'number' ? undefined : options), resolveChunkOptions(options))
}

/** Cuts JSON between members and elements, outermost first. */
export function chunkJson(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, json, resolveChunkOptions(options))
}

/** Cuts JSON Lines between records. */
export function chunkJsonLines(text: string, options?: ChunkOptions | number): Generator<Chunk, undefined> {
  return pack(text, jsonLines, resolveChunkOptions(options))
}
