import { AshlarError } from '../error/ashlar-error.ts'
import type { DocumentPosition } from './engine.ts'

/** Where a page ended, as text. It names the last document and not a count, so writes in between neither repeat nor skip others. */
export function writeCursor({ id, workspace }: DocumentPosition): string {
  return JSON.stringify([id, workspace])
}

/**
 * The position that a cursor stands for.
 *
 * @throws AshlarError `INVALID_OPTION` unless a store that reads the same workspaces gave it.
 */
export function readCursor(cursor: string, workspaces: readonly string[]): DocumentPosition {
  try {
    const [id, workspace, ...more] = JSON.parse(cursor) as readonly unknown[]
    if (typeof id === 'string' && typeof workspace === 'string' && more.length === 0 && workspaces.includes(workspace))
      return { id, workspace }
  } catch {
    // Said below.
  }
  throw new AshlarError(
    'INVALID_OPTION',
    'after is not where a page of this store ended: pass the next of the page before, as it is.',
  )
}
