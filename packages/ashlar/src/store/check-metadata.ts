import { AshlarError } from '../error/ashlar-error.ts'
import { isFieldName } from './check-scope.ts'
import type { FieldTypes, FieldValue, Metadata } from './filter.ts'
import { isStorable } from './storable-text.ts'

/** Code units of all of a document's metadata together, as JSON. */
const longestMetadata = 262_144

/**
 * Metadata, checked and copied: own fields with plain names, values of the four types, declared fields of the declared type.
 *
 * @throws AshlarError `INVALID_DOCUMENT` that names the field.
 */
export function checkMetadata(metadata: Metadata, fields: FieldTypes, document: string): Metadata {
  const invalid = (why: string): AshlarError =>
    new AshlarError('INVALID_DOCUMENT', `The metadata of ${JSON.stringify(document.slice(0, 60))} cannot be stored: ${why}.`, {
      details: { document },
    })
  if (!isPlainObject(metadata)) throw invalid('it is not a plain object')
  const checked: Record<string, FieldValue> = {}
  for (const name of Object.keys(metadata)) {
    if (!isFieldName(name)) throw invalid(`${JSON.stringify(name.slice(0, 60)).toWellFormed()} cannot be the name of a field`)
    const value = fieldValue(metadata[name])
    if (value === undefined)
      throw invalid(`${name} is neither a text that engines can hold, a finite number, true or false, nor a list of such texts`)
    const found = Array.isArray(value) ? 'strings' : typeof value
    if (Object.hasOwn(fields, name) && fields[name] !== found)
      throw invalid(
        `${name} is declared as ${fields[name]} and holds ${found === 'strings' ? 'a list of strings' : `a ${found}`}`,
      )
    checked[name] = value
  }
  if (JSON.stringify(checked).length > longestMetadata) throw invalid(`it is longer than ${longestMetadata} characters as JSON`)
  return Object.freeze(checked)
}

/** A map, a date or the like has no own fields, and would be kept as nothing. */
function isPlainObject(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  // Not compared with the one here: objects may come from another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** The value as it is kept; undefined where it cannot be. */
function fieldValue(value: unknown): FieldValue | undefined {
  if (typeof value === 'boolean') return value
  // JSON has one zero.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value === 'string') return isStorable(value) ? value : undefined
  if (!Array.isArray(value)) return undefined
  const values = Array.from(value as readonly unknown[])
  return values.every((one): one is string => typeof one === 'string' && isStorable(one)) ? Object.freeze(values) : undefined
}
