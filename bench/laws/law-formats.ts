import { type ChunkOptions, csv, type Format, json, jsonLines, markdown, plain, separators } from 'ashlar'
import { html } from 'ashlar/html'

/** One way to cut that the laws are put to: a format, and the options that make it another way. */
export interface LawFormat {
  readonly name: string
  readonly format: Format
  /** Which markup the generated texts carry. */
  readonly markup: string
  readonly options: Pick<ChunkOptions, 'choose' | 'window'>
}

/** Every format, and the settings of the packer that stand for other chunkers: nearest seam, fixed size, separators. */
export const lawFormats: readonly LawFormat[] = [
  { name: 'plain', format: plain, markup: 'plain', options: {} },
  { name: 'markdown', format: markdown, markup: 'markdown', options: {} },
  { name: 'html', format: html, markup: 'html', options: {} },
  { name: 'csv', format: csv(), markup: 'csv', options: {} },
  { name: 'json', format: json, markup: 'json', options: {} },
  { name: 'json lines', format: jsonLines, markup: 'json-lines', options: {} },
  { name: 'separators', format: separators(), markup: 'plain', options: {} },
  { name: 'nearest seam', format: plain, markup: 'plain', options: { choose: 'nearest', window: 50 } },
  { name: 'fixed size', format: plain, markup: 'plain', options: { window: 0 } },
]

/** The format that a file's name asks for. */
export function formatOfFile(path: string): LawFormat {
  const extension = path.slice(path.lastIndexOf('.') + 1)
  const names: Record<string, string> = { md: 'markdown', html: 'html', csv: 'csv', json: 'json', jsonl: 'json lines' }
  return lawFormats.find(({ name }) => name === (names[extension] ?? 'plain')) as LawFormat
}
