import type { EngineWriter } from './engine.ts'
import { readLayout } from './layout.ts'
import { openPostings } from './postings/postings.ts'
import type { PostingsCache } from './postings/postings-cache.ts'
import { RowCollector } from './row-collector.ts'
import type { RemoveReceipt } from './store.ts'
import { ownDocuments } from './write-documents.ts'

/** Erases documents of a workspace in one transaction. */
export async function removeDocuments(
  writer: EngineWriter,
  workspace: string,
  ids: readonly string[],
  cache: PostingsCache,
): Promise<readonly RemoveReceipt[]> {
  await writer.lock({ documents: [...ids].sort() })
  const found = new Map((await ownDocuments(writer, workspace, ids)).map((row) => [row.id, row]))
  if (found.size > 0) {
    const rows = new RowCollector()
    for (const { key } of found.values()) {
      rows.gone.documents.push(key)
      rows.unindex(key)
    }
    await rows.finish(0, () => openPostings(writer, cache))
    await writer.write(rows)
  }
  return ids.map((id) => {
    const row = found.get(id)
    if (row === undefined) return { document: id, found: false, rows: 0 }
    const { parents, windows } = readLayout(row.layout)
    const kept = windows.reduce((sum, one) => sum + new Set(one.windows.map(({ key }) => key)).size, 0)
    return { document: id, found: true, rows: 1 + parents.length + row.children + kept }
  })
}
