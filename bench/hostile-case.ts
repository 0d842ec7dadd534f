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
  readonly rounds: number
  /** A tokenizer.json to count with, for the counter of that name. */
  readonly tokenizer: string | null
}

export interface HostileResult {
  /** The least CPU time of one cut at the size given, in milliseconds. */
  readonly small: number
  /** The same at eight times the size. */
  readonly large: number
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

/**
 * Times both sizes in turn. The small text is cut four times in a row and the large one once, so that neither is timed
 * on code that is better compiled, or in a quieter moment, than the other could have.
 */
export function work(job: HostileJob): HostileResult {
  const small = makeText(job.input, job.size)
  const large = makeText(job.input, job.size * 8)
  const counter = counters[job.counter]!(job.tokenizer)
  const limit = job.counter === 'characters' ? { size: 400, overlap: 80 } : { size: 256, overlap: 32 }
  const options = { ...limit, counter }
  const result = { small: time(1, () => cut(small, job.format, options)), large: Number.POSITIVE_INFINITY }
  for (let round = 0; round < job.rounds; round++) {
    result.small = Math.min(
      result.small,
      time(4, () => cut(small, job.format, options)),
    )
    result.large = Math.min(
      result.large,
      time(1, () => cut(large, job.format, options)),
    )
  }
  return result
}

function time(times: number, run: () => unknown): number {
  collectGarbage()
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
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
