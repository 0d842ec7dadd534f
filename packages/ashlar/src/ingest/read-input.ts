import { joinBytes } from './join-bytes.ts'
import { tooLargeFile } from './load-failure.ts'
import { defaultLoadLimits, type LoadInput, type LoadLimits } from './loader.ts'

/** What {@link readInput} takes a file from: a File or Blob of a browser, a stream, bytes. */
export type FileSource = Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | ArrayBuffer | Uint8Array

export interface ReadInputOptions {
  /** What it is called. @default the name of a File */
  readonly name?: string
  /** @default the type of a Blob */
  readonly mediaType?: string
  readonly limits?: Partial<LoadLimits>
  readonly signal?: AbortSignal
}

/**
 * Reads a file into memory, as far as the limit of bytes and no further: a stream that goes on is stopped there.
 *
 * @throws AshlarError `FILE_TOO_LARGE`.
 * @example
 * const input = await readInput(new File(['Lay the long stones first.'], 'note.txt', { type: 'text/plain' }))
 * console.log(input.name, input.mediaType, input.bytes.length) // => note.txt text/plain 26
 */
export async function readInput(source: FileSource, options: ReadInputOptions = {}): Promise<LoadInput> {
  const limit = options.limits?.bytes ?? defaultLoadLimits.bytes
  const name = options.name ?? (source instanceof Blob && 'name' in source ? String(source.name) : '')
  const mediaType = options.mediaType ?? (source instanceof Blob && source.type !== '' ? source.type : undefined)
  const bytes = await readBytes(source, name, limit, options.signal)
  return { name, bytes, ...(mediaType === undefined ? {} : { mediaType }) }
}

async function readBytes(source: FileSource, name: string, limit: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
  signal?.throwIfAborted()
  const known = source instanceof Blob ? source.size : 'byteLength' in source ? source.byteLength : 0
  if (known > limit) throw tooLargeFile(name, 'bytes', limit)
  if (source instanceof Uint8Array) return source
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop closes the stream.
  for await (const part of source instanceof Blob ? iterate(source.stream()) : iterate(source)) {
    signal?.throwIfAborted()
    length += part.length
    if (length > limit) throw tooLargeFile(name, 'bytes', limit)
    parts.push(part)
  }
  return joinBytes(parts, length)
}

/** Not every browser can iterate a stream. */
async function* iterate(source: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!('getReader' in source)) {
    yield* source
    return
  }
  const reader = source.getReader()
  try {
    for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) yield value as Uint8Array
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
