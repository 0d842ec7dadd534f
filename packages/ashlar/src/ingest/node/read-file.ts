import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AshlarError } from '../../error/ashlar-error.ts'

/** Reads a file whole, unless it is larger than allowed, no file at all, or a link put there after it was listed. */
export async function readFileBytes(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array> {
  signal?.throwIfAborted()
  // Not blocking: a pipe would keep a thread waiting for ever.
  const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = await file.stat()
    if (!facts.isFile()) throw new AshlarError('SOURCE_FAILED', `${path} is not a file.`, { details: { path, retryable: false } })
    if (facts.size > maxBytes)
      throw new AshlarError('FILE_TOO_LARGE', `${path} has ${facts.size} bytes, and ${maxBytes} are allowed.`, {
        details: { path, bytes: facts.size, limit: maxBytes },
      })
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
