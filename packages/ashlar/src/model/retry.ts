import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'

/** How often and how long to try again. */
export interface RetryRules {
  readonly attempts: number
  readonly firstWait: number
  readonly longestWait: number
}

/** An answer that cannot be used is asked for this often at most: beyond that the fault lies in the question. */
const unusableAttempts = 3

/** Statuses that mean "less, please" rather than "this went wrong". */
const pushingBack: ReadonlySet<unknown> = new Set([429, 503, 529])

/** What failed, as an error of ours: what models throw against their contract is wrapped as `MODEL_FAILED`. */
export function asModelError(error: unknown): AshlarError {
  if (isAshlarError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AshlarError('MODEL_FAILED', `The model failed: ${message}`, { details: { retryable: false }, cause: error })
}

/** Whether an error asks all calls to slow down, not only the one that failed: by its status, or by naming a time. */
export function isPushBack(error: AshlarError): boolean {
  const { code, details } = error
  const asks = pushingBack.has(details['status']) || askedWait(error) !== undefined
  return code === 'MODEL_FAILED' && details['retryable'] === true && asks
}

/** Whether the provider may have worked, and charged, for a call that failed: it answered, or nobody knows whether it did. */
export function mayHaveCost({ code, details }: AshlarError): boolean {
  if (code === 'INVALID_RESPONSE') return true
  const { retryable, status } = details
  return (
    code === 'MODEL_FAILED' && retryable === true && (status === undefined || (Number(status) >= 200 && Number(status) < 300))
  )
}

/** How long the provider asked to wait, in milliseconds. */
export function askedWait({ details }: AshlarError): number | undefined {
  const wait = details['retryAfter']
  return typeof wait === 'number' && wait >= 0 ? wait : undefined
}

/**
 * How long to wait before asking again, in milliseconds; undefined where that would not help.
 *
 * Any time up to a bound that doubles with every attempt, so that calls which failed together do not come back together. A wait
 * that the provider asked for is kept, and some of that time added.
 */
export function waitBefore(error: AshlarError, attempt: number, rules: RetryRules, random: () => number): number | undefined {
  const most = error.code === 'INVALID_RESPONSE' ? Math.min(rules.attempts, unusableAttempts) : rules.attempts
  const retryable = error.code === 'INVALID_RESPONSE' || (error.code === 'MODEL_FAILED' && error.details['retryable'] === true)
  if (!retryable || attempt >= most) return undefined
  const asked = askedWait(error) ?? 0
  // A quota that opens again tomorrow is an answer, not a delay.
  if (asked > rules.longestWait) return undefined
  // The first answer that cannot be used says nothing about how busy the provider is.
  const bound = error.code === 'INVALID_RESPONSE' ? rules.firstWait : rules.firstWait * 2 ** (attempt - 1)
  return asked + random() * Math.min(bound, rules.longestWait)
}
