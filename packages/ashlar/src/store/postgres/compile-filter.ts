import type { FieldType, FieldTypes, Filter } from '../filter.ts'
import { bytesArray, textArrayLiteral } from './array-parameter.ts'
import { idHash } from './id-hash.ts'
import type { PostgresValue } from './postgres-client.ts'

type Condition = Exclude<Filter, { readonly op: 'and' | 'or' | 'not' | 'document' }>

/**
 * A checked filter as a condition on the columns `id_hash` and `metadata` of `document`, with the meaning of `matchesFilter`.
 *
 * The text is made of constants and of `$n` alone; every name and value of the filter is a parameter, added to `parameters`. No part is
 * ever null, so that `not` is the opposite of what it holds.
 */
export function compileFilter(filter: Filter, fields: FieldTypes, parameters: PostgresValue[]): string {
  const add = (value: PostgresValue): string => `$${parameters.push(value)}`
  const compile = (one: Filter): string => {
    switch (one.op) {
      case 'and':
      case 'or': {
        if (one.filters.length === 0) return one.op === 'and' ? 'true' : 'false'
        return `(${one.filters.map(compile).join(one.op === 'and' ? ' and ' : ' or ')})`
      }
      case 'not':
        return `(not ${compile(one.filter)})`
      case 'document':
        // By the hash, as everywhere: it alone has an index that row-level security lets a condition use.
        return `(id_hash = any(${add(bytesArray(one.ids.map(idHash)))}::bytea[]))`
      default:
        return compileCondition(one, fields[one.field], add)
    }
  }
  return compile(filter)
}

/** What `jsonb_typeof` says of a value of each type. */
const jsonTypes: Readonly<Record<FieldType, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'boolean',
  strings: 'array',
}

/** `case` and not `and`: it alone promises that the value is looked at only when it has the declared type. */
function compileCondition(condition: Condition, type: FieldType | undefined, add: (value: string) => string): string {
  if (type === undefined || !Object.hasOwn(jsonTypes, type)) return 'false'
  const name = add(condition.field)
  const holds = compileValue(condition, type, `(metadata ->> ${name}::text)`, `(metadata -> ${name}::text)`, add)
  return `(case when jsonb_typeof(metadata -> ${name}::text) = '${jsonTypes[type]}' then ${holds} else false end)`
}

function compileValue(condition: Condition, type: FieldType, text: string, json: string, add: (value: string) => string): string {
  if (condition.op === 'exists') return 'true'
  if (type === 'strings') {
    const one = compileScalar(condition, 'string', 'item', add)
    return `exists (select from jsonb_array_elements_text(${json}) as items (item) where ${one})`
  }
  return compileScalar(condition, type, type === 'number' ? `${text}::numeric` : text, add)
}

function compileScalar(
  condition: Exclude<Condition, { readonly op: 'exists' }>,
  type: Exclude<FieldType, 'strings'>,
  value: string,
  add: (value: string) => string,
): string {
  const cast = type === 'number' ? '::numeric' : '::text collate "C"'
  const parameter = (given: string | number | boolean): string => `${add(String(given))}${cast}`
  switch (condition.op) {
    case 'equal':
      return `${value} = ${parameter(condition.value)}`
    case 'in': {
      const list = add(textArrayLiteral(condition.values.map(String)))
      return `${value} = any(${list}::${type === 'number' ? 'numeric' : 'text'}[])`
    }
    case 'prefix':
      return `starts_with(${value}, ${add(condition.value)}::text)`
    case 'range': {
      const bounds = [
        ['>=', condition.gte],
        ['>', condition.gt],
        ['<=', condition.lte],
        ['<', condition.lt],
      ] as const
      const parts = bounds.flatMap(([sign, bound]) => (bound === undefined ? [] : [`${value} ${sign} ${parameter(bound)}`]))
      return parts.length === 0 ? 'true' : `(${parts.join(' and ')})`
    }
  }
}
