import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresStore } from 'ashlar/postgres'
import { sqliteStore } from 'ashlar/sqlite'
import { analyseQuery, type ChildAddress, type Filter, type Store, type StoreScope } from 'ashlar/stores'
import pg from 'pg'
import { childrenOf, startPostgres } from '../../scripts/postgres.ts'
import { type Bench, type BenchOptions, type BenchResult, type Figure, figure, type Table } from '../harness/bench.ts'
import { collectGarbage } from '../harness/collect-garbage.ts'
import { interleave, processTime } from '../harness/interleave.ts'
import type { Progress } from '../harness/progress.ts'
import { conversationTrees } from '../inputs/conversation-trees.ts'
import { openStaticModel } from '../provider/static-model.ts'
import { openBarePostgres } from './bare-postgres.ts'
import { openBareSqlite } from './bare-sqlite.ts'
import type { BareStore, BenchDocument, BenchFilter, WordForm } from './bare-store.ts'

/**
 * What a store costs over the bare engine: 10^5 children written, searched by vector and by words, with and without a filter, and fetched,
 * each beside the same work written by hand (`bare-sqlite.ts`, `bare-postgres.ts`) in the same interleaved run.
 *
 * The program by hand makes the same promises: text once a parent, children with ids and places, vectors, an index of words, a content hash
 * that makes writing again free, one transaction a batch, the workspace in every condition, in PostgreSQL row-level security behind it. It
 * has no token windows, no notes, no second embedding, nothing but a document's whole replacement.
 *
 * Words come in two forms. *The same terms*: FTS5 and `tsvector` are fed with the terms of our analyser (words and parts of words, each once
 * a child, so that they store no counts), and asked for those of the question. That is the same evidence in any language, and the bar is
 * judged on it. *Plain words*: they are fed with the text and use their own analysers, in C, which find neither inflected forms nor scripts
 * without spaces; those figures are printed beside the others, for whoever needs no more.
 *
 * Times are CPU times of this process and, for PostgreSQL, of the server with all its processes.
 */
export const stores: Bench = {
  summary: 'what a store costs over the same work written by hand with the bare driver: SQLite and PostgreSQL',
  run,
}

const most = '<= 1.2'
const nearest = 10
const nominated = 100
const documentsAtOnce = 20
/** So few, because the programs by hand take up to seconds for each. */
const askedByWords = 5

const scope: StoreScope = { workspace: 'bench', fields: { topic: 'string', year: 'number' } }
const where: BenchFilter = { topics: ['t1', 't4', 't7'], year: 2010 }
const filter: Filter = {
  op: 'and',
  filters: [
    { op: 'in', field: 'topic', values: where.topics },
    { op: 'range', field: 'year', gte: where.year },
  ],
}

const sameTerms: WordForm = {
  name: 'the same terms',
  ofChild: (text) =>
    analyseQuery(text)
      .map(({ term }) => term)
      .join(' '),
  ofQuestion: (question) => analyseQuery(question).map(({ term }) => term),
}

const plainWords: WordForm = {
  name: 'plain words',
  ofChild: (text) => text,
  ofQuestion: (question) => [...new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])],
}

/** Stores of one engine, side by side. */
interface Contest {
  readonly engine: string
  readonly ours: Store
  /** By the form of words. */
  readonly bare: ReadonlyMap<WordForm, BareStore>
  readonly clock: () => number
  close(): Promise<void>
}

