import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, EngineReader, EngineWriter } from '../engine.ts'
import type { StoreScope, StoreSupports } from '../store.ts'
import { type KeyRange, noKeys } from './key-range.ts'
import { type PostgresPool, runStatement, withConnection } from './postgres-client.ts'
import { PostgresReader } from './postgres-reader.ts'
import { PostgresWriter } from './postgres-writer.ts'
import { Session, type SessionOptions } from './session.ts'
import { buildVectorIndex, dropForgottenIndexes, type VectorIndex, vectorIndexes } from './vector-index.ts'

/** How an engine is opened. */
export interface PostgresEngineOptions {
  readonly pool: PostgresPool
  readonly scope: Readonly<Required<StoreScope>>
  readonly schema: string
  /** From how many vectors on an embedding gets an index of its own. */
  readonly indexFrom: number
  /** How many embeddings of the schema have one at most. */
  readonly mostIndexes: number
  /** Ends the pool with the engine. */
  readonly ownsPool: boolean
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
    const { scope, schema, withoutPredicate = false } = options
    this.#options = options
    this.#session = { schema, workspaces: [scope.workspace, ...scope.alsoRead], withoutPredicate }
    this.supports = {
      engine: 'postgres',
      durable: true,
      shared: true,
      exactVectors: options.indexFrom === Number.POSITIVE_INFINITY,
    }
  }

  async read<Result>(work: (reader: EngineReader) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#transaction(
      readMode,
      async (session) => work(new PostgresReader(session, this.#options.scope.fields, await this.#vectorIndexes(session))),
      signal,
    )
  }

  async write<Result>(work: (writer: EngineWriter) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    let left = noKeys
    const result = await this.#transaction(
      writeMode,
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
    const { pool, schema, indexFrom, mostIndexes: most, scope } = this.#options
    const all = await this.read((reader) => reader.embeddings(), signal)
    const { workspace } = scope
    const embeddings = all.filter((one) => one.workspace === workspace)
    await withConnection(pool, async (connection) => {
      const owner = await runStatement(
        connection,
        `select pg_has_role(relowner, 'usage') from pg_class where oid = '${schema}.child_vector'::regclass`,
      )
      // Statistics and indexes are the owner's affair; for others the server's own upkeep has to do.
      if (owner.rows[0]?.[0] !== true) return
      signal?.throwIfAborted()
      await runStatement(
        connection,
        `analyze ${['document', 'parent', 'child_vector', 'segment_page'].map((table) => `${schema}.${table}`)}`,
      )
      await dropForgottenIndexes(connection, schema, workspace, new Set(embeddings.map(({ key }) => key)))
      for (const { key, children, identity } of embeddings) {
        signal?.throwIfAborted()
        const index = { embedding: key, dimensions: identity.dimensions as number }
        if (children >= indexFrom) await buildVectorIndex(connection, schema, index, { workspace, most })
      }
    })
    this.#indexes = undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#options.ownsPool) await this.#options.pool.end()
  }

  async #vectorIndexes(session: Session): Promise<ReadonlyMap<number, VectorIndex>> {
    const now = performance.now()
    if (this.#options.indexFrom === Number.POSITIVE_INFINITY) return new Map()
    if (this.#indexes === undefined || now - this.#indexes.read > indexesHold)
      this.#indexes = { read: now, byEmbedding: await vectorIndexes(session) }
    return this.#indexes.byEmbedding
  }

  async #transaction<Result>(
    mode: string,
    work: (session: Session) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    for (let tries = 1; ; tries++) {
      signal?.throwIfAborted()
      try {
        return await this.#attempt(mode, work, signal)
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        const again = hasToGiveWay(error) || (mode === readMode && isConnectionLost(error))
        if (tries >= mostTries || !again) throw error
        await sleep(2 ** tries * (1 + Math.random()))
      }
    }
  }

  async #attempt<Result>(
    mode: string,
    work: (session: Session) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    const outcome = await withConnection(this.#options.pool, async (connection) => {
      const session = new Session(connection, this.#session, signal)
      try {
        session.begin(mode)
        const value = await work(session)
        signal?.throwIfAborted()
        await session.commit()
        return { value }
      } catch (error) {
        // A statement may still be running on the connection, or the connection may be gone: then it is not used again.
        if (signal?.aborted === true || isConnectionLost(error)) throw error
        await session.rollback()
        return { error }
      }
    })
    if ('error' in outcome) throw outcome.error
    return outcome.value
  }
}

const readMode = 'isolation level repeatable read read only'
const writeMode = 'isolation level read committed'

/** Serialisation failure, deadlock: nothing happened, and the next time it may go well. */
function hasToGiveWay(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | undefined)?.code
  return code === '40001' || code === '40P01'
}

/** The connection was refused or has broken, or the server is going down or coming up. */
function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  if (typeof code === 'string') return /^(08...|57P0[1-5]|E[A-Z]{3,})$/.test(code)
  return typeof message === 'string' && /connection|not queryable/i.test(message)
}
