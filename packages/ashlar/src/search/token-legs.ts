import type { ChildRecord, ChildRecords, Neighbour, WindowPlace } from '../store/store.ts'
import type { TokenQuery } from '../vector/late-query.ts'
import { levelLength } from '../vector/level-length.ts'
import { maxSim } from '../vector/max-sim.ts'
import { readTokenBlob } from '../vector/token-blob.ts'
import type { TokenCodec, TokenRun } from '../vector/token-codec.ts'
import type { LegScores } from './configuration.ts'

/** How many neighbours on each side the widest of the token legs looks at. */
export const reach = 2

type TokenScores = Pick<LegScores, 'tokens' | 'tokensNear' | 'tokensAround'>

/** MaxSim of each child, in the order of the records; empty for a child without token states, and for all when the query has no pieces. */
export function tokenLegs({ children, windows }: ChildRecords, query: TokenQuery, codec: TokenCodec): TokenScores[] {
  if (query.weights.length === 0) return children.map(() => ({}))
  const opened = new Map<string, readonly TokenRun[]>()
  const runOf = ({ window }: { readonly window?: WindowPlace }): TokenRun | undefined => {
    if (window === undefined) return undefined
    let runs = opened.get(window.key)
    if (runs === undefined) {
      const blob = windows.get(window.key)
      runs = blob === undefined ? [] : readTokenBlob(blob, codec).children
      opened.set(window.key, runs)
    }
    return runs[window.place]
  }
  const candidates = children.map((record) => ({
    record,
    child: runOf(record),
    before: runsInARow(record.before, runOf),
    after: runsInARow(record.after, runOf),
  }))
  const matched = candidates.filter(
    (candidate): candidate is typeof candidate & { child: TokenRun } => candidate.child !== undefined,
  )
  const scores = new Map(maxSim(query, matched, { codec, reach }).map((found, at) => [matched[at]?.record, found]))
  return children.map((record) => {
    const found = scores.get(record)
    if (found === undefined) return {}
    const [tokens, tokensNear, tokensAround] = found.map((score, near) =>
      levelLength(score, lengthWith(record, near), near as 0 | 1 | 2),
    ) as [number, number, number]
    return { tokens, tokensNear, tokensAround }
  })
}

/** As far as there are token states without a gap: beyond one nobody can say what stands next. */
function runsInARow(neighbours: readonly Neighbour[], runOf: (one: Neighbour) => TokenRun | undefined): TokenRun[] {
  const runs: TokenRun[] = []
  for (const neighbour of neighbours) {
    const run = runOf(neighbour)
    if (run === undefined) break
    runs.push(run)
  }
  return runs
}

/** Characters of a child together with its neighbours up to `near` on each side. */
function lengthWith({ start, lead, end, before, after }: ChildRecord, near: number): number {
  const first = before.slice(0, near).at(-1)
  const last = after.slice(0, near).at(-1)
  return (last?.end ?? end) - (first?.start ?? start + lead)
}
