import { AshlarError } from '../error/ashlar-error.ts'
import { checkDocumentId } from './check-id.ts'
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
    const position = JSON.parse(cursor) as unknown
    if (Array.isArray(position) && position.length === 2 && workspaces.includes(position[1] as string))
      return { id: checkDocumentId(position[0]), workspace: position[1] as string }
  } catch {
    // Said below.
  }
  throw new AshlarError(
    'INVALID_OPTION',
    'after is not where a page of this store ended: pass the next of the page before, as it is.',
  )
}
