import type { PairedComparison } from './bootstrap.ts'

/** What a recommendation is made of. */
interface Compared {
  readonly first: string
  readonly second: string
  readonly completeness: PairedComparison
  readonly withinTokens: PairedComparison
  /** Tokens of the second as a multiple of the first's. */
  readonly tokens: number
  /** Share of the evidence that the worse of the two hands over. */
  readonly found: number
}

/** Where both find so much, there is nothing left to differ in. */
const nearlyAll = 0.95

/** Configurations whose hits differ less in size are compared hit by hit. */
const sameSize = 0.1

/**
 * Says in words which of two configurations to take, and why. Where what they hand over differs in size, what counts is the evidence
 * inside an equal budget. Nothing is claimed where the interval includes zero, or where the sign test sees no more than chance.
 */
export function recommend({ first, second, completeness, withinTokens, tokens, found }: Compared, budget: number): string {
  const isAlike = Math.abs(tokens - 1) <= sameSize
  const judged = isAlike ? completeness : withinTokens
  const where = isAlike ? 'in what is handed over' : `within ${budget} tokens`
  const side = sideOf(judged)
  const sentences: string[] = []
  if (side === 0) {
    const asked = judged.better + judged.worse + judged.equal
    sentences.push(
      `${asked} questions do not tell ${second} and ${first} apart ${where}: the difference is ${points(judged)}.`,
      Math.abs(tokens - 1) <= sameSize
        ? `Stay with ${first} unless something else speaks for ${second}.`
        : `Take the one that suits you; ${tokens < 1 ? second : first} hands over less to read.`,
    )
    if (found >= nearlyAll) {
      sentences.push(
        'Both find nearly all: such easy questions tell little. Ask with feedback or a model, or hand over fewer hits.',
      )
    }
  } else {
    const [better, worse] = side > 0 ? [second, first] : [first, second]
    sentences.push(`Take ${better}: it finds more of the evidence ${where} than ${worse}, by ${points(judged, side)}.`)
  }
  if (!isAlike) {
    const whole = sideOf(completeness)
    const more = tokens > 1 ? `${tokens.toFixed(1)} times as much` : `${Math.round(tokens * 100)} % as much`
    const evidence =
      whole === 0
        ? 'no more and no less of the evidence that could be told'
        : `${whole > 0 ? 'more' : 'less'} of the evidence, by ${points(completeness, whole)}`
    sentences.push(`With equally many hits ${second} hands over ${more} text and ${evidence}.`)
  }
  return sentences.join(' ')
}

/** 1 where the second is better, -1 where it is worse, 0 where nobody can say. */
function sideOf({ difference: { low, high }, p }: PairedComparison): -1 | 0 | 1 {
  if (p > 0.05) return 0
  return low > 0 ? 1 : high < 0 ? -1 : 0
}

function points({ difference: { mean, low, high } }: PairedComparison, sign: -1 | 1 = 1): string {
  const [from, to] = sign > 0 ? [low, high] : [-high, -low]
  return `${(100 * sign * mean).toFixed(1)} points (95 % interval ${(100 * from).toFixed(1)} to ${(100 * to).toFixed(1)})`
}
