/** What the hostile bench runs in a process of its own: one text through one format and one counter, timed. */
import { readFileSync } from 'node:fs'
import {
  anthropicTokens,
  approximateTokens,
  type Chunk,
  type ChunkOptions,
  type Counter,
  characters,
  chunk,
  chunkCsv,
  chunkJson,
  chunkJsonLines,
  chunkMarkdown,
  chunkText,
  geminiTokens,
  separators,
  words,
} from 'ashlar'
import { chunkHtml } from 'ashlar/html'
import { tokenizerCounter } from 'ashlar/tokenizer'
import { cl100k, o200k } from 'ashlar/tokens'
import { collectGarbage } from './harness/collect-garbage.ts'
import { hostileTexts } from './inputs/hostile-texts.ts'

export interface HostileJob {
  readonly format: string
  readonly counter: string
  readonly input: string
  readonly size: number
  /** How long to repeat, in milliseconds of CPU time; the least of all runs counts. */
  readonly budget: number
  /** A tokenizer.json to count with, for the counter of that name. */
  readonly tokenizer: string | null
}

export interface HostileResult {
  /** The least CPU time of one run, in milliseconds. */
  readonly cpu: number
  readonly chunks: number
}

/** Every format under its name. */
export const formats: Record<string, (text: string, options: ChunkOptions) => Iterable<Chunk>> = {
  plain: chunkText,
  markdown: chunkMarkdown,
  html: chunkHtml,
  csv: chunkCsv,
  json: chunkJson,
  jsonLines: chunkJsonLines,
  separators: (text, options) => chunk(text, { ...options, format: separators(['\n\n', '\n', '. ', ' ']) }),
}

const counters: Record<string, (tokenizer: string | null) => Counter> = {
  characters: () => characters,
  words: () => words,
  approximate: () => approximateTokens,
  anthropic: () => anthropicTokens,
  gemini: () => geminiTokens,
  cl100k: () => cl100k,
  o200k: () => o200k,
  'tokenizer.json': (file) => tokenizerCounter(readFileSync(file!, 'utf8')),
}

/** The names of all counters. */
export const counterNames: readonly string[] = Object.keys(counters)

const most = 200

export function work(job: HostileJob): HostileResult {
  const text = makeText(job.input, job.size)
  const counter = counters[job.counter]!(job.tokenizer)
  const limit = job.counter === 'characters' ? { size: 400, overlap: 80 } : { size: 256, overlap: 32 }
  const options = { ...limit, counter }
  let least = Number.POSITIVE_INFINITY
  let chunks = 0
  for (let spent = 0, runs = 0; runs < most && (spent < job.budget || runs === 0); runs++) {
    // A collection in the middle of a run of a few milliseconds would be most of what is measured.
    if (runs % 20 === 0) collectGarbage()
    const before = process.cpuUsage()
    chunks = cut(text, job.format, options)
    const { user, system } = process.cpuUsage(before)
    spent += (user + system) / 1000
    least = Math.min(least, (user + system) / 1000)
  }
  return { cpu: least, chunks }
}

/** The texts of the last input at both sizes: the formats follow each other on the same one. */
const made = new Map<string, string>()

function makeText(input: string, size: number): string {
  const key = `${input} ${size}`
  let text = made.get(key)
  if (text === undefined) {
    if (made.size > 1) made.clear()
    text = hostileTexts.find(({ name }) => name === input)!.make(size)
    made.set(key, text)
  }
  return text
}

function cut(text: string, format: string, options: ChunkOptions & { readonly size: number; readonly counter: Counter }): number {
  let chunks = 0
  for (const { text: piece, start, end } of formats[format]!(text, options)) {
    chunks++
    if (end - start !== piece.length || end <= start) throw new Error(`chunk [${start}, ${end}) holds ${piece.length} units`)
    if (options.counter.id === characters.id && piece.length > options.size)
      throw new Error(`chunk of ${piece.length}, over the limit`)
  }
  return chunks
}
