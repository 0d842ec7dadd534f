import { isAshlarError } from '../error/ashlar-error.ts'
import type { Usage } from '../model/usage.ts'

/** The test function of a runner: vitest's, node:test's or any other with this shape. */
export type ContractTest = (name: string, body: () => Promise<void>, timeout?: number) => unknown

/** What the suites for models have in common. */
export interface ModelContractOptions {
  /** Shown in the names of the tests. */
  readonly name: string
  readonly test: ContractTest
  /** Generated cases per test. @default 25 */
  readonly runs?: number
  /** Seed of the generator, printed when a promise is broken. @default 20261115 */
  readonly seed?: number
  /** Milliseconds that one test may take. @default 120000 */
  readonly timeout?: number
}

/** Fails the test unless something holds. */
export function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

/** What a promise is rejected with; fails the test where it is not. */
export async function rejection(work: Promise<unknown>, what: string): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error(`${what} was not refused`)
}

/** The result, or undefined where it was refused with an `AshlarError`; any other error fails the test. */
export async function resultOrRefusal<Result>(work: Promise<Result>, what: string): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAshlarError(error)) return undefined
    throw new Error(`${what} failed with something other than an AshlarError: ${String(error)}`, { cause: error })
  }
}

/** A signal that was aborted beforehand ends the call with its own reason, and so does one that is aborted on the way. */
export async function checkAbort(call: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const reason = new Error('stopped by the contract')
  const before = await rejection(call(AbortSignal.abort(reason)), 'a call with an aborted signal')
  must(before === reason, `a call with an aborted signal was refused with ${String(before)}, not with the reason of the signal`)
  const controller = new AbortController()
  const running = call(controller.signal)
  controller.abort(reason)
  try {
    // It may have been done already.
    await running
  } catch (error) {
    must(error === reason, `a call that was aborted on the way ended with ${String(error)}, not with the reason of the signal`)
  }
}

/** Identities are kept beside what models gave, so they must survive being written down. */
export function checkSerialisable(identity: object): void {
  const written = JSON.stringify(identity)
  for (const [field, value] of Object.entries(JSON.parse(written) as object)) {
    const original = JSON.stringify((identity as Readonly<Record<string, unknown>>)[field])
    must(JSON.stringify(value) === original, `the identity's ${field} changes when it is written as JSON`)
  }
  for (const [field, value] of Object.entries(identity)) {
    must(
      typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint',
      `the identity's ${field} is no data`,
    )
    must(
      typeof value !== 'number' || Number.isFinite(value),
      `the identity's ${field} is ${String(value)}, which JSON cannot say`,
    )
  }
}

/** Counts are whole numbers, and parts are no larger than what they are parts of. */
export function checkUsage(usage: Usage): void {
  for (const [field, tokens] of Object.entries(usage)) {
    must(Number.isInteger(tokens) && tokens >= 0, `the usage says ${field}: ${String(tokens)}`)
  }
  must(
    usage.cachedTokens + usage.cacheWriteTokens <= usage.inputTokens,
    `more tokens were cached (${usage.cachedTokens} read, ${usage.cacheWriteTokens} written) than read (${usage.inputTokens})`,
  )
}

/** Made once, when the first test asks for it. */
export function once<Value>(make: () => Value | Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= Promise.resolve(make())
    return made
  }
}

/** Texts that have made models, tokenizers and JSON stumble. */
export const awkwardTexts: readonly string[] = [
  '',
  ' ',
  '\n\n\t',
  '\u0000',
  'a\u0000b',
  '\ud83d',
  'before \udc00 after',
  '\ud83d\ud83d\ude00',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\u202eabc\u202c',
  '\ufeffmark',
  '\uffff\ufffe',
  '漢字仮名交じり文。',
  'مرحبا بالعالم؟',
  '\u0301',
  '"quoted" \\ back\\slash </script> {"json": [1]}',
  '[CLS] [SEP] <|endoftext|> <s></s>',
]
