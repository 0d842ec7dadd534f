import type { Metadata } from '../../store/filter.ts'
import type { NotebookPart } from '../../text/place.ts'
import type { NotebookStretch } from '../../text/position-map.ts'
import { damagedFile } from '../load-failure.ts'
import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

interface Output {
  readonly output_type?: unknown
  readonly text?: unknown
  readonly data?: Readonly<Record<string, unknown>>
  readonly ename?: unknown
  readonly evalue?: unknown
  readonly traceback?: unknown
}

interface Cell {
  readonly cell_type?: unknown
  readonly source?: unknown
  /** Version 3 has the source of code here. */
  readonly input?: unknown
  readonly level?: unknown
  readonly outputs?: unknown
  readonly language?: unknown
}

interface Notebook {
  readonly cells?: unknown
  readonly worksheets?: readonly { readonly cells?: unknown }[]
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Jupyter notebooks: text cells as markdown, code and the text of outputs in fences, and the way back to cell and line. */
export const notebookLoader: Loader = {
  id: 'notebook/1',
  extensions: ['ipynb'],
  mediaTypes: ['application/x-ipynb+json'],
  async load(input) {
    const { text: source, encoding, notes } = readText(input)
    const notebook = parse(input.name, source)
    const cells = cellsOf(notebook)
    if (cells === undefined) throw damagedFile(input.name, 'it is JSON, but no notebook: it has no cells')
    const writer = new NotebookWriter(languageOf(notebook.metadata))
    for (const [index, cell] of cells.entries()) writer.cell(cell ?? {}, index + 1)
    const title = /^#[ \t]+(.+?)[ \t#]*$/m.exec(writer.text.slice(0, 20_000))?.[1]
    const metadata = notebookMetadata(notebook.metadata)
    return {
      text: writer.text,
      format: 'markdown',
      encoding,
      loader: notebookLoader.id,
      positions: { kind: 'notebook', stretches: writer.stretches },
      notes:
        writer.left > 0
          ? [...notes, `${writer.left} ${writer.left === 1 ? 'output has' : 'outputs have'} no text, such as images.`]
          : notes,
      ...(title === undefined ? {} : { title }),
      ...(metadata === undefined ? {} : { metadata }),
    }
  },
}

function parse(name: string, source: string): Notebook {
  try {
    const value: unknown = JSON.parse(source)
    if (typeof value === 'object' && value !== null) return value as Notebook
  } catch (cause) {
    throw damagedFile(name, 'a notebook is JSON, and this is not', cause)
  }
  throw damagedFile(name, 'it is JSON, but no notebook')
}

function cellsOf(notebook: Notebook): readonly (Cell | null)[] | undefined {
  if (Array.isArray(notebook.cells)) return notebook.cells
  if (!Array.isArray(notebook.worksheets)) return undefined
  return notebook.worksheets.flatMap((sheet: { readonly cells?: unknown } | null) =>
    Array.isArray(sheet?.cells) ? sheet.cells : [],
  )
}

function languageOf(metadata: Notebook['metadata']): string {
  const info = metadata?.['language_info'] as { readonly name?: unknown } | undefined
  const kernel = metadata?.['kernelspec'] as { readonly language?: unknown } | undefined
  const language = info?.name ?? kernel?.language
  return typeof language === 'string' && /^[\w+#.-]{1,30}$/.test(language) ? language : ''
}

function notebookMetadata(metadata: Notebook['metadata']): Metadata | undefined {
  const authors = metadata?.['authors']
  if (!Array.isArray(authors)) return undefined
  const names = authors
    .map((author: { readonly name?: unknown } | null) => author?.name)
    .filter((name) => typeof name === 'string')
  return names.length === 0 ? undefined : { author: names.join(', ') }
}

/** Sources and texts are kept as one string or as a list of lines. */
function joined(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string').join('') : ''
}

/** An output behind another begins a line of its own. */
function follow(before: string, text: string): string {
  return before === '' || text === '' || before.endsWith('\n') ? before + text : `${before}\n${text}`
}

/** Colours and cursor movements of terminals. */
const terminalSequences = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

class NotebookWriter {
  readonly #language: string
  readonly stretches: NotebookStretch[] = []
  text = ''
  /** Outputs without text. */
  left = 0

  constructor(language: string) {
    this.#language = language
  }

  cell(cell: Cell, number: number): void {
    const type = cell.cell_type
    const source = joined(cell.source ?? cell.input)
    if (type === 'code') {
      this.#fenced(source, number, 'code', typeof cell.language === 'string' ? cell.language : this.#language)
      const outputs = Array.isArray(cell.outputs)
        ? cell.outputs.map((output: Output | null) => this.#outputText(output ?? {}))
        : []
      this.#fenced(outputs.reduce(follow, ''), number, 'output', '')
    } else if (type === 'heading') {
      // Of version 3.
      this.#add(`${'#'.repeat(Math.min(6, Math.max(1, Number(cell.level) || 1)))} `, source, '', number, 'markdown')
    } else this.#add('', source, '', number, type === 'raw' ? 'raw' : 'markdown')
  }

  #fenced(contents: string, cell: number, part: NotebookPart, language: string): void {
    if (contents.trim() === '') return
    const longest = (contents.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
    const fence = '`'.repeat(longest + 1)
    this.#add(`${fence}${language}\n`, contents, contents.endsWith('\n') ? fence : `\n${fence}`, cell, part)
  }

  #add(before: string, contents: string, after: string, cell: number, part: NotebookPart): void {
    if (contents.trim() === '') return
    if (this.text !== '') this.text += this.text.endsWith('\n') ? '\n' : '\n\n'
    this.text += before
    this.stretches.push({ start: this.text.length, cell, part })
    this.text += contents + after
  }

  #outputText(output: Output): string {
    if (output.output_type === 'error' || output.output_type === 'pyerr') {
      const trace = Array.isArray(output.traceback) ? output.traceback.filter((line) => typeof line === 'string').join('\n') : ''
      return (trace === '' ? `${String(output.ename ?? '')}: ${String(output.evalue ?? '')}` : trace).replace(
        terminalSequences,
        '',
      )
    }
    const data = output.data ?? {}
    const text = joined(output.text) || joined(data['text/markdown']) || joined(data['text/plain']) || joined(data['text/latex'])
    // What stands in for a picture says nothing about it.
    if (text === '' || (Object.keys(data).some((type) => type.startsWith('image/')) && /^<.*>$/.test(text.trim()))) {
      this.left++
      return ''
    }
    return text.replace(terminalSequences, '')
  }
}
