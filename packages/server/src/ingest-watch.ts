import type { IngestEvent, IngestReceipt, ItemFailure } from 'ashlar/ingest'
import { type ExitCode, exitCode } from './exit-code.ts'
import { bytes, count, counted, duration, money } from './numbers.ts'
import { Progress } from './progress.ts'
import { safeLine } from './safe-text.ts'
import type { Session } from './session.ts'
import { todoOf } from './show-error.ts'

/** What is said about items that could not be read, at most. */
const mostShown = 10

/**
 * Follows one or several runs: shows their progress, and at the end says what they did.
 *
 * A file in a folder whose format nobody reads, such as a picture, is left out and said; it makes no failure of the run.
 */
export class IngestWatch implements Disposable {
  readonly #session: Session
  readonly #progress: Progress
  readonly #receipts: IngestReceipt[] = []
  readonly #failures: ItemFailure[] = []
  readonly #skipped: string[] = []
  readonly #notes: { readonly id: string; readonly note: string }[] = []
  /** Whether what comes now was named by the person, and not found in a folder. */
  #named = false

  constructor(session: Session, title: string) {
    this.#session = session
    this.#progress = new Progress(session, title)
  }

  readonly onEvent = (event: IngestEvent): void => {
    if (event.type === 'progress') this.#progress.ingest(event)
    else if (event.type === 'failed') {
      if (event.failure.code === 'UNSUPPORTED_FILE' && !this.#named) this.#skipped.push(event.failure.id)
      else this.#failures.push(event.failure)
    } else if (event.type === 'stored') {
      for (const note of event.notes) if (this.#notes.length < 1_000) this.#notes.push({ id: event.id, note })
    }
  }

  /** Follows a run to its end. */
  async run(named: boolean, work: () => Promise<IngestReceipt>): Promise<void> {
    this.#named = named
    this.#receipts.push(await work())
  }

  /** Takes the progress from the screen, for a question. */
  clear(): void {
    this.#progress.clear()
  }

  get exit(): ExitCode {
    return this.#failures.length > 0 ? exitCode.failed : exitCode.ok
  }

  /** What was done, as data. */
  summary(): Readonly<Record<string, unknown>> {
    const total = (value: (receipt: IngestReceipt) => number): number => this.#receipts.reduce((sum, one) => sum + value(one), 0)
    const paid = this.#receipts.every((receipt) => receipt.money !== undefined)
    return {
      new: total(({ counts }) => counts.new),
      changed: total(({ counts }) => counts.changed),
      moved: total(({ counts }) => counts.moved),
      unchanged: total(({ counts }) => counts.unchanged),
      // What moved was removed from where it was: that is told as moved.
      removed: total(({ removed, counts }) => Math.max(0, removed - counts.moved)),
      failed: this.#failures.length,
      skipped: this.#skipped.length,
      written: total(({ written }) => written),
      bytes: total((receipt) => receipt.bytes),
      pieces: total(({ children }) => children.all),
      embedded: total(({ children }) => children.embedded),
      tokens: total(({ usage }) => usage.inputTokens + usage.outputTokens),
      ...(paid ? { money: total((receipt) => receipt.money ?? 0) } : {}),
      milliseconds: Math.round(total(({ times }) => times.total)),
    }
  }

  /** Says what was done; gives it with `json`. */
  report(also: Readonly<Record<string, unknown>> = {}): ExitCode {
    this.#progress.clear()
    const { say, give, paint } = this.#session
    const sums = this.summary() as Readonly<Record<string, number>>
    const { written = 0, pieces = 0, milliseconds = 0, tokens = 0 } = sums
    const parts = (['new', 'changed', 'moved', 'unchanged', 'removed'] as const)
      .filter((name) => (sums[name] ?? 0) > 0)
      .map((name) => `${count(sums[name] ?? 0)} ${name}`)
    say(
      written === 0 && this.#failures.length === 0
        ? `${paint('green', '✓')} Nothing to do${parts.length > 0 ? `: ${parts.join(', ')}` : ''} (${duration(milliseconds)})`
        : `${paint(this.#failures.length > 0 ? 'yellow' : 'green', this.#failures.length > 0 ? '!' : '✓')} ${counted(written, 'document')} stored in ${counted(pieces, 'piece')}, ${bytes(sums['bytes'] ?? 0)}, in ${duration(milliseconds)}`,
    )
    if (written > 0 && parts.length > 0) say(`  ${parts.join(', ')}`)
    if (sums['money'] !== undefined && tokens > 0) say(`  ${count(tokens)} tokens, ${money(sums['money'])} spent`)
    this.#sayUnread()
    give({ ...sums, ...also, failures: this.#failures, skippedFiles: this.#skipped, notes: this.#notes })
    return this.exit
  }

  #sayUnread(): void {
    const { say, paint } = this.#session
    if (this.#skipped.length > 0) {
      say(`  ${counted(this.#skipped.length, 'file')} left out, of formats that hold no text: ${kinds(this.#skipped)}`)
    }
    if (this.#failures.length === 0) return
    say()
    say(`${paint('red', counted(this.#failures.length, 'document'))} could not be read:`)
    for (const { id, message, code } of this.#failures.slice(0, mostShown)) {
      const todo = todoOf(code)
      say(`  ${paint('bold', safeLine(id))}`)
      say(`    ${safeLine(message)}${todo === undefined ? '' : ` ${todo}`} ${paint('dim', `[${code}]`)}`)
    }
    const more = this.#failures.length - mostShown
    if (more > 0) say(`  and ${count(more)} more; --json names them all`)
  }

  [Symbol.dispose](): void {
    this.#progress[Symbol.dispose]()
  }
}

/** `png (12), jpg (3)`. */
function kinds(ids: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const id of ids) {
    const kind = /\.([^./]{1,12})$/.exec(id)?.[1]?.toLowerCase() ?? 'without an ending'
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([, left], [, right]) => right - left)
  const shown = sorted.slice(0, 5).map(([kind, number]) => `${safeLine(kind)} (${count(number)})`)
  return [...shown, ...(sorted.length > 5 ? ['…'] : [])].join(', ')
}
