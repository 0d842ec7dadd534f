import { AshlarError } from '../error/ashlar-error.ts'
import type { CheckedDocument } from './checked-document.ts'
import { embeddingKey } from './checked-document.ts'
import { type ChangeScope, DocumentChange } from './document-change.ts'
import { embeddingMismatch } from './embedding-mismatch.ts'
import type { DocumentRow, EmbeddingRow, EngineWriter, ParentRow } from './engine.ts'
import { openPostings } from './postings/postings.ts'
import type { PostingsCache } from './postings/postings-cache.ts'
import { RowCollector } from './row-collector.ts'
import type { PutReceipt } from './store.ts'

/** Writes documents in one transaction, whose reads are made once for all of them. */
export async function writeDocuments(
  writer: EngineWriter,
  workspace: string,
  documents: readonly CheckedDocument[],
  cache: PostingsCache,
): Promise<readonly PutReceipt[]> {
  const ids = documents.map(({ id }) => id).sort()
  await writer.lock({ documents: ids })
  const scope = await changeScope(writer, workspace, documents)
  const stored = new Map((await ownDocuments(writer, workspace, ids)).map((row) => [row.id, row]))
  for (const { id, replaces } of documents) {
    if (replaces !== undefined && replaces !== (stored.get(id)?.contentHash ?? null)) throw changedMeanwhile(id)
  }
  const all = documents.map((document) => new DocumentChange(document, stored.get(document.id), scope))
  const changes = all.filter((change) => !change.isUnchanged)
  if (changes.length === 0) return all.map((change) => change.unchangedReceipt)

  const needed = (keysOf: (change: DocumentChange) => readonly number[]): Promise<ReadonlyMap<number, ParentRow>> =>
    parentRows(writer, changes.flatMap(keysOf))
  const first = await needed((change) => change.firstParents)
  for (const change of changes) change.takeRows(first)
  const second = await needed((change) => change.plan())
  for (const change of changes) change.takeRows(second)
  const counts = changes.map((change) => change.settle())
  for (const change of changes) if (change.leavesOutActive) throw leftOut(change, scope)

  let key = await writer.takeKeys(counts.reduce((sum, count) => sum + count, 1))
  const segment = key++
  const receipts = new Map<string, PutReceipt>()
  const rows = new RowCollector()
  for (const [index, change] of changes.entries()) {
    change.takeKeys(key)
    key += counts[index] as number
    const before = rows.count
    const receipt = await change.collect(rows)
    const after = rows.count
    receipts.set(receipt.document, {
      ...receipt,
      rows: { written: after.written - before.written, deleted: after.deleted - before.deleted },
    })
  }
  const before = rows.count
  await rows.finish(segment, () => openPostings(writer, cache))
  const lexical = rows.count.written - before.written
  await writer.write(rows)
  const [opening] = receipts.values()
  if (opening !== undefined)
    receipts.set(opening.document, { ...opening, rows: { ...opening.rows, written: opening.rows.written + lexical } })
  return all.map((change) => receipts.get(change.document.id) ?? change.unchangedReceipt)
}

/** The documents with these ids in the workspace that is written, also where others have the same ids. */
export async function ownDocuments(
  writer: EngineWriter,
  workspace: string,
  ids: readonly string[],
): Promise<readonly DocumentRow[]> {
  return (await writer.documentsById(ids)).filter((row) => row.workspace === workspace)
}

async function changeScope(writer: EngineWriter, workspace: string, documents: readonly CheckedDocument[]): Promise<ChangeScope> {
  const known = (await writer.embeddings()).filter((row) => row.workspace === workspace)
  const byKey = new Map<string, EmbeddingRow>(known.map((row) => [embeddingKey(row.identity), row]))
  for (const { id, embeddings } of documents) {
    for (const { key, identity } of embeddings) {
      const row = byKey.get(key)
      if (row === undefined) throw embeddingMismatch(identity, known, `The document ${JSON.stringify(id.slice(0, 60))}`)
      if (identity.dimensions !== undefined && identity.dimensions !== row.identity.dimensions) {
        throw new AshlarError(
          'EMBEDDING_MISMATCH',
          `The vectors of ${JSON.stringify(id.slice(0, 60))} have ${identity.dimensions} numbers, and those that the workspace has of ${identity.model} have ${row.identity.dimensions}.`,
          { details: { document: id, dimensions: identity.dimensions, expected: row.identity.dimensions } },
        )
      }
    }
  }
  return {
    writer,
    workspace,
    embeddings: new Map([...byKey].map(([key, row]) => [key, row.key])),
    active: known.find(({ active }) => active)?.key,
  }
}

async function parentRows(writer: EngineWriter, keys: readonly number[]): Promise<ReadonlyMap<number, ParentRow>> {
  if (keys.length === 0) return new Map()
  return new Map((await writer.parents(keys)).map((row) => [row.key, row]))
}

function leftOut({ document }: DocumentChange, { active, embeddings }: ChangeScope): AshlarError {
  const name = JSON.stringify(document.id.slice(0, 60))
  return new AshlarError(
    'EMBEDDING_MISMATCH',
    `The document ${name} has new text and no vectors of the embedding that searches use, so they would miss it. Put it with the vectors of both embeddings, or make searches use the other one first: store.embedding(identity, 'use').`,
    { details: { document: document.id, active: [...embeddings].find(([, key]) => key === active)?.[0] } },
  )
}

function changedMeanwhile(document: string): AshlarError {
  return new AshlarError(
    'CHANGED_MEANWHILE',
    `The document ${JSON.stringify(document.slice(0, 60))} is not what it was when it was read. Read it again, and change that.`,
    { details: { document } },
  )
}
