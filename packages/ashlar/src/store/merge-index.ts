import type { EngineWriter } from './engine.ts'
import { mergeSegments } from './postings/merge-segments.ts'
import { planMerge, segmentSizes } from './postings/plan-merge.ts'
import type { SegmentReader } from './postings/postings.ts'
import type { PostingsCache } from './postings/postings-cache.ts'
import { RowCollector } from './row-collector.ts'

/**
 * Merges some segments of a workspace into one, in a transaction of its own. Gives how many segments there were, those with something dead
 * in them counted twice: each merge leaves less of that. 0 when there was nothing to do.
 *
 * `purge` rewrites segments that hold something dead, one after the other.
 */
export async function mergeIndex(
  writer: EngineWriter,
  workspace: string,
  { cache, purge }: { readonly cache: PostingsCache; readonly purge: boolean },
): Promise<number> {
  await writer.lock('segments')
  const own: SegmentReader = {
    segments: async () => (await writer.segments()).filter((segment) => segment.workspace === workspace),
    tombstones: (segments) => writer.tombstones(segments),
    pages: (wanted) => writer.pages(wanted),
  }
  const sizes = await segmentSizes(own, cache)
  const planned = planMerge(sizes)
  const chosen =
    planned.length > 0 || !purge
      ? planned
      : sizes
          .filter(({ dead }) => dead > 0)
          .slice(0, 1)
          .map(({ id }) => id)
  if (chosen.length === 0) return 0
  const id = await writer.takeKeys(1)
  const take = writer.addPages === undefined ? undefined : writer.addPages.bind(writer, id)
  const pages = await mergeSegments(own, chosen, undefined, take)
  const rows = new RowCollector()
  rows.gone.segments.push(...chosen)
  if (pages !== undefined) rows.segments.push({ id, pages })
  await writer.write(rows)
  return sizes.length + sizes.filter(({ dead }) => dead > 0).length
}
