import type { FieldType, Metadata } from '../filter.ts'

/** Numbers of types in the field table; `list` has one row for each list of strings, also an empty one. */
export const fieldTypeNumbers: Readonly<Record<FieldType | 'list', number>> = {
  string: 1,
  number: 2,
  boolean: 3,
  strings: 4,
  list: 5,
}

/**
 * Code units of a text that are indexed. No filter has a longer one, so what is left out changes neither equality, nor order, nor
 * prefixes: whatever is longer than a filter's text is not equal to it and its order is settled before the end.
 */
const indexedLength = 4_100

/** A row of the field table, without workspace and document. */
export interface MetadataField {
  readonly name: string
  readonly type: number
  readonly value: string | number
}

/** The rows that metadata has in the field table. */
export function metadataFields(metadata: Metadata): readonly MetadataField[] {
  return Object.entries(metadata).flatMap(([name, value]): readonly MetadataField[] => {
    if (typeof value === 'string') return [{ name, type: fieldTypeNumbers.string, value: indexed(value) }]
    if (typeof value === 'number') return [{ name, type: fieldTypeNumbers.number, value }]
    if (typeof value === 'boolean') return [{ name, type: fieldTypeNumbers.boolean, value: Number(value) }]
    const texts = [...new Set(value.map(indexed))]
    return [
      { name, type: fieldTypeNumbers.list, value: 0 },
      ...texts.map((text) => ({ name, type: fieldTypeNumbers.strings, value: text })),
    ]
  })
}

function indexed(text: string): string {
  if (text.length <= indexedLength) return text
  const isPairCut = (text.charCodeAt(indexedLength - 1) & 0xfc00) === 0xd800
  return text.slice(0, isPairCut ? indexedLength - 1 : indexedLength)
}
