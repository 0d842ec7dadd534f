/**
 * Tries the settings of the peers on the dev part of a set: `node evals/peers/sweep.ts <set> [--peer <name>] [--without <variant>] [--questions 300]`.
 *
 * Prints a table and writes `evals/peers/sweep/<set>.json`, from which `peers.ts` takes the best. What the file has is not tried again.
 * It needs the built library.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { processTime } from '../../bench/harness/interleave.ts'
import type { EvalCollection, EvalSet } from '../eval-set.ts'
import { type SetName, sets } from '../sets/sets.ts'
import { openPeerEmbedder, type PeerEmbedder } from './embed.ts'
import { families, peers } from './peers.ts'
import { type SweepFile, type SweepRow, sweepFile } from './sweep-file.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peer: { type: 'string', multiple: true },
    without: { type: 'string', multiple: true, default: [] },
    questions: { type: 'string', default: '300' },
  },
})
const name = positionals[0] as SetName
const set = sets[name]?.({ quick: false })
if (set === null || set === undefined) throw new Error(`There is no set ${name}, or not its files`)
const collections = devPart(set, Number(values.questions))
const questions = collections.reduce((sum, { questions }) => sum + questions.length, 0)
if (questions === 0) throw new Error(`${name} has no dev part: nothing is chosen on it`)

const path = sweepFile(name)
/** What is in the file by now: others may be trying other peers at the same time. */
const readRows = (): SweepFile['rows'] => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SweepFile).rows : {})
await using embedder = await openPeerEmbedder((count) => {
  if (count % 500 === 0) process.stderr.write(`${count} texts embedded\n`)
})
for (const system of systemsFor(collections, values.peer)) {
  if (values.without.includes(system.split('@')[1]!)) continue
  const row = readRows()[system] ?? (await tryOut(system, collections, embedder))
  const { scores, chunks, millisecondsAQuestion } = row
  const percent = scores.map((score) => (100 * score).toFixed(1)).join(' / ')
  const cut = `${chunks.made} chunks, ${chunks.altered} altered, ${chunks.lost} lost`
  console.log(`${system.padEnd(40)} ${percent}   ${cut}   ${millisecondsAQuestion.toFixed(1)} ms`)
  mkdirSync(new URL('.', path), { recursive: true })
  const file: SweepFile = { set: name, measures: set.measures, questions, rows: { ...readRows(), [system]: row } }
  writeFileSync(path, `${JSON.stringify(file, null, 1)}\n`)
}

/** Collections with dev questions only; where there are too many questions, every n-th of them. */
function devPart({ collections }: EvalSet, most: number): EvalCollection[] {
  const dev = collections
    .map((collection) => ({ ...collection, questions: collection.questions.filter(({ part }) => part === 'dev') }))
    .filter(({ questions }) => questions.length > 0)
  // Only SciFact has one collection of many: it alone is sampled, so that all conversations and meetings stay.
  if (dev.length > 1 || (dev[0]?.questions.length ?? 0) <= most) return dev
  const step = dev[0]!.questions.length / most
  return [{ ...dev[0]!, questions: Array.from({ length: most }, (_, at) => dev[0]!.questions[Math.floor(at * step)]!) }]
}

/** The variants that make a difference on a set: those for pieces and titles where it has them. */
function systemsFor(collections: readonly EvalCollection[], wanted: readonly string[] = Object.keys(families)): string[] {
  const documents = collections.flatMap(({ documents }) => documents)
  const hasPieces = documents.some(({ pieces }) => pieces !== undefined)
  const hasTitles = documents.some(({ title }) => title !== undefined)
  return wanted.flatMap((family) =>
    Object.entries(families[family]!.variants)
      .filter(([, { pieces, titles }]) => (!pieces || hasPieces) && (!titles || hasTitles))
      .map(([variant]) => `${family}@${variant}`),
  )
}

async function tryOut(system: string, collections: readonly EvalCollection[], { embed }: PeerEmbedder): Promise<SweepRow> {
  const peer = await peers[system]!(name)
  const sums: number[] = []
  const chunks = { made: 0, altered: 0, lost: 0 }
  let spent = 0
  for (const { documents, questions } of collections) {
    const opened = await peer.open(documents, embed)
    for (const key of ['made', 'altered', 'lost'] as const) chunks[key] += opened.chunks[key]
    for (const { text, judge } of questions) {
      const before = processTime()
      const found = await opened.search(text, set!.depth)
      spent += processTime() - before
      for (const [at, score] of judge(found).entries()) sums[at] = (sums[at] ?? 0) + score
    }
    await opened.close()
  }
  await peer.close?.()
  const round = (value: number): number => Number(value.toFixed(4))
  return {
    settings: peer.settings,
    scores: sums.map((sum) => round(sum / questions)),
    chunks,
    millisecondsAQuestion: round(spent / questions),
  }
}
