/** The length of the row that begins at `from`. */
export function rowLength(rows: Float32Array, from: number, dimensions: number): number {
  let sum = 0
  for (let at = from; at < from + dimensions; at++) {
    const value = rows[at] as number
    sum += value * value
  }
  return Math.sqrt(sum)
}

/** Whether the row that begins at `from` points anywhere: zeros do not. */
export function hasDirection(rows: Float32Array, from: number, dimensions: number): boolean {
  for (let at = from; at < from + dimensions; at++) if (rows[at] !== 0) return true
  return false
}

/** The row that begins at `from`, brought to length 1; zeros stay zeros. */
export function unitRow(rows: Float32Array, from: number, dimensions: number): Float32Array {
  const length = rowLength(rows, from, dimensions)
  const unit = rows.slice(from, from + dimensions)
  if (length > 0) for (let at = 0; at < dimensions; at++) unit[at] = (unit[at] as number) / length
  return unit
}
