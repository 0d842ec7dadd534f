import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineReader, EngineWriter } from '../engine.ts'
import type { StoreScope, StoreSupports } from '../store.ts'
import { type KeyRange, noKeys } from './key-range.ts'
import type { PostgresClient } from './postgres-client.ts'
import { PostgresReader } from './postgres-reader.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { Session, type SessionOptions } from './session.ts'
import { buildVectorIndex, type VectorIndex, vectorIndexes } from './vector-index.ts'

/** How an engine is opened. */
export interface PostgresEngineOptions {
  readonly client: PostgresClient
  readonly scope: Readonly<Required<StoreScope>>
  readonly schema: string
  readonly prepare: boolean
  /** From how many vectors on an embedding gets an index of its own. */
  readonly indexFrom: number
  /** Ends the client with the engine. */
  readonly ownsClient: boolean
  /** See {@link SessionOptions}. */
  readonly withoutPredicate?: boolean
}

/** How often a transaction that had to give way is tried again. */
const mostTries = 6

/** For how long it is taken as known which embeddings have an index. A mistake costs time and no hit. */
const indexesHold = 60_000

/**
 * Keeps rows in PostgreSQL. Readers see one moment (repeatable read). Writers hold locks on what they change and see what was committed
 * before they got them (read committed); whoever has to give way starts again.
 */
export class PostgresEngine implements Engine {
  readonly supports: StoreSupports
  readonly #options: PostgresEngineOptions
  readonly #session: SessionOptions
  #spare: KeyRange = noKeys
  #indexes: { readonly read: number; readonly byEmbedding: ReadonlyMap<number, VectorIndex> } | undefined

  constructor(options: PostgresEngineOptions) {
    const { scope, schema, prepare, withoutPredicate = false } = options
    this.#options = options
    this.#session = { schema, workspaces: [scope.workspace, ...scope.alsoRead], prepare, withoutPredicate }
    this.supports = {
      engine: 'postgres',
      durable: true,
      shared: true,
      exactVectors: options.indexFrom === Number.POSITIVE_INFINITY,
    }
  }

  async read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#transaction(
      'isolation level repeatable read read only',
      async (session) => work(new PostgresReader(session, this.#options.scope.fields, await this.#vectorIndexes(session))),
      signal,
    )
  }

  async write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    let left = noKeys
    const result = await this.#transaction(
      'isolation level read committed',
      async (session) => {
        const spare = this.#spare
        this.#spare = noKeys
        const writer = new PostgresWriter(session, this.#options.scope.fields, new Map(), spare)
        const done = await work(writer)
        left = writer.spare
        return done
      },
      signal,
    )
    // Only now: a server that dies before the commit may give the same keys again.
    this.#spare = left
    return result
  }

  async maintain(signal?: AbortSignal): Promise<void> {
    const { client, schema, indexFrom } = this.#options
    const [owner] = await client
      .unsafe(`select pg_has_role(relowner, 'usage') from pg_class where oid = '${schema}.child_vector'::regclass`)
      .values()
    // Statistics and indexes are the owner's affair; for others the server's own upkeep has to do.
    if (owner?.[0] !== true) return
    signal?.throwIfAborted()
    await client.unsafe(`analyze ${schema}.document, ${schema}.parent, ${schema}.child_vector, ${schema}.segment_page`)
    if (indexFrom === Number.POSITIVE_INFINITY) return
    const rows = await this.read((reader) => reader.embeddings(), signal)
    for (const { key, workspace, children, identity } of rows) {
      signal?.throwIfAborted()
      if (workspace === this.#options.scope.workspace && children >= indexFrom)
        await buildVectorIndex(client, schema, { embedding: key, dimensions: identity.dimensions as number })
    }
    this.#indexes = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#options.ownsClient) await this.#options.client.end({ timeout: 5 })
  }

  async #vectorIndexes(session: Session): Promise<ReadonlyMap<number, VectorIndex>> {
    const now = performance.now()
    if (this.#options.indexFrom === Number.POSITIVE_INFINITY) return new Map()
    if (this.#indexes === undefined || now - this.#indexes.read > indexesHold)
      this.#indexes = { read: now, byEmbedding: await vectorIndexes(session) }
    return this.#indexes.byEmbedding
  }

  async #transaction<Result>(
    options: string,
    work: (session: Session) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      try {
        signal?.throwIfAborted()
        let result: { readonly value: Result } | undefined
        await this.#options.client.begin(options, async (transaction) => {
          const session = new Session(transaction, this.#session, signal)
          await session.enter()
          const value = await work(session)
          signal?.throwIfAborted()
          result = { value }
        })
        return (result as unknown as { readonly value: Result }).value
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        if (tries >= mostTries || !hasToGiveWay(error)) throw error
        await sleep(2 ** tries * (1 + Math.random()), undefined, signal === undefined ? {} : { signal })
      }
    }
  }
}

/** Serialisation failure, deadlock: nothing happened, and the next time it may go well. */
function hasToGiveWay(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return code === '40001' || code === '40P01'
}
