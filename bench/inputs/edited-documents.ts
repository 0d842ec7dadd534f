import { loadPeer } from '../peers/load.ts'
import { englishText } from './english-text.ts'
import { readCorpora } from './evaluation-folder.ts'
import { readReadmes } from './markdown-documents.ts'
import { markdownText } from './structured-text.ts'

/** A document to edit, in one of the formats that promise stable ids. */
export interface EditedDocument {
  readonly name: string
  readonly format: 'plain' | 'markdown' | 'html'
  readonly text: string
}

interface Micromark {
  micromark(text: string, options: Record<string, unknown>): string
}
interface MicromarkGfm {
  gfm(): unknown
  gfmHtml(): unknown
}

/** Renders markdown as HTML, with GitHub's tables and lists; raw HTML in it stays as it is. */
async function openRenderer(): Promise<(markdown: string) => string> {
  const { micromark } = await loadPeer<Micromark>('micromark')
  const { gfm, gfmHtml } = await loadPeer<MicromarkGfm>('micromark-extension-gfm')
  return (markdown) => micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

const size = 57_000

/** A document of about 57 kB in each format: running prose, a README, and the page that the README renders to. */
export async function readThreeForms(): Promise<EditedDocument[]> {
  const prose = readCorpora().find(({ text }) => text.length > size && text.length < size * 4)
  const readmes = readReadmes(size / 3, size * 4)
  const nearest = readmes.sort((a, b) => Math.abs(a.text.length - size) - Math.abs(b.text.length - size))[0]
  const readme = { name: nearest?.name ?? 'generated text', text: nearest?.text ?? markdownText(size) }
  const markdown = cutAtLine(readme.text, size)
  return [
    { name: prose?.name ?? 'generated text', format: 'plain', text: cutAtLine(prose?.text ?? englishText(size).text, size) },
    { name: readme.name, format: 'markdown', text: markdown },
    { name: `${readme.name} rendered`, format: 'html', text: (await openRenderer())(markdown) },
  ]
}

/** Fifty documents of 20-200 kB: READMEs as markdown and as HTML, stretches of real prose as plain text. */
export async function readFifty(): Promise<EditedDocument[]> {
  const render = await openRenderer()
  const readmes = readReadmes(20_000, 200_000).slice(0, 30)
  const documents: EditedDocument[] = readmes.map(({ name, text }, i) =>
    i % 3 === 2 ? { name, format: 'html', text: render(text) } : { name, format: 'markdown', text },
  )
  const prose = readCorpora().map(({ name, text }) => ({ name, text, at: 0 }))
  if (prose.length === 0) prose.push({ name: 'generated text', text: englishText(5_000_000).text, at: 0 })
  for (let i = 0; documents.length < 50; i++) {
    const { name, text, at } = prose[i % prose.length]!
    const length = 20_000 + ((i * 37_000) % 120_000)
    if (text.length - at < 20_000) {
      prose.splice(i % prose.length, 1)
      continue
    }
    prose[i % prose.length]!.at += length
    documents.push({ name: `${name} from ${at}`, format: 'plain', text: text.slice(at, at + length) })
  }
  return documents
}

function cutAtLine(text: string, size: number): string {
  if (text.length <= size) return text
  const line = text.lastIndexOf('\n', size)
  return text.slice(0, line < 0 ? size : line + 1)
}
