import { halfBits } from './half-vector.ts'

/*
 * Lists go to the server in its own binary form: nothing is printed here and nothing is parsed there, which is what costs when many rows
 * are written. Row-level security does not let rows in by COPY, so they go by `unnest` of such lists.
 */

/** Numbers that PostgreSQL gave its types once and for all. */
const types = { bigint: 20, text: 25, bytea: 17 } as const

/** A list of whole numbers, as `bigint[]`. */
export function numberArray(values: readonly number[]): Buffer {
  const bytes = open(types.bigint, values.length, 12 * values.length)
  let at = headLength
  for (const value of values) {
    const high = Math.floor(value / 4_294_967_296)
    bytes.writeInt32BE(8, at)
    bytes.writeInt32BE(high, at + 4)
    bytes.writeUInt32BE(value - high * 4_294_967_296, at + 8)
    at += 12
  }
  return bytes
}

/** The same for a statement without parameters. Only digits can come of it. */
export function numbersLiteral(values: readonly number[]): string {
  return `'{${values.map((value) => BigInt(value)).join(',')}}'`
}

/** A list of texts, as `text[]`. */
export function textArray(values: readonly string[]): Buffer {
  const lengths = values.map((value) => Buffer.byteLength(value))
  const bytes = open(types.text, values.length, sum(lengths) + 4 * values.length)
  let at = headLength
  for (const [index, value] of values.entries()) {
    bytes.writeInt32BE(lengths[index] as number, at)
    bytes.write(value, at + 4)
    at += 4 + (lengths[index] as number)
  }
  return bytes
}

/** A list of byte strings, as `bytea[]`. */
export function bytesArray(values: readonly Uint8Array[]): Buffer {
  const bytes = open(types.bytea, values.length, sum(values.map(({ length }) => length)) + 4 * values.length)
  let at = headLength
  for (const value of values) {
    bytes.writeInt32BE(value.length, at)
    bytes.set(value, at + 4)
    at += 4 + value.length
  }
  return bytes
}

/** A list of vectors, as `halfvec[]`. `type` is the number that this database gave to `halfvec`. */
export function halfVectorArray(values: readonly Float32Array[], type: number): Buffer {
  const bytes = open(type, values.length, sum(values.map(({ length }) => 8 + 2 * length)))
  let at = headLength
  for (const vector of values) {
    bytes.writeInt32BE(4 + 2 * vector.length, at)
    bytes.writeInt16BE(vector.length, at + 4)
    bytes.writeInt16BE(0, at + 6)
    at += 8
    for (const value of vector) at = bytes.writeUInt16BE(halfBits(value), at)
  }
  return bytes
}

const headLength = 20

/** One dimension, no nulls, the type, how many, counted from 1. */
function open(type: number, count: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(headLength + length)
  for (const [index, value] of [1, 0, type, count, 1].entries()) bytes.writeInt32BE(value, 4 * index)
  return bytes
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Texts as PostgreSQL writes arrays: each in quotes, with quotes and backslashes escaped. For lists that are short or cast further. */
export function textArrayLiteral(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
