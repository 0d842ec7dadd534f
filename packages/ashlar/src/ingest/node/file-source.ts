import { lstat, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { AshlarError } from '../../error/ashlar-error.ts'
import type { Metadata } from '../../store/filter.ts'
import type { Source, SourceGap, SourceItem } from '../source.ts'
import { readFileBytes } from './read-file.ts'

/** How {@link fileSource} names and reads files. */
export interface FileSourceOptions {
  /** Ids are paths from here. @default the working directory */
  readonly base?: string
  /** Names the set of documents in the store: files of it that are not named any more are removed. @default 'files' */
  readonly root?: string
  /** Most bytes of a file. @default 268435456 */
  readonly maxBytes?: number
  /** Metadata for a file, by its id. @default none */
  readonly metadata?: (id: string) => Metadata | undefined
}

/** Files that are named one by one. A link is followed: who names it means what it leads to. */
export function fileSource(paths: readonly string[], options: FileSourceOptions = {}): Source {
  const { base = process.cwd(), root = 'files', maxBytes = 268_435_456 } = options
  const list = async function* (signal?: AbortSignal): AsyncGenerator<SourceItem | SourceGap, void, undefined> {
    for (const path of new Set(paths.map((one) => resolve(base, one)))) {
      signal?.throwIfAborted()
      const id = relative(resolve(base), path).split(sep).join('/')
      const source = `file:${id}`
      try {
        const target = await realpath(path)
        const { size, mtimeMs } = await lstat(target)
        const metadata = options.metadata?.(id)
        yield {
          id,
          source,
          size,
          modified: mtimeMs,
          ...(metadata !== undefined && { metadata }),
          read: (inner) => readFileBytes(target, maxBytes, inner),
        }
      } catch (cause) {
        const error = new AshlarError('SOURCE_FAILED', `${source} cannot be read: ${(cause as Error).message}`, {
          cause,
          details: { source, retryable: true },
        })
        yield { gap: id, within: false, error }
      }
    }
  }
  return { root, list }
}
