import { englishText } from './english-text.ts'

/** English prose as one markdown document of about `size` units: headings, paragraphs, lists, tables and fenced code in turn. */
export function markdownText(size: number): string {
  return build(size, {
    heading: (level, title) => `${'#'.repeat(level)} ${title}\n\n`,
    paragraph: (text) => `${text}\n\n`,
    list: (items) => `${items.map((item) => `- ${item}`).join('\n')}\n\n`,
    table: (rows) => `| word | next | length |\n|---|---|---|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n`,
    code: (lines) => `\`\`\`text\n${lines.join('\n')}\n\`\`\`\n\n`,
  })
}

/** The same document as HTML. */
export function htmlText(size: number): string {
  const body = build(size, {
    heading: (level, title) => `<h${level}>${escapeHtml(title)}</h${level}>\n`,
    paragraph: (text) => `<p>${escapeHtml(text)}</p>\n`,
    list: (items) => `<ul>\n${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('\n')}\n</ul>\n`,
    table: (rows) =>
      `<table>\n<tr><th>word</th><th>next</th><th>length</th></tr>\n${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
        .join('\n')}\n</table>\n`,
    code: (lines) => `<pre><code>${escapeHtml(lines.join('\n'))}</code></pre>\n`,
  })
  return `<!doctype html>\n<html lang="en"><head><title>Growth</title></head><body>\n${body}</body></html>\n`
}

interface Writer {
  heading(level: number, title: string): string
  paragraph(text: string): string
  list(items: readonly string[]): string
  table(rows: readonly (readonly string[])[]): string
  code(lines: readonly string[]): string
}

/** Of each 24 paragraphs one becomes a heading with its first words, two a list, one a table, one a block of code. */
function build(size: number, write: Writer): string {
  const paragraphs = englishText(size).text.split('\n\n')
  const parts: string[] = []
  let length = 0
  for (const [i, paragraph] of paragraphs.entries()) {
    const words = paragraph.split(' ')
    const part =
      i % 8 === 0
        ? write.heading(1 + ((i / 8) % 4), words.slice(0, 5).join(' ').replaceAll('\n', ' ')) + write.paragraph(paragraph)
        : i % 12 === 5
          ? write.list(paragraph.split('. '))
          : i % 24 === 10
            ? write.table(words.slice(0, 24).map((word, k) => [word, words[k + 1] ?? '', String(word.length)].map(toCell)))
            : i % 24 === 20
              ? write.code(paragraph.split(', '))
              : write.paragraph(paragraph)
    parts.push(part)
    length += part.length
    if (length >= size) break
  }
  return parts.join('')
}

function toCell(text: string): string {
  return text.replaceAll('|', '/').replaceAll('\n', ' ')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
