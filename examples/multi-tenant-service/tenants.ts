import { createHash, timingSafeEqual } from 'node:crypto'
import { type Library, open } from 'ashlar'
import { ingestFields } from 'ashlar/ingest'
import type { Embedder } from 'ashlar/models'
import { workerReader } from 'ashlar/node'
import { postgresStore } from 'ashlar/postgres'
import { potion } from 'ashlar-potion'
import type pg from 'pg'

/** What a document of this service is described by; filters may name these fields and no others. */
export interface Fields {
  kind: string
  year: number
}

/** The workspace that every tenant reads. It is written with a key of its own. */
const shared = 'shared'

/** Handles that stay open; each is small, the connections are the pool's. */
const mostOpen = 1_000

/**
 * A library for each tenant, on one pool.
 *
 * The workspace is bound when a library is opened and comes from the key alone: nothing that a request says can name another.
 */
export class Tenants {
  readonly #pool: pg.Pool
  readonly #keys: readonly { readonly hash: Buffer; readonly tenant: string }[]
  /** Those used last come last. */
  readonly #open = new Map<string, Promise<Library<Fields>>>()
  /** Parses what was uploaded in threads and processes with limits: a file made to hurt harms nobody else's request. */
  readonly #reader = workerReader()
  #embedder: Promise<Embedder> | undefined

  /** @param keys which tenant each API key belongs to. */
  constructor(pool: pg.Pool, keys: ReadonlyMap<string, string>) {
    this.#pool = pool
    this.#keys = [...keys].map(([key, tenant]) => ({ hash: hashOf(key), tenant }))
  }

  /** The tenant that a key belongs to. Compares with every key in the same time, so that no time tells how near a guess was. */
  tenantOf(key: string): string | undefined {
    const given = hashOf(key)
    return this.#keys.filter(({ hash }) => timingSafeEqual(hash, given))[0]?.tenant
  }

  libraryOf(tenant: string): Promise<Library<Fields>> {
    const library = this.#open.get(tenant) ?? this.#openLibrary(tenant)
    this.#open.delete(tenant)
    this.#open.set(tenant, library)
    // One that could not be opened is tried again by the next request.
    library.catch(() => this.#open.get(tenant) === library && this.#open.delete(tenant))
    const [oldest] = this.#open.keys()
    // Not closed, since a request may be using it: there is nothing in it that is not freed with it.
    if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest)
    return library
  }

  async #openLibrary(tenant: string): Promise<Library<Fields>> {
    this.#embedder ??= potion()
    const store = await postgresStore(
      this.#pool,
      {
        workspace: tenant,
        alsoRead: tenant === shared ? [] : [shared],
        fields: { ...ingestFields, kind: 'string', year: 'number' },
      },
      // The tables are made by setup.ts: the service's role may not.
      { migrate: false },
    )
    return open<Fields>({ store, embedder: await this.#embedder, reader: this.#reader })
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(async (library) => (await library).close()))
    this.#open.clear()
    await this.#reader.close()
  }
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
