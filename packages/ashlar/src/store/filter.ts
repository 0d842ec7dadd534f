/** What a metadata field holds. Times are numbers (milliseconds) or ISO strings, as you declare them. */
export type FieldType = 'string' | 'number' | 'boolean' | 'strings'

/** The fields that filters may name, declared when a workspace is opened. */
export type FieldTypes = Readonly<Record<string, FieldType>>

/** A value of a metadata field. */
export type FieldValue = string | number | boolean | readonly string[]

/** Metadata of a document: declared fields can be filtered by, others are kept and given back. */
export type Metadata = Readonly<Record<string, FieldValue>>

/**
 * A condition on documents, as data. It is checked against the declared fields and compiled by each engine to parameters: nothing of it
 * ever reaches an engine's parser as text.
 *
 * A document without the field satisfies neither a condition on it nor that condition's range; `not` turns the whole condition around.
 */
export type Filter =
  | { readonly op: 'equal'; readonly field: string; readonly value: string | number | boolean }
  | { readonly op: 'in'; readonly field: string; readonly values: readonly (string | number | boolean)[] }
  | {
      readonly op: 'range'
      readonly field: string
      /** At least, above, at most, below: any of them. Strings compare by code point. */
      readonly gte?: string | number
      readonly gt?: string | number
      readonly lte?: string | number
      readonly lt?: string | number
    }
  | { readonly op: 'exists'; readonly field: string }
  | { readonly op: 'prefix'; readonly field: string; readonly value: string }
  | { readonly op: 'document'; readonly ids: readonly string[] }
  | { readonly op: 'and' | 'or'; readonly filters: readonly Filter[] }
  | { readonly op: 'not'; readonly filter: Filter }
