import { AshlarError } from '../error/ashlar-error.ts'

/** What is read of the errors that provider packages throw; all of it may be missing. */
interface ProviderFailure {
  readonly name?: unknown
  readonly message?: unknown
  readonly cause?: unknown
  readonly code?: unknown
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly responseBody?: unknown
  readonly isRetryable?: unknown
}

/** Names of errors that say the answer came but could not be read. */
const unreadable: ReadonlySet<string> = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_EmptyResponseBodyError',
  'AI_NoContentGeneratedError',
  'SyntaxError',
])

/** Codes of sockets and of undici that say the connection failed, not the request. */
const connection = /^(ECONN|ETIMEDOUT|EPIPE|EAI_AGAIN|ENETDOWN|ENETUNREACH|EHOSTUNREACH|UND_ERR_|Connection|FailedToOpenSocket)/

/** What runtimes say when a connection fails without a code. */
const network = /fetch failed|failed to fetch|load failed|terminated|socket|network/i

/**
 * What a failed call to a provider's model is thrown as: the signal's own reason where it was aborted, `INVALID_RESPONSE` where
 * an answer came and could not be read, else `MODEL_FAILED` with `status`, `retryable` and `retryAfter` (milliseconds).
 */
export function providerError(error: unknown, model: string, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason
  const chain = causes(error)
  const failure = chain.find(({ statusCode }) => typeof statusCode === 'number') ?? chain[0] ?? {}
  const status = typeof failure.statusCode === 'number' ? failure.statusCode : undefined
  const said = chain.find(({ message }) => typeof message === 'string' && message !== '')?.message ?? String(error)
  if (isOk(status) || status === undefined) {
    const reason = chain.find(({ name }) => unreadable.has(String(name))) ?? (isStumble(chain) ? chain[0] : undefined)
    if (reason !== undefined)
      return new AshlarError(
        'INVALID_RESPONSE',
        `${model} answered with something that cannot be read: ${summary(reason.message ?? said)}`,
        {
          details: { model, status, retryable: true },
          cause: error,
        },
      )
  }
  const retryable = isRetryable(status, failure, chain)
  const retryAfter = retryable ? retryAfterOf(failure) : undefined
  // A good status on a cut connection says nothing about the failure.
  const bad = isOk(status) ? undefined : status
  return new AshlarError('MODEL_FAILED', `${model} failed${bad === undefined ? '' : ` with status ${bad}`}: ${summary(said)}`, {
    details: { model, status: bad, retryable, ...(retryAfter !== undefined && { retryAfter }) },
    cause: error,
  })
}

/** Whether a failure is the provider's word that a text was longer than its model reads. */
export function saysTooLong(error: unknown): boolean {
  for (const { statusCode, message, responseBody } of causes(error)) {
    if (statusCode !== 400 && statusCode !== 413 && statusCode !== 422) continue
    if (
      /maximum (context|input) length|context_length_exceeded|too many tokens|too long|exceeds? .{0,40}tokens?\b/i.test(
        `${message} ${responseBody}`,
      )
    )
      return true
  }
  return false
}

/**
 * Whether a failure is the word of a filter that the prompt was not let through, or a refusal in a form that the provider's
 * package is too old to read.
 */
export function saysRefused(error: unknown): boolean {
  return causes(error).some(({ statusCode, responseBody }) => {
    if (statusCode === 200) return /"type"\s*:\s*"refusal"|"blockReason"/.test(String(responseBody))
    return (
      statusCode === 400 && /"content_filter"|content_policy_violation|ResponsibleAIPolicyViolation/.test(String(responseBody))
    )
  })
}

function causes(error: unknown): ProviderFailure[] {
  const chain: ProviderFailure[] = []
  for (let next = error; typeof next === 'object' && next !== null && chain.length < 8; next = (next as ProviderFailure).cause) {
    chain.push(next)
  }
  return chain
}

/** A package that trips over fields that are not there has not been given the answer it expects; networks fail otherwise. */
function isStumble([first, ...rest]: readonly ProviderFailure[]): boolean {
  return first?.name === 'TypeError' && rest.length === 0 && !network.test(String(first.message))
}

function isOk(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

function isRetryable(status: number | undefined, failure: ProviderFailure, chain: readonly ProviderFailure[]): boolean {
  const told = header(failure, 'x-should-retry')
  if (told === 'true' || told === 'false') return told === 'true'
  // A quota that is used up answers 429 like a limit that will pass, but waiting does not help.
  if (status === 429 && /insufficient_quota/.test(String(failure.responseBody))) return false
  // The head came and the body did not: the connection was cut on the way.
  if (isOk(status)) return true
  if (status !== undefined) return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  return chain.some(
    ({ name, code, message, isRetryable: says }) =>
      says === true ||
      name === 'TimeoutError' ||
      name === 'AbortError' ||
      connection.test(String(code)) ||
      network.test(String(message)),
  )
}

function header({ responseHeaders }: ProviderFailure, name: string): string | undefined {
  if (typeof responseHeaders !== 'object' || responseHeaders === null) return undefined
  const found = Object.entries(responseHeaders).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : undefined
}

/** How long to wait, in milliseconds, where the provider said so: in a header, or as Google does in the body. */
function retryAfterOf(failure: ProviderFailure): number | undefined {
  const milliseconds = Number.parseFloat(header(failure, 'retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  const value = header(failure, 'retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  if (!Number.isNaN(date)) return Math.max(0, date - Date.now())
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(String(failure.responseBody))?.[1]
  return delay === undefined ? undefined : Number(delay) * 1000
}

/** Messages of provider packages can hold a whole answer. */
function summary(message: unknown): string {
  const text = String(message).replace(/\s+/g, ' ').trim()
  return text.length > 300 ? `${text.slice(0, 297)}...` : text
}
