import { AshlarError } from '../error/ashlar-error.ts'
import type { TokenQuery } from './late-query.ts'
import type { TokenCodec, TokenRun } from './token-codec.ts'

/** A child to be scored, and its neighbours in the same document, as far as they count: the nearest first on each side. */
export interface MaxSimCandidate {
  readonly child: TokenRun
  readonly before?: readonly TokenRun[]
  readonly after?: readonly TokenRun[]
}

/** How candidates are scored. */
export interface MaxSimOptions {
  /** What their token states were kept with. */
  readonly codec: TokenCodec
  /** How many neighbours on each side are looked at. @default 2 */
  readonly reach?: number
}

/**
 * Scores children by how near each piece of the query comes to one of their tokens: `scores[r]` is the mean over the pieces, by weight, of
 * the best cosine among the child and its `r` neighbours on each side. From 0 to 1, and rising with `r`.
 *
 * Each child is compared once, however many candidates it is a neighbour of: pass the same object, as `readTokenBlob` gives it.
 */
export function maxSim(
  query: TokenQuery,
  candidates: readonly MaxSimCandidate[],
  { codec, reach = 2 }: MaxSimOptions,
): (readonly number[])[] {
  const places = new Map<TokenRun, number>()
  for (const { child, before = [], after = [] } of candidates) {
    for (const run of [child, ...before.slice(0, reach), ...after.slice(0, reach)]) {
      if (places.has(run)) continue
      if (run.dimensions !== query.dimensions) throw notOfOneModel(query, run)
      places.set(run, places.size)
    }
  }
  const pieces = query.weights.length
  const best = codec.scorer(query).best([...places.keys()])
  const total = query.weights.reduce((sum, weight) => sum + weight, 0)
  const nearest = new Float32Array(pieces)
  const raiseBy = (run: TokenRun | undefined): void => {
    if (run === undefined) return
    const from = (places.get(run) as number) * pieces
    for (let piece = 0; piece < pieces; piece++) {
      const value = best[from + piece] as number
      if (value > (nearest[piece] as number)) nearest[piece] = value
    }
  }
  const score = (): number => {
    let sum = 0
    for (let piece = 0; piece < pieces; piece++) sum += (nearest[piece] as number) * (query.weights[piece] as number)
    return total === 0 ? 0 : sum / total
  }
  return candidates.map(({ child, before = [], after = [] }) => {
    nearest.fill(0)
    raiseBy(child)
    const scores = [score()]
    for (let step = 0; step < reach; step++) {
      raiseBy(before[step])
      raiseBy(after[step])
      scores.push(score())
    }
    return scores
  })
}

function notOfOneModel(query: TokenQuery, run: TokenRun): AshlarError {
  return new AshlarError(
    'INVALID_OPTION',
    `The query has token states of ${query.dimensions} dimensions and a candidate has ${run.dimensions}: they come from different models.`,
    { details: { query: query.dimensions, candidate: run.dimensions } },
  )
}
