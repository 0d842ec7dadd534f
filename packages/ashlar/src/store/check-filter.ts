import { AshlarError } from '../error/ashlar-error.ts'
import { checkDocumentId } from './check-id.ts'
import type { FieldType, FieldTypes, Filter } from './filter.ts'
import { isStorable } from './storable-text.ts'

/** What a filter may be at most. Far beyond what people write, and far below what hurts an engine. */
const filterLimits: Readonly<Record<'depth' | 'conditions' | 'values' | 'text', number>> = {
  /** Filters in filters in filters. */
  depth: 16,
  conditions: 500,
  /** All values and ids of all conditions. */
  values: 5_000,
  /** Code units of one string. */
  text: 4_096,
}

/**
 * A filter, checked against the declared fields and copied: plain data of exactly the documented shape, whatever was handed in.
 *
 * @throws AshlarError `INVALID_FILTER` that says where and why.
 */
export function checkFilter(filter: Filter, fields: FieldTypes): Filter {
  const left = { conditions: filterLimits.conditions, values: filterLimits.values }
  return checkOne(filter, fields, left, 'where', 1)
}

interface Left {
  conditions: number
  values: number
}

/** What each operation has besides `op`. */
const shapes: Readonly<Record<string, readonly string[]>> = Object.assign(Object.create(null), {
  equal: ['field', 'value'],
  in: ['field', 'values'],
  range: ['field', 'gte', 'gt', 'lte', 'lt'],
  exists: ['field'],
  prefix: ['field', 'value'],
  document: ['ids'],
  and: ['filters'],
  or: ['filters'],
  not: ['filter'],
})

const bounds = ['gte', 'gt', 'lte', 'lt'] as const

function checkOne(filter: Filter, fields: FieldTypes, left: Left, path: string, depth: number): Filter {
  if (depth > filterLimits.depth) throw invalid(path, `is deeper than ${filterLimits.depth} filters`)
  if (--left.conditions < 0) throw invalid(path, `is one condition too many: at most ${filterLimits.conditions} are taken`)
  const given = ownFields(filter, path)
  switch (given['op']) {
    case 'and':
    case 'or': {
      const filters = listOf(given['filters'], `${path}.filters`, filterLimits.conditions) as readonly Filter[]
      return {
        op: given['op'],
        filters: filters.map((one, at) => checkOne(one, fields, left, `${path}.filters[${at}]`, depth + 1)),
      }
    }
    case 'not':
      return { op: 'not', filter: checkOne(given['filter'] as Filter, fields, left, `${path}.filter`, depth + 1) }
    case 'document':
      return { op: 'document', ids: idsOf(given['ids'], left, `${path}.ids`) }
    case 'exists':
      return { op: 'exists', field: fieldOf(given['field'], fields, path).name }
    case 'prefix':
      return checkPrefix(given, fields, left, path)
    case 'range':
      return checkRange(given, fields, left, path)
    case 'in': {
      const { name, type } = fieldOf(given['field'], fields, path)
      const values = listOf(given['values'], `${path}.values`, left.values)
      return { op: 'in', field: name, values: values.map((value, at) => checkValue(value, type, left, `${path}.values[${at}]`)) }
    }
    default: {
      const { name, type } = fieldOf(given['field'], fields, path)
      return { op: 'equal', field: name, value: checkValue(given['value'], type, left, `${path}.value`) }
    }
  }
}

/** The own fields of a condition, read once: what a getter or a proxy says later does not matter. */
function ownFields(filter: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) throw invalid(path, 'is not an object')
  const names = Object.keys(filter)
  if (names.length > 8) throw invalid(path, 'has fields that no condition has')
  const given: Record<string, unknown> = Object.create(null)
  for (const name of names) given[name] = (filter as Readonly<Record<string, unknown>>)[name]
  const shape = typeof given['op'] === 'string' ? shapes[given['op']] : undefined
  if (shape === undefined) throw invalid(`${path}.op`, `is none of ${Object.keys(shapes).join(', ')}`)
  for (const name of names) {
    if (name !== 'op' && !shape.includes(name))
      throw invalid(path, `has a field that ${String(given['op'])} does not have: ${short(name)}`)
  }
  return given
}

function checkPrefix(given: Readonly<Record<string, unknown>>, fields: FieldTypes, left: Left, path: string): Filter {
  const { name, type } = fieldOf(given['field'], fields, path)
  if (type !== 'string' && type !== 'strings') throw invalid(path, `asks for a prefix of ${name}, which holds a ${type}`)
  return { op: 'prefix', field: name, value: checkValue(given['value'], 'string', left, `${path}.value`) as string }
}

function checkRange(given: Readonly<Record<string, unknown>>, fields: FieldTypes, left: Left, path: string): Filter {
  const { name, type } = fieldOf(given['field'], fields, path)
  if (type !== 'string' && type !== 'number') throw invalid(path, `asks for a range of ${name}, which holds ${type}`)
  const range: Record<string, string | number> = {}
  for (const bound of bounds) {
    if (given[bound] !== undefined) range[bound] = checkValue(given[bound], type, left, `${path}.${bound}`) as string | number
  }
  if (Object.keys(range).length === 0) throw invalid(path, 'has none of gte, gt, lte and lt')
  return { op: 'range', field: name, ...range }
}

function fieldOf(name: unknown, fields: FieldTypes, path: string): { readonly name: string; readonly type: FieldType } {
  if (typeof name === 'string' && Object.hasOwn(fields, name)) return { name, type: fields[name] as FieldType }
  const declared = Object.keys(fields)
  const known = declared.length === 0 ? 'none is declared' : `declared are ${declared.slice(0, 20).join(', ')}`
  throw invalid(`${path}.field`, `is not a declared field (${known}): ${short(name)}`)
}

function listOf(values: unknown, path: string, most: number): readonly unknown[] {
  if (!Array.isArray(values)) throw invalid(path, 'is not an array')
  if (values.length > most) throw invalid(path, `has ${values.length} entries, more than are taken`)
  // A copy, without holes and without whatever else the array may be.
  return Array.from(values as readonly unknown[])
}

function checkValue(value: unknown, type: FieldType, left: Left, path: string): string | number | boolean {
  if (--left.values < 0) throw invalid(path, `is one value too many: at most ${filterLimits.values} are taken`)
  const wanted = type === 'strings' ? 'string' : type
  if (typeof value !== wanted) throw invalid(path, `is not a ${wanted}: ${short(value)}`)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw invalid(path, `is not a finite number: ${value}`)
    // There is one zero to engines.
    return value === 0 ? 0 : value
  }
  if (typeof value === 'string') {
    if (value.length > filterLimits.text) throw invalid(path, `is longer than ${filterLimits.text} code units`)
    if (!isStorable(value)) throw invalid(path, 'has a NUL or half of a surrogate pair, which no stored value has')
  }
  return value as string | boolean
}

function idsOf(values: unknown, left: Left, path: string): readonly string[] {
  const ids = listOf(values, path, left.values)
  left.values -= ids.length
  return ids.map((id, at) => {
    try {
      return checkDocumentId(id)
    } catch (error) {
      throw invalid(`${path}[${at}]`, (error as Error).message)
    }
  })
}

function short(value: unknown): string {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value
  return shown.toWellFormed()
}

function invalid(path: string, why: string): AshlarError {
  return new AshlarError('INVALID_FILTER', `The filter cannot be used: ${path} ${why}.`, { details: { path } })
}
