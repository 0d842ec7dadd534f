import { AshlarError } from '../error/ashlar-error.ts'
import type { FieldType, FieldTypes, FieldValue, Filter, Metadata } from '../store/filter.ts'

/** The metadata that declared fields describe: `MetadataOf<{ year: 'number' }>` is `{ year?: number }`. */
export type MetadataOf<Fields extends FieldTypes> = { readonly [Name in keyof Fields]?: ValueOf<Fields[Name]> }

type ValueOf<Type extends FieldType> = Type extends 'string'
  ? string
  : Type extends 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : readonly string[]

/** One of the values that a field holds: of a list of strings, one string. */
type OneOf<Value> = Value extends readonly (infer Item)[] ? Item : Value extends boolean ? boolean : Value

/** What is asked of one field: a value, or an object whose entries must all hold. A list of strings satisfies what one of its strings does. */
export type Condition<Value = FieldValue> =
  | OneOf<NonNullable<Value>>
  | ({
      readonly equal?: OneOf<NonNullable<Value>>
      readonly in?: readonly OneOf<NonNullable<Value>>[]
      /** Whether the document has the field at all. */
      readonly exists?: boolean
      readonly not?: Condition<Value>
    } & (NonNullable<Value> extends string | number
      ? {
          readonly gte?: NonNullable<Value>
          readonly gt?: NonNullable<Value>
          readonly lte?: NonNullable<Value>
          readonly lt?: NonNullable<Value>
        }
      : NonNullable<Value> extends boolean | readonly string[]
        ? unknown
        : {
            readonly gte?: string | number
            readonly gt?: string | number
            readonly lte?: string | number
            readonly lt?: string | number
          }) &
      (NonNullable<Value> extends number | boolean ? unknown : { readonly prefix?: string }))

/** Conditions on metadata, field by field: all of them must hold. */
export type WhereAll<Data extends object = Metadata> = { readonly [Name in keyof Data]?: Condition<Data[Name]> }

/**
 * A filter as people write it: `{ year: { gte: 2020 }, topic: 'walls' }`. A list of such objects holds where any of them does. With a
 * type of the metadata, fields and values are checked as you write. What this cannot say, a {@link Filter} can.
 */
export type Where<Data extends object = Metadata> = WhereAll<Data> | readonly WhereAll<Data>[]

const conditions = ['equal', 'in', 'exists', 'not', 'prefix', 'gte', 'gt', 'lte', 'lt']
const bounds = ['gte', 'gt', 'lte', 'lt'] as const

/** Nested `not` is the only depth there is; engines take filters no deeper than this anyway. */
const deepest = 16

/**
 * The filter that conditions stand for. A {@link Filter} is given back as it is: an object whose `op` names an operation, in a store that
 * declares no field of that name.
 *
 * @throws AshlarError `INVALID_FILTER` where it is neither; fields and values are checked by the store.
 */
export function compileWhere(where: Filter | Where, fields: FieldTypes): Filter {
  if (typeof where !== 'object' || where === null) throw invalid('where', 'is neither an object nor a list of objects')
  if (isFilter(where, fields)) return where
  if (Array.isArray(where)) {
    return { op: 'or', filters: (where as readonly WhereAll[]).map((one, at) => allOf(one, `where[${at}]`)) }
  }
  return allOf(where as WhereAll, 'where')
}

function isFilter(where: object, fields: FieldTypes): where is Filter {
  return Object.hasOwn(where, 'op') && typeof (where as { readonly op: unknown }).op === 'string' && !Object.hasOwn(fields, 'op')
}

function allOf(where: WhereAll, path: string): Filter {
  if (typeof where !== 'object' || where === null || Array.isArray(where)) throw invalid(path, 'is not an object')
  const filters = Object.entries(where)
    .filter(([, condition]) => condition !== undefined)
    .map(([field, condition]) => onField(field, condition as Condition, `${path}.${field}`, 1))
  return filters.length === 1 ? (filters[0] as Filter) : { op: 'and', filters }
}

function onField(field: string, condition: Condition, path: string, depth: number): Filter {
  if (depth > deepest) throw invalid(path, `is deeper than ${deepest} conditions`)
  if (typeof condition !== 'object' || condition === null) return { op: 'equal', field, value: condition }
  if (Array.isArray(condition)) throw invalid(path, 'is a list: write { in: [...] } for any of several values')
  const given = condition as Readonly<Record<string, unknown>>
  for (const name of Object.keys(given)) {
    if (!conditions.includes(name))
      throw invalid(path, `has ${JSON.stringify(name.slice(0, 60))}, which is none of ${conditions.join(', ')}`)
  }
  const filters: Filter[] = []
  if (given['equal'] !== undefined) filters.push({ op: 'equal', field, value: given['equal'] as string })
  if (given['in'] !== undefined) filters.push({ op: 'in', field, values: given['in'] as readonly string[] })
  if (given['prefix'] !== undefined) filters.push({ op: 'prefix', field, value: given['prefix'] as string })
  if (given['exists'] !== undefined) {
    const exists: Filter = { op: 'exists', field }
    filters.push(given['exists'] === false ? { op: 'not', filter: exists } : exists)
  }
  if (given['not'] !== undefined) {
    filters.push({ op: 'not', filter: onField(field, given['not'] as Condition, `${path}.not`, depth + 1) })
  }
  const range = Object.fromEntries(bounds.filter((bound) => given[bound] !== undefined).map((bound) => [bound, given[bound]]))
  if (Object.keys(range).length > 0) filters.push({ op: 'range', field, ...range })
  if (filters.length === 0) throw invalid(path, 'asks for nothing')
  return filters.length === 1 ? (filters[0] as Filter) : { op: 'and', filters }
}

function invalid(path: string, why: string): AshlarError {
  return new AshlarError('INVALID_FILTER', `The filter cannot be used: ${path} ${why}.`, { details: { path } })
}
