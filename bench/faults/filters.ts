import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAshlarError } from 'ashlar'
import { type PostgresPool, postgresStore } from 'ashlar/postgres'
import { search } from 'ashlar/search'
import { sqliteStore } from 'ashlar/sqlite'
import {
  analyseQuery,
  type Filter,
  type Metadata,
  memoryData,
  memoryStore,
  type Store,
  type StoredDocument,
  type StoreScope,
} from 'ashlar/stores'
import fc from 'fast-check'
import { checkFilter } from '../../packages/ashlar/src/store/check-filter.ts'
import { compileFilter as compileForPostgres } from '../../packages/ashlar/src/store/postgres/compile-filter.ts'
import { compileFilter as compileForSqlite } from '../../packages/ashlar/src/store/sqlite/compile-filter.ts'
import { hostileTexts, unstorableTexts } from '../../packages/ashlar/src/testing/hostile-values.ts'
import { compareTexts, oracleMatches, sameData } from '../../packages/ashlar/src/testing/store-oracle.ts'
import { sampleDocument, sampleIdentity, sampleVector } from '../../packages/ashlar/src/testing/store-samples.ts'
import { filterFields as fields, metadataArbitrary } from '../../packages/ashlar/test/store/filter-arbitrary.ts'
import { openTestDatabase } from '../../packages/ashlar/test/store/postgres-database.ts'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { type HostileCall, hostileCalls, hostileFilters } from '../inputs/hostile-calls.ts'

const seed = 20_261_115
const batch = 500
const lanes = 4
const own = 'own'
const shared = 'shared'
/** Who is not to be seen: neighbours whose names would be understood as something else if they were understood as anything. */
const strangers: readonly string[] = ['foreign', `' or '1'='1`, '","', '{own}', 'own,foreign', 'ow', 'own ', 'OWN', '%', '\\']
const readable: readonly string[] = [own, shared]
const identity = sampleIdentity('hostile')
const everything = { child: 1_000, parent: 0, section: 0, document: 0 }

/** An engine with the documents of all workspaces in it. */
interface Victim {
  readonly name: string
  /** Which calls it gets: all, or every other one. */
  readonly takes: (call: number) => boolean
  open(scope: StoreScope): Promise<Store>
}

/** What came of one call, in a form that can be compared between engines. */
interface Outcome {
  readonly answer: unknown
  /** The code, where the call was refused. */
  readonly refused?: string
  /** What is wrong with it already, whatever the others say. */
  readonly trouble?: 'engine' | 'uncoded' | 'foreign' | 'late'
  readonly message?: string
}

interface Tally {
  calls: number
  refused: number
  foreign: number
  engine: number
  uncoded: number
  late: number
  wrong: number
}

interface OpenStores {
  readonly victim: Victim
  readonly read: Store
  readonly write: Store
  readonly tally: Tally
}

type Corpus = ReadonlyMap<string, readonly StoredDocument[]>

/** How often a call asked for a connection: what is refused must be refused before. */
const asked = new AsyncLocalStorage<{ connections: number }>()

