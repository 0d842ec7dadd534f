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
 * Reports when something in a folder has changed and then been left alone for a moment; sync again each time. Ends when the signal says so.
 *
 * The system's own notices are used where there are any. They may be lost, so that the folder is looked at from time to time besides:
 * what has other names, sizes or times than before has changed.
 */
export async function* watchFolder(
  path: string,
  source: Source,
  options: WatchOptions = {},
): AsyncGenerator<void, void, undefined> {
  const { settle = 300, atMost = 5_000, poll = 10_000, signal } = options
  for (const [name, value] of Object.entries({ settle, atMost, poll }))
    if (!(value >= 0))
      throw new AshlarError('INVALID_OPTION', `${name} must be no less than 0; got ${value}.`, { details: { [name]: value } })
  const left = new AbortController()
  const inner = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  let changed = 0
  let first = 0
  let wake = (): void => {}
  const note = (): void => {
    const now = performance.now()
    first ||= now
    changed = now
    wake()
  }
  const ends = [notices(path, note, inner)]
  if (poll > 0) ends.push(looks(source, poll, note, inner))
  inner.addEventListener('abort', () => wake(), { once: true })
  try {
    while (signal?.aborted !== true) {
      const now = performance.now()
      const due = first === 0 ? Number.POSITIVE_INFINITY : Math.min(changed + settle, first + atMost)
      if (due <= now) {
        first = 0
        yield
        continue
      }
      await new Promise<void>((resolve) => {
        const timer = due === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, due - now)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        if (inner.aborted) wake()
      })
    }
  } finally {
    left.abort()
    await Promise.allSettled(ends)
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
