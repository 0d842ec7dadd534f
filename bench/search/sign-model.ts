import type { Embedder, TokenStates } from 'ashlar/models'

/** As many numbers as all-MiniLM-L6-v2 has. */
const dimensions = 384

/**
 * An embedder with token states of MiniLM's size, made of a static one's within milliseconds: each has the numbers of its own token and
 * behind them half of those of the next, so that it depends on its text, and is kept as 48 bytes of signs. What a search costs depends on
 * sizes and on how near things are, and both are like those of the model; embedding 10^5 children by the model takes an hour.
 */
export function signModel(table: Embedder): Embedder {
  const own = table.identity.dimensions!
  const widen = ({ starts, ends, ids, states }: TokenStates): TokenStates => {
    const wide = new Float32Array(ids.length * dimensions)
    for (let token = 0; token < ids.length; token++) {
      wide.set(states.subarray(token * own, (token + 1) * own), token * dimensions)
      const next = states.subarray((token + 1) * own, (token + 1) * own + dimensions - own)
      wide.set(
        next.map((value) => value / 2),
        token * dimensions + own,
      )
    }
    return { starts, ends, ids, states: wide }
  }
  return {
    identity: { ...table.identity, model: `${table.identity.model} in ${dimensions} dimensions`, dimensions, pooling: 'mean' },
    maxBatch: table.maxBatch,
    givesTokens: true,
    ...(table.counter === undefined ? {} : { counter: table.counter }),
    async embed(texts, options) {
      const { tokens = [], usage } = await table.embed(texts, { ...options, tokens: true })
      const wide = tokens.map(widen)
      return { vectors: wide.map(({ states }) => mean(states)), tokens: wide, usage }
    },
  }
}

/** Of length 1, unless there is nothing to take the mean of. */
function mean(states: Float32Array): Float32Array {
  const sum = new Float32Array(dimensions)
  for (let at = 0; at < states.length; at++) sum[at % dimensions]! += states[at]!
  const length = Math.hypot(...sum)
  return length === 0 ? sum : sum.map((value) => value / length)
}
