/** What the growth bench runs in a fresh process: one size of one kind of text, timed and then watched for memory. */
import { readFileSync } from 'node:fs'
import { type Chunk, chunkMarkdown, chunkText } from 'ashlar'
import { chunkHtml } from 'ashlar/html'
import { o200k } from 'ashlar/tokens'
import { collectGarbage } from './harness/collect-garbage.ts'

export interface GrowthJob {
  readonly kind: string
  /** The text, in UTF-16 with the low byte first: making it here would leave freed pages that hide the growth of the process. */
  readonly file: string
  /** How long to repeat the timed run, in milliseconds of CPU time; the least counts. */
  readonly budget: number
}

export interface GrowthResult {
  readonly length: number
  readonly chunks: number
  /** The least CPU time of one cut, in milliseconds. */
  readonly cpu: number
  /** The most that was alive at once beyond the input, in bytes: sampled after forced collections while chunks are dropped. */
  readonly live: number
  /** How much the process grew in its first cut, in bytes: live data, garbage not yet collected, tables and compiled code. */
  readonly resident: number
}

const samples = 40

const kinds: Record<string, (text: string) => Iterable<Chunk>> = {
  plain: (text) => chunkText(text, { size: 400, overlap: 80 }),
  markdown: (text) => chunkMarkdown(text, { size: 400, overlap: 80 }),
  html: (text) => chunkHtml(text, { size: 400, overlap: 80 }),
  o200k: (text) => chunkText(text, { size: 256, overlap: 0, counter: o200k }),
}

export function work(job: GrowthJob): GrowthResult {
  const cut = kinds[job.kind]!
  const text = readFileSync(job.file, 'utf16le')
  collectGarbage()
  const resident = watchResident(text, cut)
  warmUp(text.slice(0, 300_000), cut, job.budget * 4)
  const { live, chunks } = watchLive(text, cut)
  return { length: text.length, chunks, cpu: time(text, cut, job.budget), live, resident }
}

/** Tables and compiled code that stay for good are not what a text costs, and a small text must not be timed on cold code. */
function warmUp(text: string, cut: (text: string) => Iterable<Chunk>, budget: number): void {
  const start = process.cpuUsage()
  while (process.cpuUsage(start).user < budget * 1000) for (const _ of cut(text));
}

function time(text: string, cut: (text: string) => Iterable<Chunk>, budget: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let spent = 0, runs = 0; runs < 100 && (spent < budget || runs < 2); runs++) {
    if (runs % 10 === 0) collectGarbage()
    const before = process.cpuUsage()
    let sum = 0
    for (const chunk of cut(text)) sum += chunk.text.length
    const { user, system } = process.cpuUsage(before)
    if (sum < text.length / 2) throw new Error(`chunks hold ${sum} of ${text.length} units`)
    spent += (user + system) / 1000
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Chunks are dropped as they come, so whatever is alive beyond the start is the cutter's own. */
function watchLive(text: string, cut: (text: string) => Iterable<Chunk>): { live: number; chunks: number } {
  collectGarbage()
  const start = used()
  let live = 0
  let chunks = 0
  let next = 0
  for (const chunk of cut(text)) {
    chunks++
    if (chunk.end < next) continue
    next = chunk.end + text.length / samples
    collectGarbage()
    live = Math.max(live, used() - start)
  }
  return { live, chunks }
}

function watchResident(text: string, cut: (text: string) => Iterable<Chunk>): number {
  const start = process.memoryUsage.rss()
  let most = start
  let chunks = 0
  for (const _ of cut(text)) if (++chunks % 256 === 0) most = Math.max(most, process.memoryUsage.rss())
  return Math.max(most, process.memoryUsage.rss()) - start
}

function used(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
