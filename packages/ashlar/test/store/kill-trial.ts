import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { between, type Random } from '../../../../bench/inputs/random.ts'
import type { PostgresServer } from '../../../../scripts/postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { findsVersion, tornRecord, tornSearch, versionOf } from './history-document.ts'
import type { HistoryJob, JobProcess } from './history-job.ts'
import { type HistoryLine, historyTime, phaseOf, possibleVersions, readHistory, underWay } from './history-log.ts'
import { type Say, writeHistory } from './write-history.ts'

/** What one kill left. */
export interface KillTrial {
  /** Writes and removals that had been reported by then. */
  readonly reported: number
  readonly phase: ReturnType<typeof phaseOf>
  /** Of those that were begun and not reported: how many turned out to be stored, and how many not. */
  readonly stored: number
  readonly undone: number
  readonly wrong: readonly string[]
  readonly orphans: readonly string[]
  /** The version of each document afterwards. */
  readonly present: ReadonlyMap<string, number>
}

/** What is killed and how it is looked at. */
export interface KillOptions {
  readonly random: Random
  readonly kill: number
  /** The version of each document before. */
  readonly before: ReadonlyMap<string, number>
  /** Opens the store afterwards. */
  readonly open: () => Promise<Store>
  readonly orphans: () => Promise<readonly string[]> | readonly string[]
}

/** How a process that writes is started and watched. */
export interface ClientKillOptions extends KillOptions {
  readonly job: Pick<HistoryJob, 'engine' | 'place' | 'log' | 'seed'>
  readonly start: (job: HistoryJob) => JobProcess
  /** Whether it is in a transaction, asked while it stands still, where its log does not say. */
  readonly isWriting?: () => boolean
}

/** Operations that a writer may get done before it is killed, at most. */
const mostOperations = 12

/** Kills a process that writes at a random instant of its work, sometimes while it opens the store. */
export async function killClient({ job, start, isWriting, ...options }: ClientKillOptions): Promise<KillTrial> {
  const { random, kill } = options
  // Two sets of documents in turn: what a kill left is looked at again after the next, and then written over.
  const name = `d${kill % 2}`
  const { process, end } = start({
    ...job,
    name,
    writers: 1,
    readers: 0,
    shared: 0,
    ids: [],
    for: 120_000,
    above: kill * 10_000,
  })
  const operations = between(random, 0, mostOperations)
  const part = random()
  if (operations === 0) await sleep(part * 500)
  else
    await reach(
      () => readHistory(job.log),
      operations,
      part,
      () => process.exitCode !== null,
    )
  let isInTransaction = false
  if (isWriting !== undefined) {
    process.kill('SIGSTOP')
    await standstill(process.pid)
    isInTransaction = isWriting()
  }
  process.kill('SIGKILL')
  await end
  const history = readHistory(job.log)
  return lookAfter([history], options, isInTransaction ? 'in a transaction' : phaseOf(history))
}

/** A store whose transactions are watched. */
export interface WatchedStore {
  readonly store: Store
  /** Where its transactions are told to from now on. */
  tell(say: Say): void
}

/** How a server is killed under writers that live on. */
export interface ServerKillOptions extends KillOptions {
  readonly server: PostgresServer
  readonly stores: readonly WatchedStore[]
  readonly seed: number
}

