import { AshlarError } from '../error/ashlar-error.ts'
import { storableText } from '../store/storable-text.ts'
import type { Page, Store } from '../store/store.ts'
import { buildTree } from '../tree/build-tree.ts'

/** What somebody says about what a search gave, or about what it did not give. */
export interface Feedback {
  readonly query: string
  /** `missing`: the answer is in the documents and was not found; `document` says where, if known. */
  readonly verdict: 'helpful' | 'unhelpful' | 'missing'
  /** The hit it is about, by its id. @default none */
  readonly hit?: string
  /** The document it is about. @default none */
  readonly document?: string
  readonly comment?: string
}

/** Feedback as it is kept. */
export interface FeedbackEntry extends Feedback {
  readonly id: string
  /** When it was given, in milliseconds. */
  readonly time: number
}

const verdicts: readonly unknown[] = ['helpful', 'unhelpful', 'missing']
const longestText = 10_000

/**
 * Feedback as documents of a workspace of its own: kept, listed, searched and erased by the same store as everything else. The query is
 * the text, so that questions like one that went wrong can be found.
 */
export class FeedbackLog {
  readonly #open: () => Promise<Store>
  #opened: Promise<Store> | undefined

  /** Takes a store, or what opens one when it is first needed: most who open a library neither give feedback nor ask for it. */
  constructor(store: Store | (() => Promise<Store>)) {
    this.#open = typeof store === 'function' ? store : async () => store
    // One that was given is closed with the rest, used or not.
    this.#opened = typeof store === 'function' ? undefined : this.#open()
  }

  #store(): Promise<Store> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }

  async give({ query, verdict, hit, document, comment }: Feedback, signal?: AbortSignal): Promise<FeedbackEntry> {
    if (typeof query !== 'string' || query.trim() === '') throw invalid('query is what was searched for: a text')
    if (!verdicts.includes(verdict)) throw invalid(`verdict is ${verdicts.join(', ')}`)
    const time = Date.now()
    // Ids that begin with the time are listed in its order.
    const id = `${time.toString(36).padStart(10, '0')}-${crypto.randomUUID()}`
    const entry = {
      verdict,
      ...(hit === undefined ? {} : { hit }),
      ...(document === undefined ? {} : { document }),
      ...(comment === undefined ? {} : { comment: storableText(comment.slice(0, longestText)) }),
      time,
    }
    const text = storableText(query.slice(0, longestText))
    const store = await this.#store()
    await store.put([{ tree: buildTree(text, { document: id }), metadata: entry }], abortOf(signal))
    return { id, query: text, ...entry }
  }

  /** Feedback in the order it was given. */
  async list(
    options: { readonly after?: string; readonly limit?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Page<FeedbackEntry>> {
    const store = await this.#store()
    const page = await store.list(options)
    const records = await store.get(
      page.items.map(({ id }) => id),
      abortOf(options.signal),
    )
    const items = records.flatMap((record) => {
      if (record === undefined) return []
      return [{ id: record.id, query: record.tree.text, ...(record.metadata as unknown as Omit<FeedbackEntry, 'id' | 'query'>) }]
    })
    return { items, ...(page.next === undefined ? {} : { next: page.next }) }
  }

  /** Erases what was said about documents. */
  async forget(documents: readonly string[], signal?: AbortSignal): Promise<number> {
    const store = await this.#store()
    let forgotten = 0
    for (let from = 0; from < documents.length; from += 100) {
      const where = { op: 'in', field: 'document', values: documents.slice(from, from + 100) } as const
      for (;;) {
        const { items } = await store.list({ where, limit: 1_000, ...abortOf(signal) })
        if (items.length === 0) break
        await store.remove(
          items.map(({ id }) => id),
          abortOf(signal),
        )
        forgotten += items.length
      }
    }
    return forgotten
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close()
  }
}

function abortOf(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

function invalid(why: string): AshlarError {
  return new AshlarError('INVALID_OPTION', `Feedback cannot be kept: ${why}.`)
}
