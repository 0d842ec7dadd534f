import { readFileSync } from 'node:fs'

/**
 * The forward pass of BERT written down plainly, with weights as they were trained (float32) and sums in float64: what a
 * quantised runtime is held against. It shares nothing with the code under test.
 */
export interface BertReference {
  /** The state of the last layer for each token, row by row. */
  states(ids: readonly number[]): Float64Array
  readonly width: number
}

const heads = 12
const epsilon = 1e-12

interface Linear {
  readonly weight: Float32Array
  readonly bias: Float32Array
}

interface Layer {
  readonly query: Linear
  readonly key: Linear
  readonly value: Linear
  readonly joined: Linear
  readonly joinedNorm: Linear
  readonly wide: Linear
  readonly narrow: Linear
  readonly norm: Linear
}

/** Reads the weights of a small BERT from a `model.safetensors`. */
export function openBertReference(path: string): BertReference {
  const tensor = readSafetensors(path)
  const linear = (name: string): Linear => ({ weight: tensor(`${name}.weight`), bias: tensor(`${name}.bias`) })
  const words = tensor('embeddings.word_embeddings.weight')
  const positions = tensor('embeddings.position_embeddings.weight')
  const segments = tensor('embeddings.token_type_embeddings.weight')
  const firstNorm = linear('embeddings.LayerNorm')
  const width = firstNorm.bias.length
  const layers = Array.from({ length: 6 }, (_, index): Layer => {
    const at = `encoder.layer.${index}`
    return {
      query: linear(`${at}.attention.self.query`),
      key: linear(`${at}.attention.self.key`),
      value: linear(`${at}.attention.self.value`),
      joined: linear(`${at}.attention.output.dense`),
      joinedNorm: linear(`${at}.attention.output.LayerNorm`),
      wide: linear(`${at}.intermediate.dense`),
      narrow: linear(`${at}.output.dense`),
      norm: linear(`${at}.output.LayerNorm`),
    }
  })
  return {
    width,
    states(ids) {
      const first = new Float64Array(ids.length * width)
      for (const [row, id] of ids.entries()) {
        for (let axis = 0; axis < width; axis++) {
          first[row * width + axis] = words[id * width + axis]! + positions[row * width + axis]! + segments[axis]!
        }
      }
      let states = layerNorm(first, firstNorm)
      for (const layer of layers) {
        const seen = apply(layer.joined, attend(states, layer, ids.length, width), ids.length)
        const mixed = layerNorm(add(seen, states), layer.joinedNorm)
        const wide = apply(layer.wide, mixed, ids.length).map(gelu)
        states = layerNorm(add(apply(layer.narrow, wide, ids.length), mixed), layer.norm)
      }
      return states
    },
  }
}

/** `x Wᵀ + b`, four rows of x and two of W at a time. */
function apply({ weight, bias }: Linear, input: Float64Array, rows: number): Float64Array {
  const inputs = input.length / rows
  const outputs = bias.length
  const result = new Float64Array(rows * outputs)
  for (let row = 0; row < rows; row += 4) {
    const r0 = row * inputs
    // Past the end, the last row is worked on again.
    const r1 = Math.min(row + 1, rows - 1) * inputs
    const r2 = Math.min(row + 2, rows - 1) * inputs
    const r3 = Math.min(row + 3, rows - 1) * inputs
    for (let output = 0; output < outputs; output += 2) {
      const w0 = output * inputs
      const w1 = w0 + inputs
      let s00 = bias[output]!
      let s01 = bias[output + 1]!
      let s10 = s00
      let s11 = s01
      let s20 = s00
      let s21 = s01
      let s30 = s00
      let s31 = s01
      for (let i = 0; i < inputs; i++) {
        const a = weight[w0 + i]!
        const b = weight[w1 + i]!
        const x0 = input[r0 + i]!
        const x1 = input[r1 + i]!
        const x2 = input[r2 + i]!
        const x3 = input[r3 + i]!
        s00 += x0 * a
        s01 += x0 * b
        s10 += x1 * a
        s11 += x1 * b
        s20 += x2 * a
        s21 += x2 * b
        s30 += x3 * a
        s31 += x3 * b
      }
      const sums = [s00, s01, s10, s11, s20, s21, s30, s31]
      for (let one = 0; one < 4 && row + one < rows; one++) {
        const at = (row + one) * outputs + output
        result[at] = sums[2 * one]!
        result[at + 1] = sums[2 * one + 1]!
      }
    }
  }
  return result
}