/** Kills a server under its writers at a random instant of their work, and starts it again on what it left. */
export async function killServer({ server, stores, seed, ...options }: ServerKillOptions): Promise<KillTrial> {
  const { random, kill } = options
  const histories = stores.map(() => [] as HistoryLine[])
  const writers = stores.map(({ store, tell }, at) => {
    const say: Say = (line) => void histories[at]?.push({ ...line, at: historyTime() } as HistoryLine)
    tell(say)
    const name = `s${kill % 2}w${at}x`
    return writeHistory(store, { name, seed: seed + kill * 16 + at, above: kill * 10_000, isOver: () => false }, say)
  })
  const ended = Promise.allSettled(writers)
  await reach(
    () => histories.flat(),
    between(random, 1, mostOperations * stores.length),
    random(),
    () => false,
  )
  await server.kill9()
  await ended
  await server.restart()
  const phases = histories.map(phaseOf)
  const phase = (['at a commit', 'in a transaction', 'under way'] as const).find((one) => phases.includes(one))
  const trial = await lookAfter(histories, options, phase ?? 'between operations')
  // One of those who were there when the server died goes on with what it remembers, and sees the same.
  const survivor = stores[kill % stores.length]?.store
  const wrong = survivor === undefined ? [] : await wrongWith(survivor, exactly(trial.present))
  return { ...trial, wrong: [...trial.wrong, ...wrong] }
}

/** Waits for so many reports, and then for some part of the time that one more takes. */
async function reach(
  read: () => readonly HistoryLine[],
  operations: number,
  part: number,
  hasEnded: () => boolean,
): Promise<void> {
  for (;;) {
    const done = read().flatMap((line) => (line.is === 'done' ? [line.at] : []))
    if (done.length >= operations) {
      const each = done.length === 1 ? 20 : (Math.max(...done) - Math.min(...done)) / (done.length - 1)
      await sleep(part * 1.5 * each)
      return
    }
    if (hasEnded()) return
    await sleep(1)
  }
}

/** A stop is a moment on its way; only what stands still can be looked at. */
async function standstill(pid: number | undefined): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      if (/\) [Tt] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return
    } catch {
      // No such file on other systems: then a little time has to do.
      if (tries > 20) return
    }
    await sleep(1)
  }
}

async function lookAfter(
  histories: readonly (readonly HistoryLine[])[],
  { before, open, orphans }: KillOptions,
  phase: KillTrial['phase'],
): Promise<KillTrial> {
  await using store = await open()
  const wrong = await wrongWith(store, possibleVersions(histories, before))
  const present = await presentVersions(store)
  const begun = histories.flatMap(underWay)
  const stored = begun.filter(({ id, version }) => (present.get(id) ?? 0) === version).length
  return {
    reported: histories.flat().filter(({ is }) => is === 'done').length,
    phase,
    stored,
    undone: begun.length - stored,
    wrong,
    orphans: await orphans(),
    present,
  }
}

/** What is wrong with a store, as sentences: each document has one of its versions, is wholly of that and found as that and no other. */
export async function wrongWith(store: Store, possible: ReadonlyMap<string, readonly number[]>): Promise<readonly string[]> {
  const wrong: string[] = []
  const ids = [...possible.keys()]
  const records = ids.length === 0 ? [] : await store.get(ids)
  for (const [at, id] of ids.entries()) {
    const record = records[at]
    const version = versionOf(record)
    const versions = possible.get(id) ?? []
    if (!versions.includes(version)) wrong.push(`${id} has version ${version} and may have ${versions.join(' or ')}`)
    if (record !== undefined) wrong.push(...tornRecord(record), ...(await tornSearch(store, id, version)))
    for (const one of new Set([...versions, version])) {
      if (one === 0) continue
      const isFound = await findsVersion(store, id, one)
      if (isFound !== (one === version))
        wrong.push(`${id} at version ${version} is ${isFound ? '' : 'not '}found by words of ${one}`)
    }
  }
  const { items } = await store.list({ limit: 1_000 })
  const children = items.reduce((sum, one) => sum + one.children, 0)
  const { count } = await store.nominate({})
  if (count !== children) wrong.push(`the lexical index has ${count} children and the documents have ${children}`)
  return wrong
}

async function presentVersions(store: Store): Promise<ReadonlyMap<string, number>> {
  const { items } = await store.list({ limit: 1_000 })
  return new Map(items.map((item) => [item.id, versionOf(item)]))
}

function exactly(present: ReadonlyMap<string, number>): ReadonlyMap<string, readonly number[]> {
  return new Map(Array.from(present, ([id, version]) => [id, [version]]))
}
