import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { englishText } from './english-text.ts'
import { readCorpora } from './evaluation-folder.ts'
import { between, openRandom, pick } from './random.ts'

/** What {@link writeTextFolder} wrote. */
export interface TextFolder {
  readonly files: number
  readonly bytes: number
  readonly source: string
}

/**
 * Writes text and markdown files into a folder, the same on every run: paragraphs of real corpora in ever new orders under headings, in
 * files of 2 to 40 kB, a hundred to a folder.
 */
export function writeTextFolder(
  folder: string,
  size: { readonly bytes?: number; readonly files?: number },
  seed = 1,
): TextFolder {
  const corpora = readCorpora()
  const texts = corpora.length > 0 ? corpora.map(({ text }) => text) : [englishText(2_000_000).text]
  const paragraphs = texts
    .flatMap((text) => text.split(/\n\s*\n|\n/))
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph.length > 80 && paragraph.length < 3_000)
  const random = openRandom(seed)
  const { bytes: most = Number.POSITIVE_INFINITY, files: mostFiles = Number.POSITIVE_INFINITY } = size
  let files = 0
  let bytes = 0
  while (bytes < most && files < mostFiles) {
    const isMarkdown = files % 2 === 0
    const length = between(random, 2_000, 40_000) ** 2 / 40_000
    const parts: string[] = []
    for (let written = 0, index = 0; written < length || index < 3; index++) {
      const paragraph = pick(random, paragraphs)
      const title = paragraph.split(' ').slice(0, 5).join(' ')
      if (index % 6 === 0) parts.push(isMarkdown ? `${index === 0 ? '#' : '##'} ${title} (${files})` : `${title} (${files})`)
      parts.push(paragraph)
      written += paragraph.length
    }
    const text = `${parts.join('\n\n')}\n`
    const path = join(
      folder,
      `part${String(Math.floor(files / 100)).padStart(5, '0')}`,
      `file${String(files).padStart(7, '0')}.${isMarkdown ? 'md' : 'txt'}`,
    )
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    files++
    bytes += Buffer.byteLength(text)
  }
  return {
    files,
    bytes,
    source: corpora.length > 0 ? "paragraphs of Chroma's evaluation corpora" : 'generated English-like text',
  }
}
