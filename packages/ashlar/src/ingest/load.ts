import { isAshlarError } from '../error/ashlar-error.ts'
import { storableText } from '../store/storable-text.ts'
import { chooseLoader } from './choose-loader.ts'
import { detectLanguage } from './detect-language.ts'
import { damagedFile, tooLargeFile } from './load-failure.ts'
import { defaultLoadLimits, type LoadedDocument, type Loader, type LoadInput, type LoadLimits } from './loader.ts'
import { defaultLoaders } from './loaders.ts'

/** How {@link load} reads a file. */
export interface LoadFileOptions {
  /** Asked before the built-in ones, first come first served. @default none */
  readonly loaders?: readonly Loader[]
  /** @default those of {@link defaultLoadLimits} */
  readonly limits?: Partial<LoadLimits>
  readonly signal?: AbortSignal
}

/**
 * Reads a file into texts that can be cut, with the way back to it. What the file is, its encoding and its language are found out, and said.
 *
 * It runs where it is called; in Node a `loaderPool` runs it in processes that can be stopped.
 *
 * @throws AshlarError `UNSUPPORTED_FILE`, `DAMAGED_FILE`, `ENCRYPTED_FILE`, `FILE_TOO_LARGE`, `MISSING_PACKAGE`.
 * @example
 * const [document] = await load({ name: 'note.md', bytes: new TextEncoder().encode('# Walls\n\nLay the long stones first.') })
 * console.log(document?.title, document?.format, document?.encoding) // => Walls markdown utf-8
 */
export async function load(input: LoadInput, options: LoadFileOptions = {}): Promise<readonly LoadedDocument[]> {
  const { signal } = options
  const limits = { ...defaultLoadLimits, ...options.limits }
  signal?.throwIfAborted()
  if (input.bytes.length > limits.bytes) throw tooLargeFile(input.name, 'bytes', limits.bytes)
  const { loader, notes } = chooseLoader(input, [...(options.loaders ?? []), ...defaultLoaders])
  try {
    const loaded = await loader.load(input, { limits, ...(signal === undefined ? {} : { signal }) })
    return (Array.isArray(loaded) ? loaded : [loaded]).map((document: LoadedDocument) =>
      finish(input.name, document, notes, limits),
    )
  } catch (cause) {
    signal?.throwIfAborted()
    if (isAshlarError(cause)) throw cause
    // Whatever a parser throws, the file made it.
    throw damagedFile(input.name, `the loader ${loader.id} gave up on it (${shortMessage(cause)})`, cause)
  }
}

function finish(name: string, document: LoadedDocument, notes: readonly string[], limits: LoadLimits): LoadedDocument {
  if (document.text.length > limits.textLength) throw tooLargeFile(name, 'characters of text', limits.textLength)
  const text = storableText(document.text)
  const language = document.language ?? detectLanguage(readable(text, document.format))
  return {
    ...document,
    text,
    ...(language === undefined ? {} : { language }),
    notes: [...notes, ...document.notes],
  }
}

/** The part of a text that is language, for files that are mostly something else. Short, since expressions like these can be made slow. */
function readable(text: string, format: string): string {
  if (format === 'html') return withoutTags(text.slice(0, 200_000))
  const start = text.slice(0, 20_000)
  if (format === 'json' || format === 'json-lines') return start.replace(/"(?:[^"\\]|\\.)*"\s*:|\\[nrt]|[{}[\]":,]/g, ' ')
  if (format === 'csv') return start.replace(/[,;\t|"]/g, ' ')
  return start.replace(/^[|>#\-*`\s]+|\|/gm, ' ')
}

/** The text between tags, without scripts and styles, in one pass whatever is left open. */
function withoutTags(html: string): string {
  const small = html.toLowerCase()
  let text = ''
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at)
    if (open < 0) return text + html.slice(at)
    text += `${html.slice(at, open)} `
    const hidden = /^<(script|style)\b/.exec(small.slice(open, open + 8))?.[1]
    const end = hidden === undefined ? html.indexOf('>', open) : small.indexOf(`</${hidden}`, open)
    if (end < 0) return text
    at = end + 1
  }
  return text
}

function shortMessage(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause)
  return message.slice(0, 200).toWellFormed()
}
