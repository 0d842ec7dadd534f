import type { Metadata } from './filter.ts'

/** What every reserved name starts with; a user's own metadata may not. */
export const reservedPrefix = 'ashlar.'

/** The names under which Ashlar keeps what it knows about a document beside the user's metadata. */
export const reserved = {
  /** Where it came from, like a URI: `file:docs/guide.md`. */
  source: 'ashlar.source',
  /** The sync root it belongs to; only synced documents have it. */
  root: 'ashlar.root',
  /** SHA-256 of the original bytes, in hexadecimal digits. */
  hash: 'ashlar.hash',
  /** The way back to the original file, as `packPositions` makes it; absent where lines are lines. */
  positions: 'ashlar.positions',
  /** The encoding it was read as. */
  encoding: 'ashlar.encoding',
  /** The natural language it seems to be written in. */
  language: 'ashlar.language',
  /** Loader and version that read it, so that a newer one reads again: `pdf/1`. */
  loader: 'ashlar.loader',
  /** Hash of everything else that decides what is stored of the bytes: sizes, models, metadata that was given. */
  recipe: 'ashlar.recipe',
} as const

/** Whether a metadata name is kept for Ashlar. */
export function isReservedName(name: string): boolean {
  return name.startsWith(reservedPrefix)
}

/** The user's own metadata, without what Ashlar keeps beside it. */
export function ownMetadata(metadata: Metadata): Metadata {
  const names = Object.keys(metadata)
  if (!names.some(isReservedName)) return metadata
  return Object.fromEntries(
    names.filter((name) => !isReservedName(name)).map((name) => [name, metadata[name] as Metadata[string]]),
  )
}

/** The part that Ashlar keeps; the other half of {@link ownMetadata}. */
export function reservedMetadata(metadata: Metadata): Metadata {
  return Object.fromEntries(
    Object.keys(metadata)
      .filter(isReservedName)
      .map((name) => [name, metadata[name] as Metadata[string]]),
  )
}
