/** Makes one vector of the states of all tokens that a model read, special ones included. */
export function poolStates(
  states: Float32Array,
  { tokens, dimensions, pooling }: { tokens: number; dimensions: number; pooling: 'mean' | 'cls' | 'last' },
): Float32Array {
  if (pooling === 'cls') return states.slice(0, dimensions)
  if (pooling === 'last') return states.slice((tokens - 1) * dimensions, tokens * dimensions)
  const sum = new Float64Array(dimensions)
  for (let token = 0, at = 0; token < tokens; token++) {
    for (let axis = 0; axis < dimensions; axis++, at++) sum[axis] = (sum[axis] as number) + (states[at] as number)
  }
  const mean = new Float32Array(dimensions)
  for (let axis = 0; axis < dimensions; axis++) mean[axis] = (sum[axis] as number) / tokens
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
