import { type AshlarErrorCode, isAshlarError } from 'ashlar'
import type { Paint } from './colours.ts'
import { CommandError } from './command-error.ts'
import { safeText } from './safe-text.ts'

/** What to do about an error, by its code; the messages of some say it themselves. */
const todo: Readonly<Partial<Record<AshlarErrorCode, string>>> = {
  INVALID_WORKSPACE: 'Choose another name with --workspace.',
  INVALID_FILTER: 'Declare the field under “fields” in ashlar.json, as { "year": "number" }, and add the documents again.',
  EMBEDDING_MISMATCH: 'Search with the embedder that the library was made with (ashlar status names it), or make a new library.',
  CHANGED_MEANWHILE: 'Somebody else wrote at the same moment; try again.',
  STORE_FAILED: 'Check that the place can be written and has room left: ashlar doctor',
  DAMAGED_STORE: 'Check it with: ashlar verify. A library can always be made again from its documents.',
  MODEL_NOT_FOUND: 'Check the name of the model, and whether it is on this machine: ashlar doctor',
  MODEL_FAILED: 'Check the key in the environment and the network, then try again.',
  BUDGET_SPENT: 'What was stored stays. Raise --budget and run the same command again to go on.',
  REFUSED: 'The provider refused to answer; ask in another way or use another model.',
  UNSUPPORTED_FILE: 'Convert it to a format that can be read, such as text, markdown, HTML, PDF, DOCX, XLSX or CSV.',
  DAMAGED_FILE: 'Open it in the program that made it and save it again.',
  ENCRYPTED_FILE: 'Save it without a password.',
  FILE_TOO_LARGE: 'Split it into smaller files.',
  LOADER_TIMED_OUT: 'Convert it to a simpler format, such as text.',
  LOADER_DIED: 'Convert it to a simpler format, such as text.',
  SOURCE_FAILED: 'Check that it is there and who may read it.',
  URL_REFUSED: 'Where it is a page of your own network, allow it with --allow-private; else save it as a file and add that.',
}

/** What to do about an error of the library. */
export function todoOf(code: string): string | undefined {
  return todo[code as AshlarErrorCode]
}

/** An error as the person reads it: what happened, what to do, its code. With `debug` also where in the program. */
export function showError(error: unknown, paint: Paint, debug = false): string {
  const { message, advice, code } = describeError(error)
  const text = [`${paint('red', 'error:')} ${safeText(message)}`, ...(advice === undefined ? [] : [`  ${safeText(advice)}`])]
  const stack = debug && error instanceof Error ? [paint('dim', safeText(stackOf(error)))] : []
  return [...text, `  ${paint('dim', `[${code}]`)}`, ...stack].join('\n')
}

/** The same as data. */
export function describeError(error: unknown): {
  readonly message: string
  readonly advice?: string
  readonly code: string
} {
  if (error instanceof CommandError) return { message: error.message, advice: error.todo, code: error.code }
  if (isAshlarError(error)) {
    const advice = todo[error.code]
    return { message: error.message, ...(advice === undefined ? {} : { advice }), code: error.code }
  }
  const { message = String(error), code } = error as { readonly message?: string; readonly code?: unknown }
  const system = typeof code === 'string' ? code : 'UNEXPECTED'
  const advice =
    system === 'UNEXPECTED'
      ? 'This is a fault of ashlar: run it again with --debug and report what it prints.'
      : systemAdvice(system)
  return { message, ...(advice === undefined ? {} : { advice }), code: system }
}

function systemAdvice(code: string): string | undefined {
  if (code === 'EACCES' || code === 'EPERM') return 'Check who may read and write there: ashlar doctor'
  if (code === 'ENOENT') return 'Check the path.'
  if (code === 'ENOSPC') return 'Make room on the disk, then run the same command again.'
  return undefined
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : ''
  return `${error.stack ?? error.message}${cause}`
}
