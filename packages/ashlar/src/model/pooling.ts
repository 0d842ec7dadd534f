/** Makes one vector of the states of all tokens that a model read, special ones included. */
export function poolStates(
  states: Float32Array,
  { tokens, dimensions, pooling }: { tokens: number; dimensions: number; pooling: 'mean' | 'cls' | 'last' },
): Float32Array {
  if (pooling === 'cls') return states.slice(0, dimensions)
  if (pooling === 'last') return states.slice((tokens - 1) * dimensions, tokens * dimensions)
  const mean = new Float32Array(dimensions)
  const end = tokens * dimensions
  // Axis by axis: a sum in a local variable is twice as fast as a row of sums in memory.
  for (let axis = 0; axis < dimensions; axis++) {
    let sum = 0
    for (let at = axis; at < end; at += dimensions) sum += states[at] as number
    mean[axis] = sum / tokens
  }
  return mean
}

/** Gives the vector length 1, in place; a vector of zeros stays what it is. */
export function normalize(vector: Float32Array): Float32Array {
  let square = 0
  for (let axis = 0; axis < vector.length; axis++) square += (vector[axis] as number) ** 2
  const length = Math.sqrt(square)
  if (length > 0) for (let axis = 0; axis < vector.length; axis++) vector[axis] = (vector[axis] as number) / length
  return vector
}
