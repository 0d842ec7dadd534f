/** The cosine of two vectors of any length; not a number where one of them points nowhere. */
export function cosine(left: Float32Array | Float64Array, right: Float32Array | Float64Array): number {
  let product = 0
  let leftSquares = 0
  let rightSquares = 0
  for (let at = 0; at < left.length; at++) {
    const a = left[at] as number
    const b = right[at] as number
    product += a * b
    leftSquares += a * a
    rightSquares += b * b
  }
  return product / Math.sqrt(leftSquares * rightSquares)
}
