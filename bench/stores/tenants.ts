import type { Embedder } from 'ashlar/models'
import { postgresStore } from 'ashlar/postgres'
import type { Filter, NominationQuery, Store, StoredDocument } from 'ashlar/stores'
import type pg from 'pg'
import { sampleTree } from '../../packages/ashlar/src/testing/store-samples.ts'
import { openTestDatabase } from '../../packages/ashlar/test/store/postgres-database.ts'
import { type Bench, type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { openBeam } from '../inputs/beam.ts'
import { readChromaQuestions } from '../inputs/chroma-questions.ts'
import { englishText } from '../inputs/english-text.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'
import { between, openRandom, pick, type Random, shuffle } from '../inputs/random.ts'
import { openStaticModel, vectorsOf } from '../provider/static-model.ts'
import { type CeilingCost, indexCeiling } from './index-ceiling.ts'
import { cpuOfProcess } from './process-cpu.ts'

export const tenants: Bench = {
  summary: 'a hundred workspaces of 1 to 50,000 children in one PostgreSQL: every workspace finds its nearest, filters or not',
  run,
}

const seed = 20_261_115
const nearest = 10
/** Workspaces that are written beside each other. */
const lanes = 4
const fields = { part: 'number' } as const
/** Shares of a workspace's documents that filters leave. */
const shares = [1, 0.5, 0.1, 0.01] as const
/** Half precision is rounded here as the server rounds it; what is left are the last bits of sums. */
const tolerance = 2e-5

interface Tenant {
  readonly name: string
  readonly size: number
  /** All vectors behind each other, as the server keeps them. */
  readonly vectors: Float32Array
  /** For each vector the part that its document belongs to, from 0 to 99. */
  readonly parts: Uint8Array
  readonly queries: readonly Float32Array[]
}

/** What one workspace came to under one filter. */
interface Recall {
  readonly tenant: Tenant
  readonly share: number
  readonly recall: number
  readonly fewer: number
  readonly queries: number
}

/** CPU milliseconds of one query, ours and the server's. */
interface Cost {
  readonly tenant: Tenant
  readonly share: number
  readonly ours: number
  readonly servers: number
}

interface Phase {
  readonly recalls: readonly Recall[]
  readonly costs: readonly Cost[]
}

async function run({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const plan = quick
    ? { count: 16, most: 1_500, indexFrom: 1_000, queries: 4 }
    : { count: 100, most: 50_000, indexFrom: 10_000, queries: 10 }
  const random = openRandom(seed)
  const sizes = shuffle(
    random,
    Array.from({ length: plan.count }, (_, at) => Math.round(plan.most ** ((at / (plan.count - 1)) ** 3))),
  )
  const total = sizes.reduce((sum, size) => sum + size, 0)
  progress.step('reading')
  const source = readPassages(total, random)
  const database = await openTestDatabase()
  if (database === undefined) throw new Error('There is no PostgreSQL to measure')
  try {
    const pool = database.connect(database.url, { max: 1 })
    const admin = database.connect(database.adminUrl, { max: 1 })
    await admin.query(`alter system set maintenance_work_mem = '512MB'`)
    await admin.query('select pg_reload_conf()')
    const model = openStaticModel()
    const { identity } = model
    const open = (workspace: string): Promise<Store> => postgresStore(pool, { workspace, fields }, { indexFrom: plan.indexFrom })
    const all: Tenant[] = []
    const before = performance.now()
    const starts = sizes.map((_, at) => sizes.slice(0, at).reduce((sum, size) => sum + size, 0))
    const writers = database.connect(database.url, { max: lanes })
    let next = 0
    const lane = async (): Promise<void> => {
      for (let at = next++; at < sizes.length; at = next++) {
        progress.step('writing', starts[at], total)
        const start = starts[at] as number
        const filling = { model, queries: plan.queries, questions: source.questions, random: openRandom(seed + at) }
        const passages = source.passages.slice(start, start + (sizes[at] as number))
        const put = (workspace: string): Promise<Store> => postgresStore(writers, { workspace, fields })
        all[at] = await fill(put, `tenant ${at}`, passages, filling)
      }
    }
    // One first: it makes the tables.
    await (await open('nobody')).close()
    await Promise.all(Array.from({ length: lanes }, lane))
    const written = (performance.now() - before) / 1000
    const backend = Number((await pool.query('select pg_backend_pid() as pid')).rows[0]?.pid)
    const phase = (label: string): Promise<Phase> =>
      measure(all, { open, identity, backend, step: (done) => progress.step(label, done, all.length) })
    const unmaintained = await phase('searching before maintain')
    const large = all.filter(({ size }) => size >= plan.indexFrom)
    const start = performance.now()
    for (const [at, { name }] of [...large, ...all.filter(({ size }) => size < plan.indexFrom).slice(0, 3)].entries()) {
      progress.step('maintaining', at, large.length + 3)
      await using store = await open(name)
      await store.maintain()
    }
    const maintained = (performance.now() - start) / 1000
    const promoted = await indexCount(admin)
    const after = await phase('searching after maintain')
    const scans = await indexScans(admin)
    progress.step('looking at many indexes')
    const ceiling = await (quick ? indexCeiling(pool, [0, 20], 20) : indexCeiling(pool, [0, 100, 1_000], 300))
    progress.step('one index for all, by hand')
    const global = await globalIndex(admin, all, identity.dimensions ?? 0)
    return judge({
      all,
      total,
      source: source.note,
      unmaintained,
      after,
      global,
      ceiling,
      promoted,
      scans,
      large: large.length,
      written,
      maintained,
      indexFrom: plan.indexFrom,
    })
  } finally {
    await database[Symbol.asyncDispose]()
  }
}

interface Filling {
  readonly model: Embedder
  readonly queries: number
  readonly questions: readonly string[]
  readonly random: Random
}

/** Puts a workspace: documents of 1 to 40 passages, a passage a child. */
async function fill(
  open: (workspace: string) => Promise<Store>,
  name: string,
  passages: readonly string[],
  { model, queries, questions, random }: Filling,
): Promise<Tenant> {
  await using store = await open(name)
  const { identity } = model
  const dimensions = identity.dimensions ?? 0
  const vectors = new Float32Array(passages.length * dimensions)
  const parts = new Uint8Array(passages.length)
  const embedded = await vectorsOf(passages, model)
  let documents: StoredDocument[] = []
  // Which part the first document belongs to differs, so that small workspaces have some in each.
  let number = between(random, 0, 99)
  for (let first = 0; first < passages.length; ) {
    const after = Math.min(passages.length, first + between(random, 1, 40))
    const part = number++ % 100
    const tree = sampleTree(`document ${first}`, passages.slice(first, after).join('\n'))
    const own = embedded.slice(first, after)
    documents.push({
      tree,
      metadata: { part },
      embeddings: [{ identity, vectors: own, contentKeys: tree.children.map(({ id }) => id) }],
    })
    for (const [at, vector] of own.entries()) vectors.set(vector.map(toHalf), (first + at) * dimensions)
    parts.fill(part, first, after)
    first = after
    if (documents.length === 200 || first >= passages.length) {
      await store.put(documents)
      documents = []
    }
  }
  const asked = Array.from({ length: queries }, (_, at) =>
    at % 2 === 0 ? pick(random, questions) : worn(pick(random, passages), random),
  )
  return {
    name,
    size: passages.length,
    vectors,
    parts,
    queries: (await vectorsOf(asked, model)).map((vector) => vector.map(toHalf)),
  }
}

/** A passage with a third of its words left out: near its source, and not the same. */
function worn(passage: string, random: Random): string {
  const words = passage.split(' ').filter(() => random() > 1 / 3)
  return words.length === 0 ? passage : words.join(' ')
}

/** The nearest number of half precision. */
function toHalf(value: number): number {
  const size = Math.abs(value)
  const step = size < 2 ** -14 ? 2 ** -24 : 2 ** (Math.floor(Math.log2(size)) - 10)
  return Math.round(value / step) * step
}

interface Measuring {
  readonly open: (workspace: string) => Promise<Store>
  readonly identity: ReturnType<typeof openStaticModel>['identity']
  readonly backend: number
  readonly step: (done: number) => void
}

/** Asks every workspace every query under every filter, and compares with all of its vectors. */
async function measure(all: readonly Tenant[], { open, identity, backend, step }: Measuring): Promise<Phase> {
  const recalls: Recall[] = []
  const costs: Cost[] = []
  for (const [at, tenant] of all.entries()) {
    step(at)
    await using store = await open(tenant.name)
    const ask = async (values: Float32Array, share: number): Promise<readonly number[]> => {
      const query: NominationQuery = { vector: { identity, values, limit: nearest } }
      const { children } = await store.nominate(share === 1 ? query : { ...query, where: partsBelow(share) })
      return children.map(({ cosine = Number.NaN }) => cosine)
    }
    await ask(tenant.queries[0] as Float32Array, 1)
    for (const share of shares) {
      const answers: (readonly number[])[] = []
      const ours = process.cpuUsage()
      const servers = cpuOfProcess(backend)
      for (const values of tenant.queries) answers.push(await ask(values, share))
      const { user, system } = process.cpuUsage(ours)
      costs.push({
        tenant,
        share,
        ours: (user + system) / 1000 / answers.length,
        servers: (cpuOfProcess(backend) - servers) / answers.length,
      })
      const found = answers.map((cosines, query) =>
        recallOf(cosines, exactCosines(tenant, tenant.queries[query] as Float32Array, share)),
      )
      recalls.push({
        tenant,
        share,
        recall: mean(found.map(({ recall }) => recall)),
        fewer: found.filter(({ fewer }) => fewer).length,
        queries: found.length,
      })
    }
  }
  return { recalls, costs }
}

function partsBelow(share: number): Filter {
  return { op: 'range', field: 'part', lt: 100 * share }
}

/** Cosines of the nearest among those that a filter leaves, the highest first. */
function exactCosines({ vectors, parts }: Tenant, query: Float32Array, share: number): readonly number[] {
  const cosines: number[] = []
  for (let at = 0; at < parts.length; at++) {
    if ((parts[at] as number) >= 100 * share) continue
    let sum = 0
    for (let place = 0, start = at * query.length; place < query.length; place++)
      sum += (query[place] as number) * (vectors[start + place] as number)
    cosines.push(sum)
  }
  return cosines.sort((one, other) => other - one).slice(0, nearest)
}

/** Cosines are compared and not keys: equal texts have equal ones. */
function recallOf(found: readonly number[], exact: readonly number[]): { readonly recall: number; readonly fewer: boolean } {
  const least = exact.at(-1)
  if (least === undefined) return { recall: 1, fewer: false }
  const right = found.filter((cosine) => cosine >= least - tolerance).length
  return { recall: Math.min(right, exact.length) / exact.length, fewer: found.length < exact.length }
}

/** The server tells what a connection did a second after, when the connection is used again or closed. */
async function indexScans(admin: pg.Pool): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const { rows } = await admin.query(
    `select coalesce(sum(idx_scan), 0) as scans from pg_stat_user_indexes where indexrelname like 'child\\_vector\\_near\\_%'`,
  )
  return Number(rows[0]?.scans)
}

async function indexCount(admin: pg.Pool): Promise<number> {
  const { rows } = await admin.query(
    `select count(*) as count from pg_indexes where schemaname = 'ashlar' and indexdef like '%hnsw%'`,
  )
  return Number(rows[0]?.count)
}

/** What many write by hand: one HNSW index over all workspaces, and a condition on the workspace. The planner does as it likes. */
async function globalIndex(admin: pg.Pool, all: readonly Tenant[], dimensions: number): Promise<readonly Recall[]> {
  await admin.query(`create table by_hand as
    select child_vector.workspace, child, vector::halfvec(${dimensions}) as vector, (metadata ->> 'part')::integer as part
    from ashlar.child_vector join ashlar.document on document.key = child_vector.document`)
  await admin.query('create index on by_hand using hnsw (vector halfvec_ip_ops)')
  await admin.query('create index on by_hand (workspace)')
  await admin.query('analyze by_hand')
  const recalls: Recall[] = []
  for (const tenant of all) {
    for (const share of shares) {
      const found: ReturnType<typeof recallOf>[] = []
      for (const query of tenant.queries) {
        const { rows } = await admin.query(
          `select -(vector <#> $1::halfvec) as cosine from by_hand where workspace = $2 and part < $3 order by vector <#> $1::halfvec limit ${nearest}`,
          [`[${query.join()}]`, tenant.name, 100 * share],
        )
        found.push(
          recallOf(
            rows.map(({ cosine }) => Number(cosine)),
            exactCosines(tenant, query, share),
          ),
        )
      }
      recalls.push({
        tenant,
        share,
        recall: mean(found.map(({ recall }) => recall)),
        fewer: found.filter(({ fewer }) => fewer).length,
        queries: found.length,
      })
    }
  }
  return recalls
}

interface Passages {
  readonly passages: readonly string[]
  readonly questions: readonly string[]
  readonly note: string
}

/** Lines of BEAM's conversations and of Chroma's corpora; where they are too few, halves of two lines from near each other. */
function readPassages(count: number, random: Random): Passages {
  const beam = openBeam()
  // Conversation by conversation, and no more of them than it takes.
  const found: string[] = []
  for (const messages of beam?.conversations() ?? []) {
    for (const { content } of messages) found.push(...passagesOf(content))
    if (found.length >= count) break
  }
  if (found.length < count) for (const { text } of readCorpora()) found.push(...passagesOf(text))
  const real = (found.length > 0 ? found : passagesOf(englishText(count * 200).text)).slice(0, count)
  const asked = [
    ...(beam?.questions('100K') ?? []).map(({ question }) => question),
    ...readChromaQuestions().map(({ text }) => text),
  ]
  const passages = [...real]
  while (passages.length < count) {
    const first = between(random, 0, real.length - 1)
    const second = Math.min(real.length - 1, first + between(random, 1, 20))
    passages.push(mixed(real[first] as string, real[second] as string))
  }
  const note =
    found.length > 0
      ? `Passages: ${real.length} lines of 20 to 300 characters from BEAM's conversations and Chroma's corpora, in their order, so that a workspace is about few things${passages.length > real.length ? `; ${passages.length - real.length} more, for which there was too little text, are the first half of one line and the second half of another that stands up to 20 lines behind it` : ''}. Queries: half of them questions of BEAM and Chroma, half passages of the workspace with a third of their words left out.`
      : 'The evaluation sets are not there: passages are made-up English prose.'
  return { passages, questions: asked.length > 0 ? asked : real.slice(0, 200).map((text) => worn(text, random)), note }
}

function passagesOf(text: string): readonly string[] {
  return text
    .toWellFormed()
    .replaceAll('\u0000', '\ufffd')
    .split(/\n+/)
    .flatMap((line) => line.trim().match(/.{40,299}(?:\s|$)/gu) ?? [])
    .map((line) => line.trim().replace(/^# /, ''))
    .filter((line) => line.length >= 20)
}

function mixed(first: string, second: string): string {
  const [head, tail] = [first.split(' '), second.split(' ')]
  return [...head.slice(0, Math.ceil(head.length / 2)), ...tail.slice(Math.ceil(tail.length / 2))].join(' ')
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}

interface Measured {
  readonly all: readonly Tenant[]
  readonly total: number
  readonly source: string
  readonly unmaintained: Phase
  readonly after: Phase
  readonly global: readonly Recall[]
  readonly ceiling: readonly CeilingCost[]
  readonly promoted: number
  /** How often an index of a large workspace was searched after maintain, and how many searches without a filter there were of those. */
  readonly scans: number
  readonly large: number
  readonly written: number
  readonly maintained: number
  readonly indexFrom: number
}

function judge(measured: Measured): BenchResult {
  const { all, total, source, unmaintained, after, global, ceiling, promoted, scans, large, written, maintained, indexFrom } =
    measured
  const phases = [
    ['before maintain', unmaintained],
    ['after maintain', after],
  ] as const
  const least = (recalls: readonly Recall[], share?: number): number =>
    Math.min(...recalls.filter((one) => share === undefined || one.share === share).map(({ recall }) => recall))
  const fewer = (recalls: readonly Recall[]): number => recalls.reduce((sum, one) => sum + one.fewer, 0)
  const queries = (recalls: readonly Recall[]): number => recalls.reduce((sum, one) => sum + one.queries, 0)
  const percent = (share: number): string => (share === 1 ? 'no filter' : `filter leaves ${100 * share} %`)
  return {
    figures: [
      figure('workspaces', all.length, 'workspaces'),
      figure('children', total, 'children'),
      figure('large workspaces with an index of their own after maintain', promoted, 'workspaces', `= ${large}`),
      figure(
        'searches of large workspaces that went through their index',
        scans,
        'searches',
        `>= ${all.filter(({ size }) => size >= indexFrom).reduce((sum, { queries }) => sum + queries.length, 0)}`,
      ),
      ...phases.flatMap(([label, { recalls }]) => [
        ...shares.map((share) =>
          figure(`${label}, ${percent(share)}: recall@${nearest} of the worst workspace`, least(recalls, share), '', '>= 0.97'),
        ),
        figure(`${label}: queries with fewer hits than exist`, fewer(recalls), 'queries', '= 0'),
      ]),
      figure(`one index for all, by hand: recall@${nearest} of the worst workspace`, least(global), ''),
      figure('one index for all, by hand: queries with fewer hits than exist', (100 * fewer(global)) / queries(global), '%'),
      ...ceiling.flatMap(({ indexes, query, put, planning }) => [
        figure(`${indexes} indexes of others: planning of a search`, planning, 'ms'),
        figure(`${indexes} indexes of others: CPU of the server for a search`, query, 'ms'),
        figure(`${indexes} indexes of others: CPU of the server for a document with 20 vectors`, put, 'ms'),
      ]),
      figure('writing', (1e6 * written) / total, 'µs a child'),
      figure('maintain of the large workspaces', maintained, 's'),
    ],
    table: [
      {
        title: `Recall@${nearest} of the worst workspace / mean / queries with fewer hits than exist`,
        columns: ['children', 'workspaces', '', ...shares.map(percent)],
        rows: bands(all).flatMap(({ label, tenants: some }) =>
          (
            [...phases.map(([name, { recalls }]) => [name, recalls] as const), ['one index for all', global] as const] as const
          ).map(([name, recalls]) => [
            label,
            some.length,
            name,
            ...shares.map((share) => {
              const own = recalls.filter((one) => one.share === share && some.includes(one.tenant))
              return `${least(own).toFixed(3)} / ${mean(own.map(({ recall }) => recall)).toFixed(3)} / ${fewer(own)}`
            }),
          ]),
        ),
      },
      {
        title: "CPU milliseconds of a query: ours + the server's",
        columns: ['children', 'workspaces', '', ...shares.map(percent)],
        rows: bands(all).flatMap(({ label, tenants: some }) =>
          phases.map(([name, { costs }]) => [
            label,
            some.length,
            name,
            ...shares.map((share) => {
              const own = costs.filter((one) => one.share === share && some.includes(one.tenant))
              return `${mean(own.map(({ ours }) => ours)).toFixed(1)} + ${mean(own.map(({ servers }) => servers)).toFixed(1)}`
            }),
          ]),
        ),
      },
    ],
    notes: [
      source,
      `Vectors: potion-base-8M, 256 dimensions, half precision. Exact cosines are worked out here over the same half-precision numbers; a hit is right when its cosine is that of the tenth or higher. Workspaces from ${indexFrom} children on get an index of their own by maintain (the default is 50,000). Documents have 1 to 40 passages and a part from 0 to 99, which filters ask for. Where nothing satisfies a filter, recall counts as 1.`,
      'One index for all, by hand: an HNSW index over a table of all workspaces, a condition on the workspace and on the part, default settings, one index on the workspace beside it; the planner chooses.',
    ],
  }
}

/** Workspaces by size. */
function bands(all: readonly Tenant[]): readonly { readonly label: string; readonly tenants: readonly Tenant[] }[] {
  const edges = [1, 10, 100, 1_000, 10_000, Number.POSITIVE_INFINITY]
  return edges.slice(0, -1).flatMap((least, at) => {
    const below = edges[at + 1] as number
    const some = all.filter(({ size }) => size >= least && size < below)
    return some.length === 0 ? [] : [{ label: `${least} to ${Math.max(...some.map(({ size }) => size))}`, tenants: some }]
  })
}