interface Work {
  readonly documents: readonly BenchDocument[]
  readonly questions: readonly { readonly text: string; readonly vector: Float32Array }[]
  readonly children: number
  readonly quick: boolean
  readonly progress: Progress
}

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  progress.step('reading, cutting and embedding')
  const { trees, questions, source } = conversationTrees(quick ? 1_500 : 100_000, quick ? askedByWords : 40)
  const model = openStaticModel()
  const embed = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += model.maxBatch)
      vectors.push(...(await model.embed(texts.slice(from, from + model.maxBatch), { as: 'document' })).vectors)
    return vectors
  }
  const documents: BenchDocument[] = []
  for (const [at, tree] of trees.entries()) {
    progress.step('embedding', at, trees.length)
    const metadata = { topic: `t${at % 10}`, year: 2000 + ((at * 7) % 20) }
    documents.push({ tree, metadata, vectors: await embed(tree.children.map(({ text }) => text)) })
  }
  const vectors = await embed(questions)
  const work: Work = {
    documents,
    questions: questions.map((text, at) => ({ text, vector: vectors[at]! })),
    children: trees.reduce((sum, { children }) => sum + children.length, 0),
    quick,
    progress,
  }
  const outcomes: Outcome[] = []
  for (const open of [openSqlite, openPostgres]) {
    const contest = await open(work.children)
    try {
      outcomes.push(await hold(contest, work))
    } finally {
      await contest.close()
    }
  }
  return {
    figures: [figure('children', work.children, 'children'), ...outcomes.flatMap(({ figures }) => figures)],
    table: outcomes.map(({ table }) => table),
    notes: [
      `Texts: ${source}, ${documents.length} documents, ${documentsAtOnce} a transaction; vectors: potion-base-8M, 256 dimensions; ${questions.length} questions, ${askedByWords} of them by words, the best ${nearest} by vector and ${nominated} by words; ${nearest} children fetched at once.`,
      'Times are the least of the rounds, in milliseconds of CPU time of one call, the server of PostgreSQL included; a write is one child. The bar is judged on the same terms; plain words are another, smaller promise.',
    ],
  }
}

