import { createHash } from 'node:crypto'

/** Half and half: `test` where the first byte of the SHA-256 of a key is odd. */
export function partByHash(key: string): 'dev' | 'test' {
  return createHash('sha256').update(key).digest()[0]! % 2 === 1 ? 'test' : 'dev'
}
