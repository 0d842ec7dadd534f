import { type AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import type { PutReceipt } from '../store/store.ts'
import type { Channel } from './channel.ts'
import type { EmbedStage } from './embed-documents.ts'
import type { EmbeddedDocument } from './embedded-document.ts'
import { asItemError } from './item-failure.ts'

/** What is put together: a transaction's worth, so that a commit and a part of the index serve many documents. */
const batch = { documents: 200, children: 1_000 }

/** How long a slow stage before this one may keep documents waiting that could be stored, in milliseconds. */
const linger = 200

/** Failures of the store itself, one document after the other, before nothing more is tried. */
const patience = 3

/** Puts documents as they come, many in one call, each whole or not at all. Rejects when the store is not to be had any more. */
export async function storeDocuments(ready: Channel<EmbeddedDocument>, stage: EmbedStage): Promise<void> {
  const storing = new Storing(stage)
  for (let first = await ready.take(); first !== undefined; first = await ready.take()) {
    const documents = [first]
    let children = first.document.tree.children.length
    while (documents.length < batch.documents && children < batch.children) {
      const next = await ready.take(linger)
      if (next === undefined || next === 'late') break
      documents.push(next)
      children += next.document.tree.children.length
    }
    await storing.put(documents)
    // A store that waits for nothing would leave no turn to those who read meanwhile, and they would stand still.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

class Storing {
  readonly #stage: EmbedStage
  #failures = 0

  constructor(stage: EmbedStage) {
    this.#stage = stage
  }

  async put(documents: readonly EmbeddedDocument[]): Promise<void> {
    const { ingest, tally, signal } = this.#stage
    signal.throwIfAborted()
    try {
      const receipts = await tally.during('store', () => ingest.store.put(documents.map(({ document }) => document)))
      this.#failures = 0
      await this.#committed(documents, receipts)
    } catch (error) {
      if (documents.length > 1) {
        // One of them may be to blame; what is stored already costs nothing to put again.
        for (const document of documents) await this.put([document])
        return
      }
      const [document] = documents
      if (document !== undefined) this.#failed(document, asItemError(error, `${document.prepared.id} cannot be stored`))
    }
  }

  async #committed(documents: readonly EmbeddedDocument[], receipts: readonly PutReceipt[]): Promise<void> {
    const { ingest, tally } = this.#stage
    for (const [at, { prepared, document, embedded, reused, windows }] of documents.entries()) {
      const { id, change, remarks, bytes } = prepared
      const children = document.tree.children.length
      tally.embedded({ embedded, reused, windows })
      tally.stored({ id, change, children, embedded, changed: receipts[at]?.changed === true, notes: remarks }, bytes)
    }
    // Only now: whatever happens before is made up for by what the journal holds.
    const keys = documents.flatMap(({ journaled }) => journaled)
    if (keys.length > 0) await ingest.journal?.delete(keys).catch(() => {})
  }

  #failed({ prepared }: EmbeddedDocument, error: AshlarError): void {
    const { id, change, source, bytes } = prepared
    this.#stage.onFailed(prepared)
    this.#stage.tally.failed(change, id, error, source, bytes)
    const ofStore = !isAshlarError(error) || ['STORE_FAILED', 'STORE_CLOSED', 'DAMAGED_STORE'].includes(error.code)
    this.#failures = ofStore ? this.#failures + 1 : 0
    if (this.#failures >= patience) throw error
  }
}
