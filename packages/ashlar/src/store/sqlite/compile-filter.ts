import type { SQLInputValue } from 'node:sqlite'
import type { FieldTypes, Filter } from '../filter.ts'
import { fieldTypeNumbers } from './metadata-fields.ts'

/** A condition on the table `document`, and what its parameters are. */
export interface CompiledFilter {
  readonly sql: string
  readonly parameters: readonly SQLInputValue[]
}

type Condition = Exclude<Filter, { readonly op: 'and' | 'or' | 'not' | 'document' }>

/**
 * A checked filter as SQL over documents of one workspace. The SQL is put together from constants alone: field names, values and ids
 * are parameters, and how many there are rounds up, so that few statements serve all filters.
 */
export function compileFilter(filter: Filter, fields: FieldTypes, workspace: number): CompiledFilter {
  const parameters: SQLInputValue[] = []
  return { sql: compile(filter, fields, workspace, parameters), parameters }
}

function compile(filter: Filter, fields: FieldTypes, workspace: number, parameters: SQLInputValue[]): string {
  switch (filter.op) {
    case 'and':
    case 'or': {
      if (filter.filters.length === 0) return filter.op === 'and' ? '1' : '0'
      const parts = filter.filters.map((one) => compile(one, fields, workspace, parameters))
      return `(${parts.join(filter.op === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return `NOT ${compile(filter.filter, fields, workspace, parameters)}`
    case 'document':
      parameters.push(JSON.stringify(filter.ids))
      return 'document.id IN (SELECT value FROM json_each(?))'
    default:
      return compileCondition(filter, fields, workspace, parameters)
  }
}

function compileCondition(filter: Condition, fields: FieldTypes, workspace: number, parameters: SQLInputValue[]): string {
  const declared = Object.hasOwn(fields, filter.field) ? fields[filter.field] : undefined
  if (declared === undefined) return '0'
  const value = compileValue(filter, declared === 'strings' ? 'string' : declared)
  if (value === undefined) return '0'
  const type = fieldTypeNumbers[filter.op === 'exists' && declared === 'strings' ? 'list' : declared]
  parameters.push(workspace, filter.field, type, ...value.parameters)
  return `document.key IN (SELECT field.document FROM field WHERE field.workspace = ? AND field.name = ? AND field.type = ?${value.sql})`
}

/** What is asked of `field.value`; undefined where nothing can satisfy it. */
function compileValue(filter: Condition, type: 'string' | 'number' | 'boolean'): CompiledFilter | undefined {
  switch (filter.op) {
    case 'exists':
      return { sql: '', parameters: [] }
    case 'equal':
      return compileIn([filter.value], type)
    case 'in':
      return compileIn(filter.values, type)
    case 'prefix':
      return type === 'string' ? compilePrefix(filter.value) : undefined
    case 'range': {
      const bounds = [
        { sign: '>=', bound: filter.gte },
        { sign: '>', bound: filter.gt },
        { sign: '<=', bound: filter.lte },
        { sign: '<', bound: filter.lt },
      ].filter(({ bound }) => bound !== undefined)
      if (bounds.some(({ bound }) => typeof bound !== type)) return undefined
      return {
        sql: bounds.map(({ sign }) => ` AND field.value ${sign} ?`).join(''),
        parameters: bounds.map(({ bound }) => bound as string | number),
      }
    }
  }
}

function compileIn(values: readonly (string | number | boolean)[], type: string): CompiledFilter | undefined {
  const wanted = values
    .filter((value) => typeof value === type)
    .map((value) => (typeof value === 'boolean' ? Number(value) : value))
  const [first] = wanted
  if (first === undefined) return undefined
  if (wanted.length === 1) return { sql: ' AND field.value = ?', parameters: wanted }
  // Numbers do not go through JSON: SQLite need not read the same last bit from their digits.
  const places = 2 ** Math.ceil(Math.log2(wanted.length))
  while (wanted.length < places) wanted.push(first)
  return { sql: ` AND field.value IN (${'?, '.repeat(places - 1)}?)`, parameters: wanted }
}

function compilePrefix(prefix: string): CompiledFilter {
  const after = afterPrefix(prefix)
  return after === undefined
    ? { sql: ' AND field.value >= ?', parameters: [prefix] }
    : { sql: ' AND field.value >= ? AND field.value < ?', parameters: [prefix, after] }
}

/** The least text, by code points, that is beyond all that begin so; undefined where there is none. */
function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10_ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
