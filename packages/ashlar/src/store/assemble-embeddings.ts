import type { DocumentRow, EmbeddingRow, EngineReader, ParentRow, VectorRow } from './engine.ts'
import { readLayout } from './layout.ts'
import { readChildren } from './parent-children.ts'
import type { StoredEmbedding, StoredWindow } from './store.ts'
import { readPieces } from './word-pieces.ts'

/** The vectors and windows of documents under one identity, whose rows there are one of each workspace at most; by document id. */
export async function assembleEmbeddings(
  reader: EngineReader,
  documents: readonly DocumentRow[],
  parents: ReadonlyMap<number, ParentRow>,
  embeddings: readonly EmbeddingRow[],
): Promise<ReadonlyMap<string, StoredEmbedding>> {
  const assembled = new Map<string, StoredEmbedding>()
  for (const { key: embedding, workspace, identity } of embeddings) {
    const own = documents.filter((row) => row.workspace === workspace)
    const layouts = own.map((row) => readLayout(row.layout))
    const children = layouts.map((layout) =>
      layout.parents.flatMap(({ key }) => readChildren((parents.get(key) as ParentRow).children).map((child) => child.key)),
    )
    const all = children.flat()
    const rows = all.length === 0 ? [] : await reader.vectors(embedding, all)
    const byChild = new Map(rows.map((row): [number, VectorRow] => [row.child, row]))
    const laid = layouts.map(({ windows }) => windows.find((one) => one.embedding === embedding)?.windows ?? [])
    const wanted = laid.flatMap((windows, index) =>
      [...new Set(windows.map(({ key }) => key))].map((key) => ({ embedding, document: (own[index] as DocumentRow).key, key })),
    )
    const windowRows = wanted.length === 0 ? [] : await reader.windows(wanted)
    const byName = new Map(windowRows.map((row) => [`${row.document} ${row.key}`, row]))
    for (const [index, row] of own.entries()) {
      const keys = children[index] as readonly number[]
      if (!keys.some((key) => byChild.has(key))) continue
      const windows = (laid[index] ?? []).flatMap(({ key, first, after }): Required<StoredWindow>[] => {
        const found = byName.get(`${row.key} ${key}`)
        return found === undefined ? [] : [{ key, first, after, blob: found.blob, pieces: readPieces(found.pieces) }]
      })
      assembled.set(row.id, {
        identity,
        vectors: keys.map((key) => byChild.get(key)?.vector),
        contentKeys: keys.map((key) => byChild.get(key)?.contentKey ?? ''),
        windows,
      })
    }
  }
  return assembled
}
