import { compareByCodePoint } from './code-point-order.ts'
import type { FieldType, FieldTypes, FieldValue, Filter, Metadata } from './filter.ts'

/**
 * Whether a document satisfies a filter that was checked: what every engine must agree with.
 *
 * - A field that the document does not have, or has with another type than the declared one, satisfies no condition on it.
 * - A list of strings satisfies `equal`, `in` and `prefix` when one of its strings does.
 * - `and` of nothing is true, `or` of nothing is false, `in` of nothing is false, `not` is the opposite of what it holds.
 * - Strings are compared by code point, to the last one: no case, no normal form, no language.
 */
export function matchesFilter(
  filter: Filter,
  document: { readonly id: string; readonly metadata: Metadata },
  fields: FieldTypes,
): boolean {
  switch (filter.op) {
    case 'and':
      return filter.filters.every((one) => matchesFilter(one, document, fields))
    case 'or':
      return filter.filters.some((one) => matchesFilter(one, document, fields))
    case 'not':
      return !matchesFilter(filter.filter, document, fields)
    case 'document':
      return filter.ids.includes(document.id)
    default: {
      const value = fieldValue(document.metadata, filter.field, fields[filter.field])
      return value !== undefined && holds(filter, value)
    }
  }
}

function fieldValue(metadata: Metadata, field: string, type: FieldType | undefined): FieldValue | undefined {
  if (!Object.hasOwn(metadata, field)) return undefined
  const value = metadata[field] as FieldValue
  const found = Array.isArray(value) ? 'strings' : typeof value
  return found === type ? value : undefined
}

function holds(filter: Exclude<Filter, { readonly op: 'and' | 'or' | 'not' | 'document' }>, value: FieldValue): boolean {
  if (filter.op === 'exists') return true
  if (typeof value === 'object') return value.some((one) => holds(filter, one))
  switch (filter.op) {
    case 'equal':
      return value === filter.value
    case 'in':
      return filter.values.includes(value)
    case 'prefix':
      return typeof value === 'string' && value.startsWith(filter.value)
    case 'range':
      return (
        (filter.gte === undefined || compare(value, filter.gte) >= 0) &&
        (filter.gt === undefined || compare(value, filter.gt) > 0) &&
        (filter.lte === undefined || compare(value, filter.lte) <= 0) &&
        (filter.lt === undefined || compare(value, filter.lt) < 0)
      )
  }
}

/** Both are of the field's type. */
function compare(value: string | number | boolean, bound: string | number): number {
  return typeof value === 'string' ? compareByCodePoint(value, bound as string) : (value as number) - (bound as number)
}
