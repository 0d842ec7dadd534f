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
  /** How much text is cut in a round of the timing, in code units, where the text is not longer. */
  readonly volume: number
}

export interface GrowthResult {
  readonly length: number
  readonly chunks: number
  /** CPU time of one cut, in milliseconds. */
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
  warmUp(text.slice(0, 300_000), cut, job.volume / 10_000)
  const { live, chunks } = watchLive(text, cut)
  return { length: text.length, chunks, cpu: time(text, cut, job.volume), live, resident }
}

/** Tables and compiled code that stay for good are not what a text costs, and a small text must not be timed on cold code. */
function warmUp(text: string, cut: (text: string) => Iterable<Chunk>, budget: number): void {
  const start = process.cpuUsage()
  while (process.cpuUsage(start).user < budget * 1000) for (const _ of cut(text));
}

/**
 * The least of three rounds. A small text is cut many times in a round, so that every size is timed over as much text:
 * otherwise a quiet moment of the machine would be found for the small sizes only.
 */
function time(text: string, cut: (text: string) => Iterable<Chunk>, volume: number): number {
  const times = Math.max(1, Math.round(volume / text.length))
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    collectGarbage()
    let sum = 0
    const before = process.cpuUsage()
    for (let i = 0; i < times; i++) for (const chunk of cut(text)) sum += chunk.text.length
    const { user, system } = process.cpuUsage(before)
    if (sum < (text.length * times) / 2) throw new Error(`chunks hold ${sum} of ${text.length} units`)
    least = Math.min(least, (user + system) / 1000 / times)
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
