/** Every code an {@link AshlarError} can carry. Codes are stable between major versions; messages are not. */
export type AshlarErrorCode =
  | 'INVALID_SIZE'
  | 'INVALID_OVERLAP'
  | 'INVALID_WINDOW'
  | 'INVALID_COUNTER'
  | 'INVALID_SEAM'
  | 'UNSUPPORTED_TOKENIZER'
  | 'INVALID_OPTION'
  | 'INVALID_MODEL'
  | 'MODEL_NOT_FOUND'
  | 'MISSING_PACKAGE'
  | 'TEXT_TOO_LONG'
  | 'MODEL_FAILED'
  | 'INVALID_RESPONSE'
  | 'REFUSED'
  | 'BUDGET_SPENT'
  | 'INVALID_TEMPLATE'
  | 'INVALID_TOKENS'
  | 'INVALID_WORKSPACE'
  | 'INVALID_DOCUMENT'
  | 'INVALID_FILTER'
  | 'EMBEDDING_MISMATCH'
  | 'CHANGED_MEANWHILE'
  | 'STORE_CLOSED'
  | 'STORE_FAILED'
  | 'DAMAGED_STORE'
  | 'UNSUPPORTED_FILE'
  | 'DAMAGED_FILE'
  | 'ENCRYPTED_FILE'
  | 'FILE_TOO_LARGE'
  | 'LOADER_TIMED_OUT'
  | 'LOADER_DIED'
  | 'SOURCE_FAILED'
  | 'URL_REFUSED'

const brand = Symbol.for('ashlar.error')

/**
 * The one error class of Ashlar: `code` says what went wrong and stays stable, `details` holds the values involved.
 *
 * Each code has a paragraph in `docs/errors.md`.
 */
export class AshlarError extends Error {
  override readonly name = 'AshlarError'
  readonly code: AshlarErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    code: AshlarErrorCode,
    message: string,
    options: { readonly details?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? {}
    Object.defineProperty(this, brand, { value: true })
  }
}

/** Tells whether `error` is an {@link AshlarError}, also when it was thrown by another copy of this package. */
export function isAshlarError(error: unknown): error is AshlarError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true
}
