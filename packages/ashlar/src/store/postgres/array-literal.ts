/** A list of numbers as PostgreSQL writes arrays. */
export function numberArray(values: Iterable<number>): string {
  return `{${Array.from(values).join(',')}}`
}

/** A list of texts as PostgreSQL writes arrays: each in quotes, with quotes and backslashes escaped. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** A list of byte strings as PostgreSQL writes arrays. */
export function bytesArray(values: readonly Uint8Array[]): string {
  return `{${values.map((value) => `"\\\\x${hexOf(value)}"`).join(',')}}`
}

/** Bytes as hexadecimal digits. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
