import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { isMainThread } from 'node:worker_threads'
import { AshlarError } from '../../error/ashlar-error.ts'

// Not blocking: a pipe would keep a thread waiting for ever.
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Bytes of a file that is read at once where nobody else waits for the thread: each wait would take a turn of its own. */
const mostAtOnce = 1_048_576

/** Reads a file whole, unless it is larger than allowed, no file at all, or a link put there after it was listed. */
export async function readFileBytes(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  signal?.throwIfAborted()
  const small = isMainThread ? undefined : readSmall(path, maxBytes)
  if (small !== undefined) return small
  const file = await open(path, flags)
  try {
    const facts = await file.stat()
    check(path, facts, maxBytes)
    const bytes = new Uint8Array(facts.size)
    let length = 0
    while (length < bytes.length) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    // A file that grows while it is read is as long as it was; the next run sees the rest.
    return length === bytes.length ? bytes : bytes.slice(0, length)
  } finally {
    await file.close()
  }
}

/** The same without waiting; undefined where it is no small file. */
function readSmall(path: string, maxBytes: number): Uint8Array | undefined {
  const file = openSync(path, flags)
  try {
    const facts = fstatSync(file)
    check(path, facts, maxBytes)
    if (facts.size > mostAtOnce) return undefined
    const bytes = new Uint8Array(facts.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, length)
      if (read === 0) break
      length += read
    }
    return length === bytes.length ? bytes : bytes.slice(0, length)
  } finally {
    closeSync(file)
  }
}

function check(path: string, facts: Stats, maxBytes: number): void {
  if (!facts.isFile()) throw new AshlarError('SOURCE_FAILED', `${path} is not a file.`, { details: { path, retryable: false } })
  if (facts.size <= maxBytes) return
  throw new AshlarError('FILE_TOO_LARGE', `${path} has ${facts.size} bytes, and ${maxBytes} are allowed.`, {
    details: { path, bytes: facts.size, limit: maxBytes },
  })
}
