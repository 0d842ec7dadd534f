import { buildTree } from '../tree/build-tree.ts'
import { formatOf } from './formats.ts'
import { hashBytes } from './hash-bytes.ts'
import { type LoadFileOptions, load } from './load.ts'
import type { LoadedDocument, Loader } from './loader.ts'
import { defaultLoaders } from './loaders.ts'
import type { ReadDocument, Reader, ReadInput } from './reader.ts'

/** A {@link Reader} that loads and cuts in this thread: in a browser, or where files can be trusted. */
export function inProcessReader(options: Omit<LoadFileOptions, 'signal'> = {}): Reader {
  return {
    concurrency: 2,
    isCurrent: currentLoaders(options.loaders),
    read: async (input, signal) => cutLoaded(input, await load(input, { ...options, ...(signal !== undefined && { signal }) })),
  }
}

/** Tells whether a loader, by its name and version, is among those in use. */
export function currentLoaders(own: readonly Loader[] = []): (loader: string) => boolean {
  const ids = new Set([...own, ...defaultLoaders].map(({ id }) => id))
  return (loader) => ids.has(loader)
}

/** Cuts what was loaded. */
export async function cutLoaded(input: ReadInput, documents: readonly LoadedDocument[]): Promise<ReadDocument> {
  const { text, ...loaded } = oneOf(documents)
  const [format, hash] = await Promise.all([formatOf(loaded.format), hashBytes(input.bytes)])
  const title = input.title ?? loaded.title ?? ''
  return { tree: buildTree(text, { ...input.tree, document: input.document, title, format }), hash, loaded }
}

/** An item is one document: several in one file are read one after the other. */
function oneOf(documents: readonly LoadedDocument[]): LoadedDocument {
  const [first, ...others] = documents
  if (first === undefined) return { text: '', format: 'plain', loader: 'text/1', notes: ['It holds nothing.'] }
  if (others.length === 0) return first
  const { positions: _, ...rest } = first
  const notes = documents.flatMap((document) => document.notes)
  return {
    ...rest,
    text: documents.map(({ text }) => text).join('\n\n'),
    notes: [...notes, `It holds ${documents.length} documents, kept as one.`],
  }
}
