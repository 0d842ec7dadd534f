import { cosine } from './cosine.ts'
/** What stands for a unit in the comparison with what comes before it (`head`) and after it (`tail`). */
export interface SemanticVectors {
  readonly head: Float32Array
  readonly tail: Float32Array
}

/** How many standard deviations lie between what is usual, 1, and 0. */
const deviations = 4

/** Below this, neighbouring similarities differ by rounding alone. */
const leastDeviation = 1e-6

const precision = 1e6

/**
 * The cosine between what stands before and after each seam, `breadth` units to either side: item `i` is the seam before unit `i + 1`.
 * Not a number where one side has fewer units, which would be less similar for that alone, or no vector but zeros.
 */
export function neighbourCosines(vectors: readonly SemanticVectors[], breadth: number): Float64Array {
  const cosines = new Float64Array(Math.max(0, vectors.length - 1)).fill(Number.NaN)
  const dimensions = vectors[0]?.head.length ?? 0
  const before = new Float64Array(dimensions)
  const after = new Float64Array(dimensions)
  for (let seam = breadth - 1; seam + breadth < vectors.length; seam++) {
    before.fill(0)
    after.fill(0)
    for (let unit = seam - breadth + 1; unit <= seam; unit++) addUnit(before, (vectors[unit] as SemanticVectors).tail)
    for (let unit = seam + 1; unit <= seam + breadth; unit++) addUnit(after, (vectors[unit] as SemanticVectors).head)
    cosines[seam] = cosine(before, after)
  }
  return cosines
}

/**
 * Similarities brought to one scale for every embedder and every text: 1 is what is usual around the seam, and each standard
 * deviation below that is a quarter less. What is usual is the mean over `surroundings` seams to either side, so that an edit is not
 * felt further away.
 */
export function relativeSimilarities(cosines: Float64Array, surroundings: number): Float64Array {
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
    // Where all are alike, each is usual; where nothing is known, it stays so. What rounding errors differ by must not decide.
    const value = deviation > leastDeviation || Number.isNaN(here) ? 1 - (mean - here) / deviation / deviations : 1
    relative[seam] = Math.round(value * precision) / precision
  }
  return relative
}

/** Units count alike, however long their vectors are. */
function addUnit(sum: Float64Array, vector: Float32Array): void {
  let squares = 0
  for (let at = 0; at < vector.length; at++) squares += (vector[at] as number) ** 2
  if (squares === 0) return
  const scale = 1 / Math.sqrt(squares)
  for (let at = 0; at < vector.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number) * scale
}
