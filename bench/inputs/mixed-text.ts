import { englishText, type SourcedText } from './english-text.ts'
import { readCode, readLanguages } from './evaluation-folder.ts'

/**
 * English, source code and a dozen other languages in turn, about `size` code units: what a multilingual index holds.
 *
 * Each part is used up before it repeats; stretches of about 4,000 units alternate, so that no encoder can settle on one
 * kind of text.
 */
export function mixedText(size: number): SourcedText {
  const languages = readLanguages()
  const code = readCode().map(({ text }) => text)
  const english = englishText(Math.ceil(size / 2))
  const parts = [english.text, code.join('\n\n'), ...languages.map(({ text }) => text)].filter((text) => text !== '')
  const weights = parts.map((_, i) => (i === 0 ? 4 : i === 1 && code.length > 0 ? 4 : 1))
  const cursors = parts.map(() => 0)
  const pieces: string[] = []
  let length = 0
  while (length < size) {
    for (const [i, part] of parts.entries()) {
      for (let turn = 0; turn < weights[i]! && length < size; turn++) {
        const start = cursors[i]! >= part.length ? 0 : cursors[i]!
        const piece = part.slice(start, toLineEnd(part, start + 4000))
        cursors[i] = start + piece.length
        pieces.push(piece)
        length += piece.length + 2
      }
    }
  }
  const source =
    languages.length > 0
      ? `English, source code and ${languages.length} languages of XQuAD in turn`
      : `${english.source}; the other languages need ../shared/eval`
  return { text: pieces.join('\n\n'), source }
}

function toLineEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const line = text.indexOf('\n', at)
  return line < 0 ? text.length : line + 1
}
