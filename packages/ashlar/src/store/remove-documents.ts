import type { EngineWriter } from './engine.ts'
import { readLayout } from './layout.ts'
import { mergeSegments } from './postings/merge-segments.ts'
import { openPostings, type SegmentReader } from './postings/postings.ts'
import type { PostingsCache } from './postings/postings-cache.ts'
import { RowCollector } from './row-collector.ts'
import { ownDocuments } from './write-documents.ts'

/** What {@link removeDocuments} did about one document. */
export interface RemovedDocument {
  readonly document: string
  readonly found: boolean
  readonly rows: number
}

/**
 * Removes documents of a workspace in one transaction. `purge` also writes every segment again that ever had words of them, without those
 * words; other writers of the workspace wait meanwhile. Otherwise what stands in segments is only struck out.
 */
export async function removeDocuments(
  writer: EngineWriter,
  workspace: string,
  ids: readonly string[],
  { cache, purge }: { readonly cache: PostingsCache; readonly purge: boolean },
): Promise<readonly RemovedDocument[]> {
  await writer.lock(purge ? 'segments' : { documents: [...ids].sort() })
  const found = new Map((await ownDocuments(writer, workspace, ids)).map((row) => [row.id, row]))
  if (found.size > 0) {
    const rows = new RowCollector()
    for (const { key } of found.values()) {
      rows.gone.documents.push(key)
      rows.unindex(key)
    }
    await rows.finish(0, () => openPostings(writer, cache))
    if (purge) await purgeSegments(writer, rows, cache)
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

/** Segments without what goes take the place of those with it, and of what would have been struck out of them. */
async function purgeSegments(writer: EngineWriter, rows: RowCollector, cache: PostingsCache): Promise<void> {
  const struck = rows.tombstones.splice(0)
  const reader: SegmentReader = {
    segments: () => writer.segments(),
    pages: (wanted) => writer.pages(wanted),
    tombstones: async (segments) => [
      ...(await writer.tombstones(segments)),
      ...struck.filter(({ segment }) => segments.includes(segment)),
    ],
  }
  for (const segment of (await openPostings(writer, cache)).holding(rows.gone.documents)) {
    const pages = await mergeSegments(reader, [segment])
    rows.gone.segments.push(segment)
    if (pages !== undefined) rows.segments.push({ id: await writer.takeKeys(1), pages })
  }
}
