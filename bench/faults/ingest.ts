import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ingestFields } from 'ashlar/ingest'
import { sqliteStore } from 'ashlar/sqlite'
import { sqliteOrphans } from '../../packages/ashlar/test/store/sqlite-orphans.ts'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import type { SyncJob } from '../ingest/sync-process.ts'
import { between, openRandom, pick, type Random } from '../inputs/random.ts'
import { writeTextFolder } from '../inputs/text-folder.ts'

const seed = 20_261_115
const terms = { maxBatch: 16, concurrency: 4, dimensions: 32 }

/** Texts that the embedder was asked for, call by call. */
interface Call {
  readonly texts: readonly string[]
  /** How often the process had been killed before. */
  readonly kills: number
  answered: boolean
}

/** Kills a process that syncs a folder, again and again, while the folder is edited; then lets it finish and compares. */
export async function ingest({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const kills = quick ? 8 : 200
  const files = quick ? 30 : 120
  const random = openRandom(seed)
  const home = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  const folder = join(home, 'files')
  const calls: Call[] = []
  let killed = 0
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const texts = JSON.parse(body) as string[]
    const call: Call = { texts, kills: killed, answered: false }
    calls.push(call)
    await new Promise((resolve) => setTimeout(resolve, 2 + random() * 15))
    response.end(JSON.stringify(texts.map(vectorOf)), () => {
      call.answered = true
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const job = (name: string): SyncJob => ({ folder, home: join(home, name), url, stopFile: join(home, 'stop'), ...terms })
  try {
    writeTextFolder(folder, { files }, 3)
    tellApart(folder)
    mkdirSync(join(home, 'disturbed'))
    mkdirSync(join(home, 'undisturbed'))
    const folderEdits = openEdits(folder, random)
    const midway = { working: 0, edits: 0 }
    for (; killed < kills; killed++) {
      progress.step('killed', killed, kills)
      // Most kills meet work: some edits are made before, the others while the process runs.
      folderEdits.make(between(random, 2, 8))
      const child = start(job('disturbed'))
      const exited = once(child, 'exit')
      await Promise.race([once(child, 'message'), exited])
      const before = calls.length
      // Counted in calls and not in seconds alone, so that a busy machine does not move all kills to one end of the run.
      const wanted = random() < 0.3 ? 0 : before + between(random, 1, 8)
      const until = performance.now() + (wanted === 0 ? random() * 400 : 4_000)
      while (performance.now() < until && (wanted === 0 || calls.length < wanted)) {
        if (random() < 0.05) folderEdits.make(1)
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      await new Promise((resolve) => setTimeout(resolve, random() * 25))
      if (child.exitCode !== null) throw new Error(`The process ended by itself with ${child.exitCode}`)
      child.kill('SIGKILL')
      await exited
      // What was under way when the process died still reaches the server.
      await new Promise((resolve) => setTimeout(resolve, 30))
      if (calls.length > before) midway.working++
    }
    progress.step('the last run, and an undisturbed one')
    writeFileSync(join(home, 'stop'), '')
    await finish(start(job('disturbed')))
    const disturbedCalls = calls.length
    await finish(start(job('undisturbed')))
    const undisturbed = calls.slice(disturbedCalls)
    const left = await contents(join(home, 'disturbed'))
    const right = await contents(join(home, 'undisturbed'))
    const different = [...new Set([...left.keys(), ...right.keys()])].filter((id) => left.get(id) !== right.get(id))
    const onDisk = filesIn(folder)
    const orphans = sqliteOrphans(join(home, 'disturbed', 'store.db'))
    const repeated = repeatedCalls(calls.slice(0, disturbedCalls))
    const kept = await journalSize(join(home, 'disturbed', 'journal.db'))
    return {
      figures: [
        figure('kills', killed, 'kills'),
        figure('kills while the embedder was at work', midway.working, 'kills', `>= ${Math.ceil(kills / 4)}`),
        figure('edits, renames and deletions meanwhile', folderEdits.count, 'changes'),
        figure('documents that differ from an undisturbed run', different.length, 'documents', '= 0'),
        figure('files without a document, and documents without a file', symmetric(onDisk, [...left.keys()]), 'documents', '= 0'),
        figure('orphans', orphans.length, 'rows', '= 0'),
        figure(
          'duplicates: texts of one document stored twice',
          left.get('\u0000duplicates') === undefined ? 0 : 1,
          'documents',
          '= 0',
        ),
        figure(
          'batches lost by one kill: answered and asked for again by the next process, most',
          repeated.most,
          'batches',
          `<= ${terms.concurrency}`,
        ),
        figure('batches lost by all kills', repeated.sum, 'batches', `<= ${terms.concurrency * kills}`),
        figure('texts asked for beyond once each', repeated.texts, 'texts', `<= ${terms.concurrency * terms.maxBatch * kills}`),
        figure('texts beyond once each, share of all', (100 * repeated.texts) / (repeated.texts + repeated.distinct), '%'),
        figure('texts answered more than once without a kill between', repeated.withoutKill, 'texts', '= 0'),
        figure('texts embedded in all', calls.slice(0, disturbedCalls).flatMap(({ texts }) => texts).length, 'texts'),
        figure('texts of the undisturbed run', undisturbed.flatMap(({ texts }) => texts).length, 'texts'),
        figure('entries left in the journal', kept, 'entries'),
      ],
      table: {
        columns: ['what', 'count'],
        rows: [
          ['files at the end', onDisk.length],
          ...Object.entries(folderEdits.kinds),
          ['calls to the embedder', disturbedCalls],
          ['different documents', different.slice(0, 3).join(' ') || 'none'],
          ['orphans', orphans.slice(0, 3).join(' ') || 'none'],
        ],
      },
      notes: [
        `${files} files at first, seed ${seed}; batches of ${terms.maxBatch}, ${terms.concurrency} calls under way at most; SQLite store and journal. Each kill is SIGKILL to the process that syncs, a random number of calls and up to 25 ms after it has opened its store.`,
        'A batch is lost by a kill when a text of it had been answered to the process that was killed, and the next one asks for it again. All paragraphs and edits have words of their own. Texts asked for again for other reasons are those of files that were renamed and edited at once, or whose pieces came to be cut as they were before.',
      ],
    }
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Gives every few words a number of their own: a piece that stands in two files would be asked for twice with reason. */
function tellApart(folder: string): void {
  let number = 0
  for (const name of filesIn(folder)) {
    const paragraphs = readFileSync(join(folder, name), 'utf8').split('\n\n')
    const own = paragraphs.map((paragraph) => paragraph.replaceAll(/(?:\S+ ){5}/g, (words) => `${words}(${number++}) `))
    writeFileSync(join(folder, name), own.join('\n\n'))
  }
}

function start(job: SyncJob): ChildProcess {
  const script = fileURLToPath(new URL('../ingest/sync-process.ts', import.meta.url))
  return fork(script, [JSON.stringify(job)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], execArgv: ['--no-warnings'] })
}

async function finish(child: ChildProcess): Promise<void> {
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`The last run ended with ${code}`)
}

interface Edits {
  make(count: number): void
  readonly count: number
  readonly kinds: Readonly<Record<string, number>>
}

/** Changes of a folder: a paragraph revised, a file renamed or moved to another folder, a file deleted, a new one. */
function openEdits(folder: string, random: Random): Edits {
  const kinds = { revised: 0, renamed: 0, deleted: 0, written: 0 }
  let count = 0
  const one = (): void => {
    const paths = filesIn(folder)
    const path = join(folder, pick(random, paths))
    const chance = random()
    count++
    if (chance < 0.5) {
      kinds.revised++
      const paragraphs = readFileSync(path, 'utf8').split('\n\n')
      const at = between(random, 0, paragraphs.length - 1)
      paragraphs[at] = `Revised in change ${count}, the ${'abcdefghij'[count % 10]}th. ${paragraphs[at]}`
      // As editors do: written beside it, then put in its place.
      writeFileSync(`${folder}.next`, paragraphs.join('\n\n'))
      renameSync(`${folder}.next`, path)
    } else if (chance < 0.75) {
      kinds.renamed++
      const home = join(folder, `moved${between(random, 0, 5)}`)
      mkdirSync(home, { recursive: true })
      renameSync(path, join(home, `file${count}${path.slice(path.lastIndexOf('.'))}`))
    } else if (chance < 0.87 && paths.length > 20) {
      kinds.deleted++
      unlinkSync(path)
    } else {
      kinds.written++
      const text = Array.from({ length: 8 }, (_, at) => `Paragraph ${at} of change ${count}. ${sentence(random)}`).join('\n\n')
      writeFileSync(`${folder}.next`, `${text}\n`)
      renameSync(`${folder}.next`, join(folder, `new${count}.txt`))
    }
  }
  return {
    make(times) {
      for (let at = 0; at < times; at++) one()
    },
    get count() {
      return count
    },
    kinds,
  }
}

function sentence(random: Random): string {
  return `${Array.from({ length: 40 }, () => Math.floor(random() * 1e6).toString(36)).join(' ')}.`
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|txt)$/.test(name))
    .sort()
}

/** Each document as one hash of everything that is stored of it. */
async function contents(home: string): Promise<Map<string, string>> {
  await using store = await sqliteStore(join(home, 'store.db'), { workspace: 'faults', fields: ingestFields })
  const embedding = (await store.embeddings())[0]?.identity
  const documents = new Map<string, string>()
  let after: string | undefined
  do {
    const page = await store.list({ limit: 50, ...(after !== undefined && { after }) })
    const ids = page.items.map(({ id }) => id)
    for (const record of await store.get(ids, embedding === undefined ? {} : { embedding })) {
      if (record === undefined) continue
      const { tree, metadata, notes, embedding: kept } = record
      const vectors = kept?.vectors.map((vector) => (vector === undefined ? null : [...vector]))
      if (new Set(tree.children.map(({ id }) => id)).size < tree.children.length) documents.set('\u0000duplicates', record.id)
      documents.set(record.id, hash(JSON.stringify([tree, metadata, notes, kept?.contentKeys, vectors])))
    }
    after = page.next
  } while (after !== undefined)
  return documents
}

/** What was asked for more than once: by a kill, when the process before was answered with it; or else. */
function repeatedCalls(calls: readonly Call[]): {
  readonly most: number
  readonly sum: number
  readonly withoutKill: number
  readonly texts: number
  readonly distinct: number
} {
  const answered = new Map<string, Call>()
  const lost = new Set<Call>()
  let withoutKill = 0
  let again = 0
  for (const call of calls) {
    for (const text of call.texts) {
      const before = answered.get(text)
      if (before === undefined) continue
      again++
      if (before.kills === call.kills) withoutKill++
      // Counted by what was under way, not by how the next process groups it.
      if (before.kills === call.kills - 1) lost.add(before)
    }
    if (call.answered) for (const text of call.texts) answered.set(text, call)
  }
  const byKill = new Map<number, number>()
  for (const { kills } of lost) byKill.set(kills, (byKill.get(kills) ?? 0) + 1)
  return { most: Math.max(0, ...byKill.values()), sum: lost.size, withoutKill, texts: again, distinct: answered.size }
}

async function journalSize(path: string): Promise<number> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return Number(database.prepare('SELECT count(*) AS entries FROM entry').get()?.['entries'])
  } finally {
    database.close()
  }
}

function symmetric(left: readonly string[], right: readonly string[]): number {
  const others = new Set(right)
  const own = new Set(left)
  return left.filter((name) => !others.has(name)).length + right.filter((name) => !own.has(name)).length
}

/** A direction that only this text has. */
function vectorOf(text: string): number[] {
  const digest = createHash('sha256').update(text).digest()
  const numbers = Array.from({ length: terms.dimensions }, (_, at) => (digest[at % digest.length] as number) - 127.5)
  const length = Math.hypot(...numbers)
  return numbers.map((number) => Math.fround(number / length))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
