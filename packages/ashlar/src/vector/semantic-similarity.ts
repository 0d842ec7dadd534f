/** What stands for a unit in the comparison with what comes before it (`head`) and after it (`tail`). */
export interface SemanticVectors {
  readonly head: Float32Array
  readonly tail: Float32Array
}

/** How many neighbouring similarities to either side say what is usual around a seam. */
const surroundings = 16

/** How many standard deviations lie between what is usual, 1, and 0. */
const deviations = 4

/** Below this, neighbouring similarities differ by rounding alone. */
const leastDeviation = 1e-6

/**
 * The cosine between what stands before and after each seam, `width` units to either side: item `i` is the seam before unit `i + 1`.
 * Not a number where one side has no vector but zeros.
 */
export function neighbourCosines(vectors: readonly SemanticVectors[], width: number): Float64Array {
  const cosines = new Float64Array(Math.max(0, vectors.length - 1))
  const dimensions = vectors[0]?.head.length ?? 0
  const before = new Float64Array(dimensions)
  const after = new Float64Array(dimensions)
  for (let seam = 0; seam < cosines.length; seam++) {
    before.fill(0)
    after.fill(0)
    for (let unit = Math.max(0, seam - width + 1); unit <= seam; unit++) addUnit(before, vectors[unit]?.tail)
    for (let unit = seam + 1; unit <= Math.min(vectors.length - 1, seam + width); unit++) addUnit(after, vectors[unit]?.head)
    cosines[seam] = cosine(before, after)
  }
  return cosines
}

/**
 * Similarities brought to one scale for every embedder and every text: 1 is what is usual around the seam, and each standard
 * deviation below that is a quarter less. What is usual is the mean over 16 neighbours to either side, so that an edit is not felt
 * further away.
 */
export function relativeSimilarities(cosines: Float64Array): Float64Array {
  const relative = new Float64Array(cosines.length)
  for (let seam = 0; seam < cosines.length; seam++) {
    const from = Math.max(0, seam - surroundings)
    const to = Math.min(cosines.length, seam + surroundings + 1)
    let count = 0
    let sum = 0
    for (let other = from; other < to; other++) {
      const value = cosines[other] as number
      if (Number.isNaN(value)) continue
      count++
      sum += value
    }
    const mean = sum / count
    let squares = 0
    for (let other = from; other < to; other++) {
      const value = cosines[other] as number
      if (!Number.isNaN(value)) squares += (value - mean) ** 2
    }
    const deviation = Math.sqrt(squares / count)
    const here = cosines[seam] as number
    // Where all are alike, each is usual; where nothing is known, it stays so.
    relative[seam] = deviation > leastDeviation || Number.isNaN(here) ? 1 - (mean - here) / deviation / deviations : 1
  }
  return relative
}

/** Units count alike, however long their vectors are. */
function addUnit(sum: Float64Array, vector: Float32Array | undefined): void {
  if (vector === undefined) return
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
  if (squares === 0) return
  const scale = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number) * scale
}

function cosine(left: Float64Array, right: Float64Array): number {
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
