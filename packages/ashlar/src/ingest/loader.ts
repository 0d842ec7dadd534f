import type { Metadata } from '../store/filter.ts'
import type { PositionMap } from '../text/position-map.ts'

/** A file to read: what it is called and what is in it. */
export interface LoadInput {
  /** Name or path. Its extension decides first what the file is taken for; its contents may say otherwise. */
  readonly name: string
  readonly bytes: Uint8Array
  /** What a server or a browser said it is; asked after the name and before the contents. */
  readonly mediaType?: string
}

/** The formats by which a loaded text is cut; `formatOf` in `ingest/formats.ts` gives each. */
export type LoadedFormat = 'plain' | 'markdown' | 'html' | 'csv' | 'json' | 'json-lines'

/** A natural language that a text seems to be written in. */
export interface DetectedLanguage {
  /** ISO 639-1: `en`, `zh`. */
  readonly code: string
  /** From 0 to 1. */
  readonly confidence: number
}

/** The text of a file and the way back to it. */
export interface LoadedDocument {
  /** Well-formed: lone surrogates and NUL are replaced one for one by U+FFFD. */
  readonly text: string
  /** By which format it is cut. */
  readonly format: LoadedFormat
  readonly title?: string
  /** The way back; absent where lines of the text are lines of the file. */
  readonly positions?: PositionMap
  /** What the bytes were read as, for files that are text: `utf-8`, `windows-1252`. */
  readonly encoding?: string
  /** Absent where the text is too short or too mixed to tell. */
  readonly language?: DetectedLanguage
  /** Loader and version: `pdf/1`. */
  readonly loader: string
  /** What the file says about itself: `author`, `created`, `modified`, `subject`, `keywords`. */
  readonly metadata?: Metadata
  /** What was guessed, repaired or left out, in plain sentences. */
  readonly notes: readonly string[]
}

/** How much a loader may read and make. What goes over is refused with `FILE_TOO_LARGE`, before the memory is taken. */
export interface LoadLimits {
  /** Bytes of the file. @default 268435456 (256 MB) */
  readonly bytes: number
  /** Bytes of everything in it that is compressed, once it is not. @default 536870912 (512 MB) */
  readonly inflatedBytes: number
  /** UTF-16 code units of text. @default 134217728 */
  readonly textLength: number
  /** Pages, for files that have them. @default 20000 */
  readonly pages: number
  /** Cells with something in them, for spreadsheets. @default 5000000 */
  readonly cells: number
}

/** What {@link Loader.load} is given besides the file. */
export interface LoadOptions {
  readonly limits: LoadLimits
  readonly signal?: AbortSignal
}

/** Reads one kind of file. */
export interface Loader {
  /** Name and version, kept with each document: a change of version means that files are read again. */
  readonly id: string
  /** Lower case, without the dot. */
  readonly extensions: readonly string[]
  readonly mediaTypes?: readonly string[]
  /** Whether the contents are of this kind for certain; left out where contents do not show it, as with text. */
  recognises?(bytes: Uint8Array): boolean
  /**
   * Whether it takes time and memory in proportion to the file and cannot hang, as reading text does: a `loaderPool` then runs it where it
   * is called instead of in a process of its own. @default false
   */
  readonly light?: boolean
  /**
   * Reads the file. It may leave out language and encoding, and need not care for lone surrogates: `load` sees to those.
   *
   * @throws AshlarError `DAMAGED_FILE`, `ENCRYPTED_FILE`, `FILE_TOO_LARGE` or `MISSING_PACKAGE`.
   */
  load(input: LoadInput, options: LoadOptions): Promise<LoadedDocument | readonly LoadedDocument[]>
}

/** The limits that hold where none are given. */
export const defaultLoadLimits: LoadLimits = {
  bytes: 2 ** 28,
  inflatedBytes: 2 ** 29,
  textLength: 2 ** 27,
  pages: 20_000,
  cells: 5_000_000,
}
