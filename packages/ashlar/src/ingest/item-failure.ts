import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { ItemFailure } from './ingest-receipt.ts'

/** Whatever was thrown while an item was worked on, as an error with a code. */
export function asItemError(error: unknown, what: string): AshlarError {
  if (isAshlarError(error)) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AshlarError('SOURCE_FAILED', `${what}: ${message}`, { cause: error, details: { retryable: true } })
}

/** Codes of what may pass by itself: a store or a model that is away, a file that somebody else has locked. */
const passing: ReadonlySet<string> = new Set([
  'SOURCE_FAILED',
  'STORE_FAILED',
  'MODEL_FAILED',
  'BUDGET_SPENT',
  'LOADER_DIED',
  'LOADER_TIMED_OUT',
])

/** A failure as receipts have it. */
export function itemFailure(id: string, error: AshlarError, source?: string): ItemFailure {
  const { code, message, details } = error
  const retryable = typeof details['retryable'] === 'boolean' ? details['retryable'] : passing.has(code)
  return { id, ...(source !== undefined && { source }), code, message, retryable }
}
