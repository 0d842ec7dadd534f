import { watch } from 'node:fs/promises'
import { AshlarError } from '../../error/ashlar-error.ts'
import type { Source } from '../source.ts'

/** How {@link watchFolder} watches. */
export interface WatchOptions {
  /** Milliseconds without a change before it is reported: a file that is being written changes many times. @default 300 */
  readonly settle?: number
  /** Reports at least so often while changes do not stop, in milliseconds. @default 5000 */
  readonly atMost?: number
  /**
   * Milliseconds between two looks at the folder where the system does not report changes, as on network drives and on some systems in
   * folders of folders; 0 never looks. @default 10000
   */
  readonly poll?: number
  readonly signal?: AbortSignal
}

/**
 * Reports when something in a folder has changed and then been left alone for a moment; sync again each time. Ends when the signal says so,
 * or when the loop is left.
 *
 * The folder is watched from the call on, also before the first report is asked for: call it before the first sync, and nothing that
 * changes meanwhile is missed. The system's own notices are used where there are any. They may be lost, so that the folder is looked at from time
 * to time besides: what has other names, sizes or times than before has changed.
 */
export function watchFolder(
  path: string,
  source: Source,
  options: WatchOptions = {},
): AsyncIterableIterator<void, void, undefined> & AsyncDisposable {
  const { settle = 300, atMost = 5_000, poll = 10_000, signal } = options
  for (const [name, value] of Object.entries({ settle, atMost, poll }))
    if (!(value >= 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be no less than 0; got ${value}.`, { details: { [name]: value } })
  return new FolderChanges(path, source, { settle, atMost, poll }, signal)
}

class FolderChanges implements AsyncIterableIterator<void, void, undefined>, AsyncDisposable {
  readonly #left = new AbortController()
  readonly #ended: AbortSignal
  readonly #settle: number
  readonly #atMost: number
  readonly #watching: readonly Promise<void>[]
  /** When the first and the last change since the report before were seen; 0 where there was none. */
  #first = 0
  #last = 0
  #wake = (): void => {}

  constructor(
    path: string,
    source: Source,
    { settle, atMost, poll }: Required<Omit<WatchOptions, 'signal'>>,
    signal: AbortSignal | undefined,
  ) {
    this.#settle = settle
    this.#atMost = atMost
    this.#ended = signal === undefined ? this.#left.signal : AbortSignal.any([signal, this.#left.signal])
    this.#ended.addEventListener('abort', () => this.#wake(), { once: true })
    const note = (): void => {
      this.#last = performance.now()
      this.#first ||= this.#last
      this.#wake()
    }
    const ways = [notices(path, note, this.#ended)]
    if (poll > 0) ways.push(looks(source, poll, note, this.#ended))
    this.#watching = ways
  }

  async next(): Promise<IteratorResult<void, void>> {
    while (!this.#ended.aborted) {
      const now = performance.now()
      const due = this.#first === 0 ? Number.POSITIVE_INFINITY : Math.min(this.#last + this.#settle, this.#first + this.#atMost)
      if (due <= now) {
        this.#first = 0
        return { done: false, value: undefined }
      }
      await this.#pause(due - now)
    }
    return this.return()
  }

  async return(): Promise<IteratorResult<void, void>> {
    this.#left.abort()
    await Promise.allSettled(this.#watching)
    return { done: true, value: undefined }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return()
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Waits until something is seen, or so many milliseconds. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = milliseconds === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#ended.aborted) this.#wake()
    })
  }
}

/** Passes on what the system reports, as long as it does. */
async function notices(path: string, note: () => void, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of watch(path, { recursive: true, signal })) note()
  } catch {
    // Looking from time to time goes on without.
  }
}

/** Compares names, sizes and times of files with those of the look before. */
async function looks(source: Source, pause: number, note: () => void, signal: AbortSignal): Promise<void> {
  let before: Map<string, string> | undefined
  while (!signal.aborted) {
    try {
      const now = new Map<string, string>()
      for await (const entry of source.list(signal)) {
        if (!('gap' in entry)) now.set(entry.id, `${entry.size} ${entry.modified}`)
      }
      const isSame =
        before === undefined || (before.size === now.size && [...now].every(([id, facts]) => before?.get(id) === facts))
      if (!isSame) note()
      before = now
    } catch {
      // A folder that is away for a while is looked at again.
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pause)
      signal.addEventListener(
        'abort',
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    })
  }
}
