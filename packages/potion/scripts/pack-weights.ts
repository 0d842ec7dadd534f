import { readStaticWeights } from '../../ashlar/src/model/static-weights.ts'

/**
 * Rewrites the weights of a static model with 8 bits a number: each token's row as whole numbers from -127 to 127, and the factor
 * that makes them what they were. That is the layout of model2vec still, whose `weights` are such factors. Same bytes for the
 * same input.
 */
export function packWeights(file: Uint8Array): Uint8Array {
  const weights = readStaticWeights(file)
  const { size, dimensions } = weights
  const rows = new Int8Array(size * dimensions)
  const factors = new DataView(new ArrayBuffer(size * 4))
  for (let id = 0; id < size; id++) {
    const row = weights.row(id)
    const factor = Math.fround(row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127)
    factors.setFloat32(id * 4, factor, true)
    if (factor > 0)
      row.forEach((value, at) => {
        rows[id * dimensions + at] = Math.round(value / factor)
      })
  }
  const header = JSON.stringify({
    weights: { dtype: 'F32', shape: [size], data_offsets: [0, factors.byteLength] },
    embeddings: {
      dtype: 'I8',
      shape: [size, dimensions],
      data_offsets: [factors.byteLength, factors.byteLength + rows.length],
    },
  })
  // Spaces up to a multiple of eight, so that the numbers can be read in place.
  const padded = new TextEncoder().encode(header.padEnd(Math.ceil(header.length / 8) * 8))
  const packed = new Uint8Array(8 + padded.length + factors.byteLength + rows.length)
  new DataView(packed.buffer).setBigUint64(0, BigInt(padded.length), true)
  packed.set(padded, 8)
  packed.set(new Uint8Array(factors.buffer), 8 + padded.length)
  packed.set(new Uint8Array(rows.buffer), 8 + padded.length + factors.byteLength)
  return packed
}
