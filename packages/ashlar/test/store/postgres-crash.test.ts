import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { postgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { letterDocument } from './letter-vectors.ts'
import { openTestDatabase, type TestDatabase } from './postgres-database.ts'
import { postgresOrphans } from './postgres-orphans.ts'

const database = await openTestDatabase()

afterAll(async () => database?.[Symbol.asyncDispose]())

/** A text that says which version of which document it is, in several paragraphs. */
function versionText(id: string, version: number): string {
  const paragraph = (at: number): string => `Paragraph ${at} of ${id}, which is at version${version} now, and no other.`
  // Some paragraphs stay, so that a replacement keeps rows as well as writing and deleting them.
  const kept = Array.from({ length: 4 }, (_, at) => `Paragraph ${at} of ${id} has always been the same.`)
  return [...kept, ...Array.from({ length: 1 + (version % 4) }, (_, at) => paragraph(at))].join('\n\n')
}

/** What is known about one document: the version that a receipt was given for, and the one on its way. */
interface Known {
  stored: number | undefined
  pending: number | undefined | 'nothing'
}

/** Few enough for every run; for a long one: `ASHLAR_KILLS=100 npx vitest run --project library postgres-crash`. */
const kills = Number(process.env['ASHLAR_KILLS'] ?? 4)

describe.skipIf(database?.server === undefined)('a PostgreSQL server that is killed', () => {
  const there = database as TestDatabase

  test('keeps what was reported stored, whole, and nothing else', { timeout: 30_000 + 30_000 * kills }, async () => {
    const server = there.server as NonNullable<TestDatabase['server']>
    const known = new Map<string, Known>()
    await (await postgresStore(there.url, { workspace: 'w' })).close()
    let version = 0
    const write = async (store: Store, id: string): Promise<void> => {
      const state = known.get(id) ?? { stored: undefined, pending: 'nothing' }
      known.set(id, state)
      const next = ++version
      const remove = state.stored !== undefined && next % 5 === 0
      state.pending = remove ? undefined : next
      if (remove) await store.remove([id])
      else await store.put([letterDocument(id, versionText(id, next))])
      state.stored = state.pending
      state.pending = 'nothing'
    }
    for (let kill = 0; kill < kills; kill++) {
      const before = version
      const stores = await Promise.all([1, 2, 3].map(() => postgresStore(there.url, { workspace: 'w' }, { connections: 2 })))
      const writers = stores.map(async (store, at) => {
        for (let turn = 0; ; turn++) await write(store, `${at} ${turn % 6}`)
      })
      const ended = Promise.allSettled(writers)
      // Counted in writes and not in time, so that a slow machine is killed in the middle too.
      while (version < before + 25 + ((7 * kill) % 40)) await sleep(1)
      await sleep(kill % 12)
      await server.kill9()
      await ended
      await Promise.allSettled(stores.map((store) => store.close()))
      await server.restart()
      await using store = await postgresStore(there.url, { workspace: 'w' })
      for (const [id, state] of known) {
        const [record] = await store.get([id])
        const found = [state.stored, ...(state.pending === 'nothing' ? [] : [state.pending])].find((one) =>
          one === undefined ? record === undefined : record?.tree.text === versionText(id, one),
        )
        const says = record?.tree.text.slice(-80)
        expect(found !== undefined || record === undefined, `${id}: ${JSON.stringify(state)} is ${says}`).toBe(true)
        if (record !== undefined) {
          const terms = analyse(`version${found}`).terms.map((term) => ({ term, weight: 1 }))
          const limits = { child: 500, parent: 0, section: 0, document: 0 }
          const { children } = await store.nominate({ terms: { terms, limits }, where: { op: 'document', ids: [id] } })
          expect(children.length).toBeGreaterThan(0)
        } else expect([state.stored, state.pending]).toContain(undefined)
        known.set(id, { stored: found, pending: 'nothing' })
      }
      expect(await postgresOrphans(there.adminUrl, 'ashlar')).toEqual([])
    }
    expect(version).toBeGreaterThan(25 * kills)
  })
})