async function openSqlite(): Promise<Contest> {
  const home = mkdtempSync(join(tmpdir(), 'ashlar-stores-'))
  const ours = await sqliteStore(join(home, 'ours.db'), scope, { survives: 'process' })
  const bare = new Map<WordForm, BareStore>()
  for (const [at, form] of [sameTerms, plainWords].entries())
    bare.set(form, await openBareSqlite(join(home, `bare-${at}.db`), form))
  return {
    engine: 'SQLite',
    ours,
    bare,
    clock: processTime,
    async close() {
      await ours.close()
      for (const store of bare.values()) await store.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function openPostgres(children: number): Promise<Contest> {
  const server = await startPostgres({ settings: { autovacuum: 'off', shared_buffers: '512MB', maintenance_work_mem: '512MB' } })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  // No superuser: row-level security does not hold one back.
  await admin.query('create role bench login nosuperuser nobypassrls')
  await admin.query('create database bench owner bench')
  await admin.end()
  const url = new URL(server.url)
  url.pathname = '/bench'
  const extension = new pg.Client({ connectionString: url.href })
  await extension.connect()
  await extension.query('create extension vector')
  await extension.end()
  url.username = 'bench'
  const ours = await postgresStore(url.href, scope)
  // As many as ours has an index from.
  const indexed = children >= 50_000
  const bare = new Map<WordForm, BareStore>([
    [
      sameTerms,
      await openBarePostgres(url.href, sameTerms, {
        schema: 'same_terms',
        toWords: `array_to_tsvector(string_to_array(words, ' '))`,
        indexed,
      }),
    ],
    [
      plainWords,
      await openBarePostgres(url.href, plainWords, {
        schema: 'plain_words',
        toWords: `to_tsvector('simple', words)`,
        indexed: false,
      }),
    ],
  ])
  return {
    engine: 'PostgreSQL',
    ours,
    bare,
    clock: () => processTime() + serverTime(server.pid),
    async close() {
      await ours.close()
      for (const store of bare.values()) await store.close()
      await server.stop()
    },
  }
}

/**
 * Milliseconds of CPU time of the server: its main process, those it has, and those that it had. Linux counts the first two in nanoseconds
 * and the last in hundredths of a second.
 */
function serverTime(pid: number): number {
  const living = [pid, ...childrenOf(pid)].reduce((sum, process) => sum + (statistics(process, 'schedstat')[0] ?? 0), 0)
  const stat = statistics(pid, 'stat')
  return living / 1e6 + 10 * ((stat[13] ?? 0) + (stat[14] ?? 0))
}

/** The numbers of a file about a process; those of `stat` that come after its name. */
function statistics(process: number, file: 'stat' | 'schedstat'): readonly number[] {
  try {
    const text = readFileSync(`/proc/${process}/${file}`, 'utf8')
    return (file === 'stat' ? text.slice(text.lastIndexOf(')') + 2) : text).split(' ').map(Number)
  } catch {
    return []
  }
}

interface Outcome {
  readonly figures: readonly Figure[]
  readonly table: Table
}

async function hold(contest: Contest, work: Work): Promise<Outcome> {
  const { engine, bare } = contest
  const rows: Row[] = []
  const written = await write(contest, work)
  rows.push({ what: 'write', ...written.put }, { what: 'upkeep after the last write', ...written.maintain })
  const addresses = await addressesOf(contest, work)
  for (const { what, isByWords, times, ours, theirs } of readings(contest, work, addresses)) {
    const repeat = async (run: () => Promise<number>): Promise<number> => {
      let sum = 0
      for (let time = 0; time < times; time++) sum += await run()
      return sum
    }
    // Without words the two programs by hand are one.
    const forms = isByWords ? [sameTerms, plainWords] : [sameTerms]
    const timings = await interleave(
      [
        { name: `${engine}, ${what}: ours`, run: () => repeat(ours) },
        ...forms.map((form) => ({ name: `${engine}, ${what}: ${form.name}`, run: () => repeat(() => theirs(bare.get(form)!)) })),
      ],
      {
        rounds: work.quick ? 2 : isByWords ? 3 : 7,
        progress: work.progress,
        clock: contest.clock,
        warmUp: work.quick ? 100 : 1000,
      },
    )
    const [mine, same, plain] = timings.map(
      ({ rounds }) => Math.min(...rounds) / times / (isByWords ? askedByWords : work.questions.length),
    )
    rows.push({ what, ours: mine!, same: same!, plain })
    work.progress.step(`${engine}, ${what}: ${(mine! / same!).toFixed(2)} x`)
  }
  return {
    figures: rows.flatMap(({ what, ours, same, plain }) => [
      figure(`${engine}, ${what}: of the same terms by hand`, ours / same, 'x', what.startsWith('upkeep') ? null : most),
      ...(plain === undefined ? [] : [figure(`${engine}, ${what}: of plain words by hand`, ours / plain, 'x')]),
    ]),
    table: {
      title: engine,
      columns: ['', 'ours', 'by hand, the same terms', 'by hand, plain words', 'ratio', 'ratio to plain'],
      rows: rows.map(({ what, ours, same, plain }) => [
        what,
        ...[ours, same, plain].map((time) => time?.toPrecision(3) ?? ''),
        (ours / same).toFixed(2),
        plain === undefined ? '' : (ours / plain).toFixed(2),
      ]),
    },
  }
}

interface Row {
  readonly what: string
  readonly ours: number
  readonly same: number
  /** Undefined where words play no part. */
  readonly plain: number | undefined
}

interface Three {
  readonly ours: number
  readonly same: number
  readonly plain: number
}

/** Writes everything, batch after batch, each batch beginning with another store. */
async function write(contest: Contest, work: Work): Promise<{ readonly put: Three; readonly maintain: Three }> {
  const { ours, bare, clock, engine } = contest
  const { documents, progress, children } = work
  const { identity } = openStaticModel()
  const puts = [
    async (batch: readonly BenchDocument[]): Promise<number> => {
      const receipts = await ours.put(
        batch.map(({ tree, metadata, vectors }) => ({
          tree,
          metadata,
          embeddings: [{ identity, vectors, contentKeys: tree.children.map(({ id }) => id) }],
        })),
      )
      return receipts.reduce((sum, receipt) => sum + receipt.children.added, 0)
    },
    (batch: readonly BenchDocument[]) => bare.get(sameTerms)!.put(batch),
    (batch: readonly BenchDocument[]) => bare.get(plainWords)!.put(batch),
  ]
  const spent = [0, 0, 0]
  for (let from = 0; from < documents.length; from += documentsAtOnce) {
    const batch = documents.slice(from, from + documentsAtOnce)
    const expected = batch.reduce((sum, { tree }) => sum + tree.children.length, 0)
    progress.step(`${engine}: writing`, from, documents.length)
    for (let turn = 0; turn < puts.length; turn++) {
      const which = (turn + from / documentsAtOnce) % puts.length
      collectGarbage()
      const before = clock()
      const added = await puts[which]!(batch)
      spent[which]! += clock() - before
      if (added !== expected) throw new Error(`${engine}: ${added} children of ${expected} were written`)
    }
  }
  const upkeep: number[] = []
  for (const maintain of [() => ours.maintain(), ...[...bare.values()].map((store) => () => store.maintain())]) {
    progress.step(`${engine}: upkeep`, upkeep.length, puts.length)
    const before = clock()
    await maintain()
    upkeep.push((clock() - before) / children)
  }
  const [mine, same, plain] = spent.map((time) => time / children)
  return {
    put: { ours: mine!, same: same!, plain: plain! },
    maintain: { ours: upkeep[0]!, same: upkeep[1]!, plain: upkeep[2]! },
  }
}

/** For each question the children that both fetch: those that its vector finds, in either store. */
async function addressesOf({ ours, bare }: Contest, { questions }: Work): Promise<Addresses> {
  const mine: (readonly ChildAddress[])[] = []
  const theirs = new Map<BareStore, (readonly number[])[]>([...bare.values()].map((store) => [store, []]))
  const { identity } = openStaticModel()
  for (const { vector } of questions) {
    const { children } = await ours.nominate({ vector: { identity, values: vector, limit: nearest } })
    mine.push(children.map(({ key, parent }) => ({ key, parent })))
    for (const [store, keys] of theirs) keys.push(await store.nearest(vector, nearest))
  }
  return { mine, theirs }
}

interface Addresses {
  readonly mine: readonly (readonly ChildAddress[])[]
  readonly theirs: ReadonlyMap<BareStore, readonly (readonly number[])[]>
}

type Ask = (question: Work['questions'][number], at: number) => Promise<number>

interface Reading {
  readonly what: string
  readonly isByWords: boolean
  /** How often all questions are asked in one round: the server's clock ticks a hundred times a second. */
  readonly times: number
  readonly ours: () => Promise<number>
  readonly theirs: (store: BareStore) => Promise<number>
}

function readings({ ours }: Contest, { questions, quick }: Work, { mine, theirs }: Addresses): readonly Reading[] {
  const { identity } = openStaticModel()
  const limits = { child: nominated, parent: 0, section: 0, document: 0 }
  const vectors = async (values: Float32Array, extra: { readonly where?: Filter }): Promise<number> =>
    (await ours.nominate({ vector: { identity, values, limit: nearest }, ...extra })).children.length
  const words = async (text: string, extra: { readonly where?: Filter }): Promise<number> =>
    (await ours.nominate({ terms: { terms: analyseQuery(text), limits }, ...extra })).children.length
  const sumOf = async (asked: Work['questions'], one: Ask): Promise<number> => {
    let sum = 0
    for (const [at, question] of asked.entries()) sum += await one(question, at)
    return sum
  }
  const each = (one: Ask): Promise<number> => sumOf(questions, one)
  const some = (one: Ask): Promise<number> => sumOf(questions.slice(0, askedByWords), one)
  return [
    {
      what: 'vector search',
      isByWords: false,
      times: 2,
      ours: () => each(({ vector }) => vectors(vector, {})),
      theirs: (store) => each(async ({ vector }) => (await store.nearest(vector, nearest)).length),
    },
    {
      what: 'lexical search',
      isByWords: true,
      times: 1,
      ours: () => some(({ text }) => words(text, {})),
      theirs: (store) => some(async ({ text }) => (await store.matching(text, nominated)).length),
    },
    {
      what: 'filtered vector search',
      isByWords: false,
      times: 2,
      ours: () => each(({ vector }) => vectors(vector, { where: filter })),
      theirs: (store) => each(async ({ vector }) => (await store.nearest(vector, nearest, where)).length),
    },
    {
      what: 'filtered lexical search',
      isByWords: true,
      times: 1,
      ours: () => some(({ text }) => words(text, { where: filter })),
      theirs: (store) => some(async ({ text }) => (await store.matching(text, nominated, where)).length),
    },
    {
      what: 'fetch by id',
      isByWords: false,
      times: quick ? 5 : 25,
      ours: () =>
        each(async (_, at) => {
          const { children } = await ours.children(mine[at]!)
          return children.reduce((sum, { parent, end, start }) => sum + parent.text.length + end - start, 0)
        }),
      theirs: (store) =>
        each(async (_, at) => {
          const children = await store.fetch(theirs.get(store)![at]!)
          return children.reduce((sum, { parent, end, start }) => sum + parent.text.length + end - start, 0)
        }),
    },
  ]
}
