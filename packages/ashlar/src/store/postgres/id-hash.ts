import { createHash } from 'node:crypto'

/** Hash of a document's id, by which it is looked up: ids may be longer than what an index can hold. */
export function idHash(id: string): Uint8Array {
  return createHash('sha256').update(id).digest().subarray(0, 16)
}
