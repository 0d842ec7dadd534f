import type { SegmentChild } from './segment-child.ts'

export interface StoredChild {
  readonly key: number
  readonly parent: number
  readonly section: number
  readonly document: number
  readonly terms: Readonly<Record<string, number>>
  readonly length: number
  readonly pieces: readonly { readonly embedding: number; readonly ids: readonly number[] }[]
}

/** The pages of a segment that holds these children: the unit of writing. All children of one section belong into one segment. */
export function buildSegment(children: readonly SegmentChild[]): Uint8Array[] {
  const rows = children.map(({ key, parent, section, document, own, generated, pieces }): StoredChild => {
    const terms: Record<string, number> = {}
    for (const field of [own, generated]) {
      for (const [at, term] of (field?.terms ?? []).entries()) terms[term] = (terms[term] ?? 0) + field!.counts[at]!
    }
    const length = own.length + (generated?.length ?? 0)
    return {
      key,
      parent,
      section,
      document,
      terms,
      length,
      pieces: (pieces ?? []).map(({ embedding, ids }) => ({ embedding, ids: [...ids] })),
    }
  })
  return [new TextEncoder().encode(JSON.stringify(rows))]
}
