/** A vector as it is stored: 32-bit floats, little-endian, as every platform of JavaScript has them. */
export function vectorBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function readVector(bytes: Uint8Array): Float32Array {
  // A view needs the numbers to begin at a multiple of four.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice()
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4)
}
