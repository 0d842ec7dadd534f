import { AshlarError, type AshlarErrorCode, isAshlarError } from '../../error/ashlar-error.ts'

/** An error as data that can travel between threads. */
export interface PlainFailure {
  readonly code: AshlarErrorCode | undefined
  readonly message: string
  /** Those that are plain. */
  readonly details: Readonly<Record<string, unknown>>
}

/** What can be told of an error in another thread. */
export function plainFailure(error: unknown): PlainFailure {
  const message = error instanceof Error ? error.message : String(error)
  if (!isAshlarError(error)) return { code: undefined, message, details: {} }
  const plain = Object.entries(error.details).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
  return { code: error.code, message, details: Object.fromEntries(plain) }
}

/** The error that {@link plainFailure} told of; `code` is for one that had none. */
export function failureError({ code, message, details }: PlainFailure, otherwise: AshlarErrorCode): AshlarError {
  return new AshlarError(code ?? otherwise, message, { details })
}
