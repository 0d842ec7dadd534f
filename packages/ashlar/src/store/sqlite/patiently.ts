/**
 * Tries again while another connection holds the file, without keeping this process from doing other things meanwhile.
 *
 * @throws What `work` throws, also when the file is still held after `timeout` milliseconds; the reason of `signal`.
 */
export async function patiently<Result>(work: () => Result, timeout: number, signal?: AbortSignal): Promise<Result> {
  const until = performance.now() + timeout
  for (let wait = 1; ; wait = Math.min(2 * wait, 16)) {
    signal?.throwIfAborted()
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())))
  }
}

/** Whether another connection is in the way: SQLITE_BUSY and SQLITE_LOCKED, whatever their finer kind. */
export function isBusy(error: unknown): boolean {
  const code = (error as { readonly errcode?: unknown }).errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}
