/**
 * The product of a vector and the row that begins at `from`. Four sums side by side: a single one would wait for itself at every step.
 */
export function rowProduct(vector: Float32Array, rows: Float32Array, from: number): number {
  let [first, second, third, fourth] = [0, 0, 0, 0]
  const even = vector.length & ~3
  for (let at = 0; at < even; at += 4) {
    first += (vector[at] as number) * (rows[from + at] as number)
    second += (vector[at + 1] as number) * (rows[from + at + 1] as number)
    third += (vector[at + 2] as number) * (rows[from + at + 2] as number)
    fourth += (vector[at + 3] as number) * (rows[from + at + 3] as number)
  }
  for (let at = even; at < vector.length; at++) first += (vector[at] as number) * (rows[from + at] as number)
  return first + second + third + fourth
}