function attend(states: Float64Array, layer: Layer, rows: number, width: number): Float64Array {
  const query = apply(layer.query, states, rows)
  const key = apply(layer.key, states, rows)
  const value = apply(layer.value, states, rows)
  const size = width / heads
  const result = new Float64Array(rows * width)
  const weights = new Float64Array(rows)
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < rows; row++) {
      let most = Number.NEGATIVE_INFINITY
      for (let other = 0; other < rows; other++) {
        let sum = 0
        for (let axis = head * size; axis < (head + 1) * size; axis++) {
          sum += query[row * width + axis]! * key[other * width + axis]!
        }
        weights[other] = sum / Math.sqrt(size)
        most = Math.max(most, weights[other]!)
      }
      let total = 0
      for (let other = 0; other < rows; other++) {
        weights[other] = Math.exp(weights[other]! - most)
        total += weights[other]!
      }
      for (let other = 0; other < rows; other++) {
        const share = weights[other]! / total
        for (let axis = head * size; axis < (head + 1) * size; axis++) {
          result[row * width + axis]! += share * value[other * width + axis]!
        }
      }
    }
  }
  return result
}

function layerNorm(states: Float64Array, { weight, bias }: Linear): Float64Array {
  const width = bias.length
  const result = new Float64Array(states.length)
  for (let row = 0; row < states.length; row += width) {
    const values = states.subarray(row, row + width)
    const mean = values.reduce((sum, value) => sum + value, 0) / width
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / width
    const scale = 1 / Math.sqrt(variance + epsilon)
    for (let axis = 0; axis < width; axis++) result[row + axis] = (values[axis]! - mean) * scale * weight[axis]! + bias[axis]!
  }
  return result
}

function add(left: Float64Array, right: Float64Array): Float64Array {
  return left.map((value, at) => value + right[at]!)
}

function gelu(x: number): number {
  return 0.5 * x * (1 + errorFunction(x / Math.SQRT2))
}

/** Values of the error function at steps of 1/256; what lies between follows from them and its known slope, to 1e-11. */
const step = 1 / 256
const errorTable = Float64Array.from({ length: 6 * 256 + 2 }, (_, at) => errorSeries(at * step))
const slopeTable = errorTable.map((_, at) => (2 / Math.sqrt(Math.PI)) * Math.exp(-((at * step) ** 2)) * step)

function errorFunction(x: number): number {
  const size = Math.abs(x)
  if (size >= 6) return Math.sign(x)
  const at = Math.floor(size / step)
  const share = size / step - at
  const [left, right] = [errorTable[at]!, errorTable[at + 1]!]
  const [m0, m1] = [slopeTable[at]!, slopeTable[at + 1]!]
  const s2 = share * share
  const s3 = s2 * share
  const value = (2 * s3 - 3 * s2 + 1) * left + (s3 - 2 * s2 + share) * m0 + (3 * s2 - 2 * s3) * right + (s3 - s2) * m1
  return Math.sign(x) * value
}

/** erf(x) = 2/sqrt(pi) e^(-x²) (x + 2x³/3 + 4x⁵/15 + …): all terms positive, so nothing is lost in the sum. */
function errorSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17 && n < 400; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** Gives the float32 tensors of a safetensors file by name: a length, a JSON header of that length, then the numbers. */
function readSafetensors(path: string): (name: string) => Float32Array {
  const file = readFileSync(path)
  const headerLength = Number(file.readBigUInt64LE(0))
  const header = JSON.parse(file.toString('utf8', 8, 8 + headerLength)) as Readonly<
    Record<string, { readonly dtype: string; readonly data_offsets: readonly [number, number] } | undefined>
  >
  return (name) => {
    const entry = header[name] ?? header[`bert.${name}`]
    if (entry?.dtype !== 'F32') throw new Error(`${path} has no float32 tensor ${name}`)
    const [start, end] = entry.data_offsets
    const bytes = file.subarray(8 + headerLength + start, 8 + headerLength + end)
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  }
}