/** Hands hostile filters, ids, names, cursors and queries to every engine and holds the answers against plain evaluation. */
export async function filters({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const count = quick ? 2_500 : 100_000
  const corpus = makeCorpus()
  const ids = (corpus.get(own) ?? []).map(({ tree }) => tree.document)
  progress.step('compiling')
  const compiled = compileAll(quick ? 8_000 : 150_000, ids)
  const home = mkdtempSync(join(tmpdir(), 'ashlar-hostile-'))
  const database = await openTestDatabase()
  if (database === undefined) throw new Error('There is no PostgreSQL to hand filters to')
  try {
    const walled = counted(database.connect())
    const unwalled = counted(database.connect(database.adminUrl))
    const data = memoryData()
    const file = join(home, 'store.db')
    const victims: readonly Victim[] = [
      { name: 'memory', takes: () => true, open: async (scope) => memoryStore({ ...scope, data }) },
      { name: 'sqlite', takes: () => true, open: (scope) => sqliteStore(file, scope, { survives: 'process' }) },
      { name: 'postgres', takes: (call) => call % 2 === 0, open: (scope) => postgresStore(walled, scope) },
      // A superuser is not held back by row-level security: here the predicate stands alone.
      {
        name: 'postgres, no second wall',
        takes: (call) => call % 2 === 1,
        open: (scope) => postgresStore(unwalled, scope, { migrate: false }),
      },
    ]
    const stores: OpenStores[] = []
    for (const victim of victims) {
      if (!victim.name.endsWith('wall')) await fill(victim, corpus)
      const read = await victim.open({ workspace: own, alsoRead: [shared], fields })
      const write = await victim.open({ workspace: `writes of ${victim.name}`, fields })
      const tally = { calls: 0, refused: 0, foreign: 0, engine: 0, uncoded: 0, late: 0, wrong: 0 }
      stores.push({ victim, read, write, tally })
    }
    const examples = new Map<string, string>()
    const keep = (kind: string, example: string): void => void (examples.has(kind) || examples.set(kind, example))
    const kinds = new Map<string, number>()
    let different = 0
    for (let done = 0; done < count; done += batch) {
      progress.step('calling', done, count)
      const calls = hostileCalls(Math.min(batch, count - done), seed + done, { ids, workspaces: readable, strangers })
      for (const { to } of calls) kinds.set(to, (kinds.get(to) ?? 0) + 1)
      const outcomes = await Promise.all(stores.map((one) => runAll(one, calls)))
      for (const [at, call] of calls.entries()) {
        const expected = expectation(call, corpus)
        for (const [which, { victim, tally }] of stores.entries()) {
          const outcome = outcomes[which]?.[at]
          if (outcome === undefined) continue
          const isWrong = outcome.trouble === undefined && !expected(outcome)
          tally.calls++
          if (outcome.refused !== undefined) tally.refused++
          if (outcome.trouble !== undefined) tally[outcome.trouble]++
          if (isWrong) tally.wrong++
          if (outcome.trouble !== undefined || isWrong)
            keep(
              `${call.to} ${outcome.trouble}`,
              `${victim.name}: ${outcome.trouble ?? 'wrong'}: ${shown(call)} => ${shown(outcome)}`,
            )
        }
        const [first, ...others] = outcomes.flatMap((all) => all[at] ?? [])
        if (others.some((other) => other.refused !== first?.refused || !sameData(other.answer, first?.answer))) {
          different++
          keep(`${call.to} different`, `different: ${shown(call)} => ${outcomes.map((all) => shown(all[at])).join(' | ')}`)
        }
      }
    }
    progress.step('looking at what is left')
    const harmed: string[] = []
    for (const { victim, read, write } of stores) {
      harmed.push(...(await harmDone(victim, corpus, write)))
      await read.close()
      await write.close()
    }
    return judge({
      count,
      stores,
      compiled,
      different,
      examples: [...examples.values(), ...harmed.slice(0, 5)],
      harmed: harmed.length,
      kinds,
    })
  } finally {
    await database[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  }
}

function counted(pool: PostgresPool): PostgresPool {
  return {
    connect() {
      const call = asked.getStore()
      if (call !== undefined) call.connections++
      return pool.connect()
    },
    end: () => pool.end(),
  }
}

/** Documents with hostile ids and metadata; strangers have the same ids, and metadata that every filter would like to see. */
function makeCorpus(): Corpus {
  const ids = Array.from({ length: 70 }, (_, at) => hostileTexts[at] ?? `document ${at}`)
  const metadata = fc.sample(metadataArbitrary({ strict: true }), { numRuns: ids.length * 2, seed }) as Metadata[]
  const documents = (workspace: string, some: readonly string[], from: number): readonly StoredDocument[] =>
    some.map((id, at) =>
      sampleDocument(id, `common ${workspace} word${at}\n`, [identity], {
        metadata: metadata[(from + at) % metadata.length] ?? {},
      }),
    )
  return new Map([
    [own, documents(own, ids, 0)],
    [shared, documents(shared, ids.slice(30, 60), ids.length)],
    ...strangers.map((name, at) => [name, documents(name, [...ids.slice(at * 5, at * 5 + 8), 'secret'], at)] as const),
  ])
}

async function fill({ open }: Victim, corpus: Corpus): Promise<void> {
  for (const [workspace, documents] of corpus) {
    const store = await open({ workspace, fields })
    await store.put(documents)
    await store.close()
  }
}

/** Runs calls on one engine. Those that write go one after the other; the others may go beside each other. */
async function runAll(stores: OpenStores, calls: readonly HostileCall[]): Promise<readonly (Outcome | undefined)[]> {
  const outcomes: (Outcome | undefined)[] = []
  let next = 0
  const lane = async (wants: (call: HostileCall) => boolean, from: () => number): Promise<void> => {
    for (let at = from(); at < calls.length; at = from()) {
      const call = calls[at] as HostileCall
      if (stores.victim.takes(at) && wants(call)) outcomes[at] = await asked.run({ connections: 0 }, () => runOne(stores, call))
    }
  }
  let nextWrite = 0
  const width = stores.victim.name.startsWith('postgres') ? lanes : 1
  await Promise.all([
    ...Array.from({ length: width }, () =>
      lane(
        ({ to }) => to !== 'write',
        () => next++,
      ),
    ),
    lane(
      ({ to }) => to === 'write',
      () => nextWrite++,
    ),
  ])
  return outcomes
}

async function runOne(stores: OpenStores, call: HostileCall): Promise<Outcome> {
  try {
    const { answer, seen, allowed } = await answerOf(stores, call)
    const foreign = seen.some((workspace) => !allowed.includes(workspace))
    return foreign ? { answer, trouble: 'foreign' } : { answer }
  } catch (error) {
    const message = String(error)
    if (!isAshlarError(error)) return { answer: null, trouble: 'uncoded', message }
    if (!/^INVALID_/.test(error.code))
      return { answer: null, refused: error.code, trouble: 'engine', message: `${message} ${shown(error.cause)}` }
    const late = (asked.getStore()?.connections ?? 0) > 0
    return { answer: null, refused: error.code, message, ...(late ? { trouble: 'late' } : {}) }
  }
}

interface Answer {
  readonly answer: unknown
  /** Workspaces of everything that came back. */
  readonly seen: readonly string[]
  readonly allowed: readonly string[]
}

async function answerOf({ victim, read, write }: OpenStores, call: HostileCall): Promise<Answer> {
  switch (call.to) {
    case 'list':
      return listed((await read.list({ where: call.where as Filter, limit: 1_000 })).items, readable)
    case 'page':
      return listed((await read.list({ after: call.after as string, limit: 1_000 })).items, readable)
    case 'nominate': {
      const found = await read.nominate({
        where: call.where as Filter,
        vector: { identity, values: sampleVector('common', identity), limit: 1_000 },
        terms: { terms: analyseQuery('common'), limits: everything },
      })
      const { children } = await read.children(found.children)
      const sorted = children
        .map(({ workspace, document }) => ({ workspace, id: document.id }))
        .sort((one, other) => compareTexts(one.id, other.id) || compareTexts(one.workspace, other.workspace))
      const { answer, seen } = listed(sorted, readable)
      return { answer: [answer, found.count], seen, allowed: readable }
    }
    case 'get': {
      const [record] = await read.get([call.id as string])
      if (record === undefined) return { answer: null, seen: [], allowed: readable }
      const { id, workspace, metadata, tree } = record
      return { answer: { id, workspace, metadata, text: tree.text }, seen: [workspace], allowed: readable }
    }
    case 'search': {
      const { hits } = await search(read, call.query, { limit: 20 })
      const answer = hits.map(({ workspace, document, score }) => [workspace, document.id, score.toFixed(6)])
      return { answer, seen: hits.map(({ workspace }) => workspace), allowed: readable }
    }
    case 'open': {
      const store = await victim.open({ workspace: call.workspace as string, alsoRead: call.alsoRead as string[], fields })
      try {
        const { items } = await store.list({ limit: 1_000 })
        return listed(items, [store.scope.workspace, ...store.scope.alsoRead])
      } finally {
        await store.close()
      }
    }
    case 'write': {
      const { tree } = sampleDocument('a', 'a text\n')
      const id = call.id as string
      await write.put([{ tree: { ...tree, document: id }, metadata: call.metadata as Metadata }])
      const [record] = await write.get([id])
      const { items } = await write.list({ where: { op: 'document', ids: [id] } })
      const [removed] = await write.remove([id])
      const answer = { id: record?.id, metadata: record?.metadata, listed: items.length, removed: removed?.found }
      return { answer, seen: items.map(({ workspace }) => workspace), allowed: [write.scope.workspace] }
    }
  }
}

function listed(items: readonly { readonly id: string; readonly workspace: string }[], allowed: readonly string[]): Answer {
  return { answer: items.map(({ id, workspace }) => [id, workspace]), seen: items.map(({ workspace }) => workspace), allowed }
}

type Located = readonly [id: string, workspace: string, document: StoredDocument]

let located: readonly Located[] | undefined

/** All documents in the order of a list. */
function locate(corpus: Corpus): readonly Located[] {
  located ??= [...corpus]
    .flatMap(([workspace, documents]) => documents.map((document): Located => [document.tree.document, workspace, document]))
    .sort(([id, workspace], [otherId, otherWorkspace]) => compareTexts(id, otherId) || compareTexts(workspace, otherWorkspace))
  return located
}

/** What a call should come to, worked out without a store. */
function expectation(call: HostileCall, corpus: Corpus): (outcome: Outcome) => boolean {
  const all = (workspaces: readonly unknown[]): readonly Located[] =>
    locate(corpus).filter(([, workspace]) => workspaces.includes(workspace))
  const names = (some: readonly Located[]): unknown => some.map(([id, workspace]) => [id, workspace])
  const isText = (value: unknown, most: number): value is string =>
    typeof value === 'string' && value.length > 0 && value.length <= most && !/\0|\p{Surrogate}/u.test(value)
  switch (call.to) {
    case 'list':
    case 'nominate':
      return ({ answer, refused }) => {
        if (refused !== undefined) return !call.isValid && refused === 'INVALID_FILTER'
        const documents = all(readable)
        const matching = names(
          documents.filter(([, , document]) => call.where === undefined || oracleMatches(call.where as Filter, document, fields)),
        )
        return sameData(answer, call.to === 'list' ? matching : [matching, documents.length])
      }
    case 'page': {
      const position = call.after === undefined ? null : readPosition(call.after)
      return ({ answer, refused }) => {
        if (position === undefined) return refused === 'INVALID_OPTION'
        const after = all(readable).filter(
          ([id, workspace]) => position === null || (compareTexts(id, position[0]) || compareTexts(workspace, position[1])) > 0,
        )
        return refused === undefined && sameData(answer, names(after))
      }
    }
    case 'get':
      return ({ answer, refused }) => {
        if (!isText(call.id, 1_024)) return refused === 'INVALID_DOCUMENT'
        const [document, workspace] =
          readable.flatMap((name) => {
            const found = corpus.get(name)?.find(({ tree }) => tree.document === call.id)
            return found === undefined ? [] : [[found, name] as const]
          })[0] ?? []
        if (document === undefined) return refused === undefined && answer === null
        return sameData(answer, { id: call.id, workspace, metadata: document.metadata, text: document.tree.text })
      }
    case 'open':
      return ({ answer, refused }) =>
        [call.workspace, ...call.alsoRead].every((name) => isText(name, 256))
          ? sameData(answer, names(all([call.workspace, ...call.alsoRead])))
          : refused === 'INVALID_WORKSPACE'
    case 'search':
      return ({ refused }) => refused === undefined || (refused === 'INVALID_OPTION' && call.query.length > 10_000)
    case 'write':
      return ({ answer, refused }) => {
        if (refused !== undefined) return refused === 'INVALID_DOCUMENT'
        const metadata = call.metadata ?? {}
        return isText(call.id, 1_024) && sameData(answer, { id: call.id, metadata: plain(metadata), listed: 1, removed: true })
      }
  }
}

/** As JSON has it: with one zero. */
function plain(metadata: unknown): unknown {
  return JSON.parse(JSON.stringify(metadata))
}

/** Where a cursor points to; undefined where it is none. */
function readPosition(after: unknown): readonly [string, string] | undefined {
  if (typeof after !== 'string') return undefined
  try {
    const position = JSON.parse(after) as unknown
    if (!Array.isArray(position) || position.length !== 2) return undefined
    const [id, workspace] = position as unknown[]
    if (typeof id !== 'string' || id === '' || id.length > 1_024 || /\0|\p{Surrogate}/u.test(id)) return undefined
    return readable.includes(workspace as string) ? [id, workspace as string] : undefined
  } catch {
    return undefined
  }
}

/** Whether every document is as it was put, and nothing else is there. */
async function harmDone(victim: Victim, corpus: Corpus, write: Store): Promise<string[]> {
  const harm: string[] = []
  if ((await write.list()).items.length > 0) harm.push(`${victim.name}: a document that was removed is still there`)
  for (const [workspace, documents] of corpus) {
    await using store = await victim.open({ workspace, fields })
    const { items } = await store.list({ limit: 1_000 })
    const found = await store.get(documents.map(({ tree }) => tree.document))
    const same = documents.every(
      ({ tree, metadata = {} }, at) => found[at]?.tree.text === tree.text && sameData(found[at]?.metadata, metadata),
    )
    if (items.length !== documents.length || !same)
      harm.push(`${victim.name}: the documents of ${JSON.stringify(workspace)} have changed`)
  }
  return harm
}

interface Compiled {
  readonly given: number
  readonly compiled: number
  readonly refused: number
  readonly uncoded: number
  /** Statements that have anything in their text that the compiler did not put there. */
  readonly leaks: number
  readonly texts: number
}

/** Compiles filters for each engine and looks at the text of the statements: constants and places of parameters, nothing else. */
function compileAll(count: number, ids: readonly string[]): Compiled {
  const postgresText = /^(?:[a-z0-9_ ()<>=:[\],.\n-]|\$\d+|"C"|'(?:string|number|boolean|array)'|->>?)*$/
  const sqliteText = /^[A-Za-z_.,()<>=? 01]+$/
  const texts = new Set<string>()
  let compiled = 0
  let refused = 0
  let uncoded = 0
  let leaks = 0
  for (let done = 0; done < count; done += 5_000) {
    for (const where of hostileFilters(Math.min(5_000, count - done), seed + done, ids)) {
      let checked: Filter
      try {
        checked = checkFilter(where as Filter, fields)
      } catch (error) {
        refused++
        if ((error as { readonly code?: unknown }).code !== 'INVALID_FILTER') uncoded++
        continue
      }
      compiled++
      const parameters: string[] = []
      const postgres = compileForPostgres(checked, fields, parameters as never)
      const sqlite = compileForSqlite(checked, fields, 7)
      texts.add(postgres).add(sqlite.sql)
      const places = new Set(postgres.match(/\$\d+/g))
      if (!postgresText.test(postgres) || places.size !== parameters.length) leaks++
      if (!sqliteText.test(sqlite.sql) || sqlite.sql.split('?').length - 1 !== sqlite.parameters.length) leaks++
    }
  }
  return { given: count, compiled, refused, uncoded, leaks, texts: texts.size }
}

interface Findings {
  readonly count: number
  readonly stores: readonly OpenStores[]
  readonly compiled: Compiled
  readonly different: number
  readonly harmed: number
  readonly examples: readonly string[]
  readonly kinds: ReadonlyMap<string, number>
}

function judge({ count, stores, compiled, different, harmed, examples, kinds }: Findings): BenchResult {
  const share = (part: number): string => `${((100 * part) / count).toFixed(1)} %`
  return {
    figures: [
      figure('hostile calls on each engine', count, 'calls'),
      figure('filters compiled for each engine', compiled.compiled, 'filters'),
      figure('filters refused before the compiler', compiled.refused, 'filters'),
      figure('compiled texts with anything of a filter in them', compiled.leaks, 'texts', '= 0'),
      figure('refused without a code', compiled.uncoded, 'filters', '= 0'),
      ...stores.flatMap(({ victim: { name }, tally }) => [
        figure(`${name}: answers with rows of another workspace`, tally.foreign, 'calls', '= 0'),
        figure(`${name}: errors of the engine`, tally.engine, 'calls', '= 0'),
        figure(`${name}: errors without a code`, tally.uncoded, 'calls', '= 0'),
        figure(`${name}: refused after the engine was asked`, tally.late, 'calls', '= 0'),
        figure(`${name}: answers other than those of plain evaluation`, tally.wrong, 'calls', '= 0'),
      ]),
      figure('answers that differ between engines', different, 'calls', '= 0'),
      figure('workspaces changed by it', harmed, 'workspaces', '= 0'),
    ],
    table: {
      title: `${count} hostile calls, seed ${seed}`,
      columns: ['engine', 'calls', 'refused', 'foreign', 'engine errors', 'no code', 'late', 'wrong'],
      rows: stores.map(({ victim, tally }) => [
        victim.name,
        tally.calls,
        tally.refused,
        tally.foreign,
        tally.engine,
        tally.uncoded,
        tally.late,
        tally.wrong,
      ]),
    },
    notes: [
      `Calls: ${[...kinds].map(([kind, number]) => `${kind} ${share(number)}`).join(', ')}. list and nominate take filters, get an id, page a cursor, write an id with metadata (put, read back, removed), open names of workspaces. ${hostileTexts.length} payloads and pairs of them, ${unstorableTexts.length} texts that engines cannot hold, texts of 1 MB, lists of up to 100,000 values, 40 filters in each other, names that objects are born with, values of every type, random texts.`,
      `${compiled.given} filters more went through the compilers of SQLite and PostgreSQL alone and came to ${compiled.texts} different texts, made of constants and places of parameters.`,
      'Each engine has ten other workspaces with the same document ids. PostgreSQL gets half of the calls as a role that row-level security holds, and half as a superuser whom only the condition in the statement holds. Whether PostgreSQL was asked before a refusal is seen by its connections.',
      ...examples,
    ],
  }
}

function shown(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' || typeof one === 'symbol' ? String(one) : one)) ??
      String(value)
    )
      .slice(0, 300)
      .toWellFormed()
  } catch {
    return 'something that cannot be printed'
  }
}
