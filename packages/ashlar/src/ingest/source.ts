import type { AshlarError } from '../error/ashlar-error.ts'
import type { Metadata } from '../store/filter.ts'

/** One thing that can be read and becomes one document. */
export interface SourceItem {
  /** The document's id. For files the path from the base folder with `/` between its parts: `docs/guide.md`. */
  readonly id: string
  /** Where it is, for people and programs: `file:docs/guide.md`, `https://example.org/a`. */
  readonly source: string
  /** What the loader goes by: a file's name. @default the id */
  readonly name?: string
  /** What a server said it is. @default unknown */
  readonly mediaType?: string
  /** Bytes, and when it was changed last in milliseconds; where they are known without reading it. */
  readonly size?: number
  readonly modified?: number
  /** What the document is called. @default what the loader finds in it */
  readonly title?: string
  /** Kept with the document, beside what the loader finds. @default none */
  readonly metadata?: Metadata
  read(signal?: AbortSignal): Promise<Uint8Array>
}

/** Something that could not be listed. Documents that may come from it are neither touched nor taken for gone. */
export interface SourceGap {
  /** The item's id; where `within` is set, what the ids of all items behind it begin with: `docs/private/`. */
  readonly gap: string
  readonly within: boolean
  readonly error: AshlarError
}

/** A source as data: a folder and how it is listed. A thread makes the same source of it. */
export interface ThreadSource {
  readonly kind: 'folder'
  readonly path: string
  readonly options: Readonly<Record<string, unknown>>
}

/** Where documents come from, all of them: what a source does not list any more is gone. */
export interface Source {
  /** Names the set of documents that this source owns in a workspace: what is stored under it and not listed is removed. */
  readonly root: string
  /** Whether `list` gives items in the order of their ids by code point. Others are collected and sorted first. @default false */
  readonly sorted?: boolean
  list(signal?: AbortSignal): AsyncIterable<SourceItem | SourceGap>
  /** Whether an item of this id is there right now. @default what was listed is taken for all there is */
  has?(id: string, signal?: AbortSignal): Promise<boolean>
  /** SHA-256 of the bytes of items in hexadecimal digits, or why there is none. @default each is read and hashed */
  hash?(items: readonly SourceItem[], signal?: AbortSignal): Promise<readonly (string | AshlarError)[]>
  /** Gives it as data, where all of it is: another thread can then list and read it. @default it is read where it was made */
  forThread?(): ThreadSource | undefined
}
