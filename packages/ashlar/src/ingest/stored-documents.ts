import { reserved } from '../store/reserved-metadata.ts'
import type { DocumentSummary, Store } from '../store/store.ts'

/** Documents of a page; their metadata may hold maps of positions, so that many would take much memory. */
const pageSize = 250

/** What a workspace has of a root, in the order of ids by code point. */
export async function* storedDocuments(
  store: Store,
  root: string,
  signal?: AbortSignal,
): AsyncGenerator<DocumentSummary, void, undefined> {
  const { fields, workspace } = store.scope
  const where = fields[reserved.root] === 'string' ? { op: 'equal' as const, field: reserved.root, value: root } : undefined
  let after: string | undefined
  do {
    const page = await store.list({
      limit: pageSize,
      ...(where !== undefined && { where }),
      ...(after !== undefined && { after }),
      ...(signal !== undefined && { signal }),
    })
    for (const item of page.items) if (item.workspace === workspace && item.metadata[reserved.root] === root) yield item
    after = page.next
  } while (after !== undefined)
}

/** For hashes of bytes, one document of the workspace that has them, of this root if there is any. */
export async function documentsByHash(
  store: Store,
  hashes: readonly string[],
  root: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, DocumentSummary>> {
  const found = new Map<string, DocumentSummary>()
  const { fields, workspace } = store.scope
  if (hashes.length === 0 || fields[reserved.hash] !== 'string') return found
  const where = { op: 'in' as const, field: reserved.hash, values: [...new Set(hashes)] }
  const { items } = await store.list({ where, limit: 1000, ...(signal !== undefined && { signal }) })
  for (const item of items) {
    const hash = item.metadata[reserved.hash] as string
    const isOwn = item.metadata[reserved.root] === root
    if (item.workspace === workspace && (isOwn || !found.has(hash))) found.set(hash, item)
  }
  return found
}
