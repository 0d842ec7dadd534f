import { AshlarError } from '../error/ashlar-error.ts'
import { isStorable } from './storable-text.ts'

/** Code units of a document's id. Engines index ids, and index entries have a limit. */
const longestId = 1_024
const longestWorkspace = 256

/**
 * A document's id: any text that engines can hold, of 1 to 1,024 code units.
 *
 * @throws AshlarError `INVALID_DOCUMENT`.
 */
export function checkDocumentId(id: unknown): string {
  if (typeof id === 'string' && id.length > 0 && id.length <= longestId && isStorable(id)) return id
  throw new AshlarError(
    'INVALID_DOCUMENT',
    `A document's id is a text of 1 to ${longestId} code units without NUL and without half of a surrogate pair; got ${described(id)}.`,
    { details: { length: typeof id === 'string' ? id.length : undefined } },
  )
}

/**
 * A workspace's name: any text that engines can hold, of 1 to 256 code units.
 *
 * @throws AshlarError `INVALID_WORKSPACE`.
 */
export function checkWorkspace(name: unknown): string {
  if (typeof name === 'string' && name.length > 0 && name.length <= longestWorkspace && isStorable(name)) return name
  throw new AshlarError(
    'INVALID_WORKSPACE',
    `A workspace's name is a text of 1 to ${longestWorkspace} code units without NUL and without half of a surrogate pair; got ${described(name)}.`,
    { details: { length: typeof name === 'string' ? name.length : undefined } },
  )
}

function described(value: unknown): string {
  if (typeof value !== 'string') return value === null ? 'null' : typeof value
  return value === '' ? 'an empty one' : `${JSON.stringify(value.slice(0, 60)).toWellFormed()}${value.length > 60 ? ' …' : ''}`
}
