import type { Library } from '../library/library.ts'
import { type Evidence, type RenderedEvidence, type RenderOptions, renderEvidence } from '../library/render-evidence.ts'
import type { Hit } from '../search/hit.ts'
import type { LibraryTool, ToolSchema } from './library-tool.ts'
import { readToolInput, type ToolInput } from './tool-input.ts'

/** How {@link tools} answer. */
export interface ToolsOptions {
  /** Most tokens of one answer. @default 4000 */
  readonly maxTokens?: number
  /** What counts them. @default approximateTokens */
  readonly counter?: RenderOptions['counter']
  /** Hits of one search where the model does not say. @default 8 */
  readonly limit?: number
  /** Put before the tools' names, where an agent has several libraries: `handbook_search`. @default '' */
  readonly prefix?: string
}

/** What the tools need of a library. */
export type ToolLibrary = Pick<Library, 'search' | 'get' | 'list'>

/** Code units of a document that are read at once before the budget of tokens is looked at. */
const longestRead = 100_000
const mostHits = 50

/**
 * The library as tools of an agent: search, read on, list. Each is plain data; `aiSdkTools` and `mcpTools` make of them what those expect.
 *
 * Whatever is stored comes back as quoted evidence inside fences that stored text cannot close, marked as data, within the budget.
 */
export function tools(library: ToolLibrary, options: ToolsOptions = {}): readonly LibraryTool[] {
  const { maxTokens = 4_000, limit = 8, prefix = '' } = options
  const render: RenderOptions = { maxTokens, ...(options.counter === undefined ? {} : { counter: options.counter }) }
  return [
    tool({
      name: `${prefix}search`,
      title: 'Search the documents',
      description:
        'Finds the passages of the stored documents that are about a question. Gives them as numbered, quoted evidence with the place each comes from; cite by that place. Says so when nothing is about the question. Ask in plain words; put a phrase in double quotes to find it exactly.',
      inputSchema: schema(
        { query: ['string', 'What to look for.'], limit: ['integer', `Most passages, 1 to ${mostHits}. ${limit} if left out.`] },
        ['query'],
      ),
      run: async ({ query, limit: most = limit }, signal) => {
        if (Number(most) < 1 || Number(most) > mostHits) return `limit must be from 1 to ${mostHits}.`
        const result = await library.search(String(query), { limit: Number(most), ...signal })
        if (result.hits.length === 0) return 'Nothing in the documents is about that.'
        const shown = renderEvidence(result.hits.map(evidenceOf), render)
        const doubt = result.nothing ? 'Probably nothing here is about the question; these come nearest.\n' : ''
        return doubt + endOf(shown, result.hits.length)
      },
    }),
    tool({
      name: `${prefix}read`,
      title: 'Read a document',
      description:
        'Reads a stored document from a place on, as quoted evidence, to see what stands around a passage. Says where to go on if it is longer than fits.',
      inputSchema: schema(
        {
          document: ['string', 'Its id, as list gives it and as citations begin with.'],
          start: ['integer', 'The character to begin at. 0 if left out.'],
        },
        ['document'],
      ),
      run: async ({ document, start = 0 }, signal) => {
        const found = await library.get(String(document), signal)
        if (found === undefined) return 'There is no document of that id. list gives those that there are.'
        const from = Math.max(0, Math.min(Number(start), found.text.length))
        if (from === found.text.length) return 'The document ends before that.'
        const text = found.text.slice(from, from + longestRead)
        const shown = renderEvidence([{ text, citation: `${found.id}, from character ${from}` }], render)
        const next = from + text.length - shown.shortenedBy
        return `${shown.text}${next < found.text.length ? `\nGoes on at character ${next} of ${found.text.length}.` : '\nThat is its end.'}`
      },
    }),
    tool({
      name: `${prefix}list`,
      title: 'List the documents',
      description: 'Lists the stored documents by id, with title and length. Says where to go on if there are more.',
      inputSchema: schema(
        { after: ['string', 'Where to go on, as the last line of the answer before gave it. The beginning if left out.'] },
        [],
      ),
      run: async ({ after }, signal) => {
        for (let most = 100; ; most = Math.ceil(most / 2)) {
          const page = await library.list({ limit: most, ...(after === undefined ? {} : { after: String(after) }), ...signal })
          if (page.items.length === 0) return 'There are no more documents.'
          // Where to go on names a document, so that it is quoted as all names are.
          const more = page.next === undefined ? [] : [JSON.stringify({ after: page.next })]
          const lines = [...page.items.map(listed), ...more]
          const shown = renderEvidence([{ text: lines.join('\n'), citation: 'documents' }], render)
          if ((shown.passages === 0 || shown.shortenedBy > 0) && most > 1) continue
          return more.length === 0
            ? shown.text
            : `${shown.text}\nThere are more: ask again with after as the last line that is quoted gives it.`
        }
      },
    }),
  ]
}

interface ToolParts extends Omit<LibraryTool, 'execute'> {
  run(input: ToolInput, signal: { readonly signal?: AbortSignal }): Promise<string>
}

function tool({ run, ...data }: ToolParts): LibraryTool {
  return {
    ...data,
    async execute(given, { signal } = {}) {
      const input = readToolInput(given, data.inputSchema)
      return typeof input === 'string' ? input : run(input, signal === undefined ? {} : { signal })
    },
  }
}

function schema(
  fields: Readonly<Record<string, readonly ['string' | 'integer', string]>>,
  required: readonly string[],
): ToolSchema {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, [type, description]]) => [name, { type, description }]),
  )
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A citation begins with the id, which an agent needs to read on, and has the headings, which need not be said twice. */
function evidenceOf({ text, citation }: Hit): Evidence {
  return { text, citation }
}

function endOf({ text, passages, shortenedBy }: RenderedEvidence, found: number): string {
  if (shortenedBy > 0)
    return `${text}\nThe passage goes on for ${shortenedBy} characters, and ${found - 1} more passages did not fit.`
  return passages < found ? `${text}\n${found - passages} more passages did not fit.` : text
}

/** Titles and ids are stored text too, so that they stand in a fence; as JSON each keeps to its line. */
function listed({ id, title, length }: { readonly id: string; readonly title: string; readonly length: number }): string {
  return JSON.stringify({ id, ...(title === '' ? {} : { title }), characters: length })
}
