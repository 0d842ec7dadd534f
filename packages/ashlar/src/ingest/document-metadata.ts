import { AshlarError } from '../error/ashlar-error.ts'
import type { FieldTypes, Metadata } from '../store/filter.ts'
import { isReservedName, reserved, reservedPrefix } from '../store/reserved-metadata.ts'
import { packPositions } from '../text/packed-positions.ts'
import type { LoadedDocument } from './loader.ts'

/** What is known about a document besides its text. */
export interface Known {
  readonly source?: string | undefined
  readonly root?: string | undefined
  readonly hash: string
  readonly recipe: string
  /** Given by who adds it. */
  readonly metadata: Metadata | undefined
  readonly loaded?: Omit<LoadedDocument, 'text'>
}

/** Most characters of packed positions that are kept: metadata has an end, and a citation by line is better than no document. */
const longestPositions = 200_000

/**
 * The metadata that is stored: the user's own, what the file says about itself where the user says nothing of the same name and no field
 * is declared otherwise, and what Ashlar keeps.
 */
export function documentMetadata({ source, root, hash, recipe, metadata = {}, loaded }: Known, fields: FieldTypes): Metadata {
  const own = Object.keys(metadata).find(isReservedName)
  if (own !== undefined)
    throw new AshlarError('INVALID_DOCUMENT', `Metadata names that begin with ${reservedPrefix} are kept for Ashlar: ${own}.`, {
      details: { name: own },
    })
  const found = Object.entries(loaded?.metadata ?? {}).filter(
    ([name, value]) => !isReservedName(name) && (!Object.hasOwn(fields, name) || fields[name] === typeOf(value)),
  )
  const positions = loaded?.positions === undefined ? undefined : packPositions(loaded.positions)
  return {
    ...Object.fromEntries(found),
    ...metadata,
    ...(source !== undefined && { [reserved.source]: source }),
    ...(root !== undefined && { [reserved.root]: root }),
    [reserved.hash]: hash,
    [reserved.recipe]: recipe,
    ...(loaded !== undefined && { [reserved.loader]: loaded.loader }),
    ...(loaded?.encoding !== undefined && { [reserved.encoding]: loaded.encoding }),
    ...(loaded?.language !== undefined && { [reserved.language]: loaded.language.code }),
    ...(positions !== undefined && positions.length <= longestPositions && { [reserved.positions]: positions }),
  }
}

function typeOf(value: Metadata[string]): string {
  return Array.isArray(value) ? 'strings' : typeof value
}
