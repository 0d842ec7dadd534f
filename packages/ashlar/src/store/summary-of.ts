import type { DocumentRow } from './engine.ts'
import type { DocumentSummary } from './store.ts'

/** What a document's row says about it in public. */
export function summaryOf({
  id,
  workspace,
  title,
  format,
  metadata,
  length,
  children,
  contentHash,
}: DocumentRow): DocumentSummary {
  return { id, workspace, title, format, metadata, length, children, contentHash }
}
