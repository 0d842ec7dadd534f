import type { IngestProgress } from 'ashlar/ingest'
import { paintOf } from './colours.ts'
import { bytes, clock, count } from './numbers.ts'
import type { Session } from './session.ts'
import type { Output, Terminal } from './terminal.ts'
import { fitText } from './text-width.ts'

/** Where some work stands. */
export interface Step {
  readonly done: number
  /** Undefined as long as nobody knows. */
  readonly of: number | undefined
  /** What is counted: `files`. */
  readonly unit: string
  readonly perSecond?: number
  readonly bytesPerSecond?: number
  readonly secondsLeft?: number | undefined
}

/** Milliseconds between two lines where nobody watches. */
const betweenLines = 5_000
/** Milliseconds between two pictures of the bar: often enough to move, seldom enough not to flicker. */
const betweenPictures = 90

/**
 * Says how far some work is: a bar in one line that is replaced, where a person looks at it; a plain line every few seconds elsewhere;
 * nothing when asked to be quiet. The line is gone when the work is done.
 */
export class Progress implements Disposable {
  readonly #terminal: Terminal
  readonly #title: string
  readonly #silent: boolean
  #last = 0
  #shown = false

  constructor({ terminal, quiet }: Pick<Session, 'terminal' | 'quiet'>, title: string) {
    this.#terminal = terminal
    this.#title = title
    this.#silent = quiet
    this.#last = terminal.err.isTTY ? 0 : terminal.now()
  }

  show(step: Step): void {
    if (this.#silent) return
    const { err } = this.#terminal
    const now = this.#terminal.now()
    if (now - this.#last < (err.isTTY ? betweenPictures : betweenLines)) return
    this.#last = now
    if (err.isTTY) {
      err.rewrite(progressLine(this.#title, step, err))
      this.#shown = true
    } else err.write(`${[this.#title, ...facts(step)].join('  ')}\n`)
  }

  ingest({ found, done, itemsPerSecond, bytesPerSecond, secondsLeft }: IngestProgress): void {
    this.show({
      done: done.items,
      of: found.all ? found.items : undefined,
      unit: 'files',
      perSecond: itemsPerSecond,
      bytesPerSecond,
      secondsLeft,
    })
  }

  /** Takes the bar away, so that something else can be written; the next `show` puts it back. */
  clear(): void {
    if (this.#shown) this.#terminal.err.rewrite('')
    this.#shown = false
    if (this.#terminal.err.isTTY) this.#last = 0
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}

/** The bar as one line that fits into the window: what matters least is left out first. */
export function progressLine(title: string, step: Step, output: Pick<Output, 'columns' | 'colour'>): string {
  const paint = paintOf(output)
  // The last column stays free: some terminals go on to the next line when it is written.
  const room = output.columns - 1
  const all = facts(step)
  for (let kept = all.length; kept > 0; kept--) {
    const text = all.slice(0, kept).join('  ')
    const free = room - title.length - text.length - 4
    if (step.of === undefined && free >= -2) return `${title}  ${text}`
    if (free < 10) continue
    const width = Math.min(30, free)
    const full = step.of === undefined || step.of === 0 ? 0 : Math.round((Math.min(step.done, step.of) / step.of) * width)
    return `${title}  ${paint('cyan', '█'.repeat(full))}${paint('dim', '░'.repeat(width - full))}  ${text}`
  }
  return fitText(`${title}  ${all[0]}`, room)
}

/** In the order of what matters. */
function facts({ done, of, unit, perSecond = 0, bytesPerSecond = 0, secondsLeft }: Step): string[] {
  return [
    of === undefined ? `${count(done)} ${unit}` : `${count(done)}/${count(of)} ${unit}`,
    ...(secondsLeft === undefined ? [] : [`${clock(secondsLeft)} left`]),
    ...(perSecond > 0 ? [`${perSecond < 10 ? perSecond.toFixed(1) : count(perSecond)}/s`] : []),
    ...(bytesPerSecond > 0 ? [`${bytes(bytesPerSecond)}/s`] : []),
  ]
}
