import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Spent } from 'ashlar/models'

/** What the client process is told. */
export interface ClientJob {
  /** Holds the texts, the cache and what the client writes. */
  readonly folder: string
  readonly baseURL: string
  readonly dimensions: number
  readonly maxBatch: number
  readonly concurrency: number
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
  /** Milliseconds for one request. */
  readonly timeout: number
}

/** What the client process says at the end. */
export interface ClientReport {
  readonly spent: Spent
  readonly seconds: number
  /** How many texts came out with an error, and the first of their messages. */
  readonly failed: number
  readonly firstError: string | null
  /** Retries by the reason that was given for them. */
  readonly retries: Readonly<Record<string, number>>
}

/** Names of the files in the folder of a job. */
export const clientFiles = {
  job: 'job.json',
  texts: 'texts.json',
  cache: 'cache.db',
  /** The vectors of all texts in their order, zeros where there is none. */
  vectors: 'vectors.bin',
  /** The numbers of the texts that came out, in four bytes each, written as they come. */
  cameOut: 'came-out.bin',
  report: 'report.json',
} as const

const script = fileURLToPath(new URL('../provider-case.ts', import.meta.url))

/** Starts the process that embeds the texts of a folder. */
export function startClient(job: ClientJob): ChildProcess {
  writeFileSync(join(job.folder, clientFiles.job), JSON.stringify(job))
  writeFileSync(join(job.folder, clientFiles.cameOut), '')
  return spawn(process.execPath, ['--no-warnings', script, job.folder], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Waits until the client has ended; it may be killed on the way. */
export async function endOf(client: ChildProcess): Promise<'done' | 'killed'> {
  if (client.exitCode === null && client.signalCode === null) await once(client, 'exit')
  if (client.exitCode !== 0 && client.signalCode !== 'SIGKILL') throw new Error(`The client ended with ${client.exitCode}`)
  return client.signalCode === null ? 'done' : 'killed'
}

export function readReport(folder: string): ClientReport {
  return JSON.parse(readFileSync(join(folder, clientFiles.report), 'utf8'))
}

/** The vectors that the client wrote, one a text. */
export function readVectors(folder: string, dimensions: number): readonly Float32Array[] {
  const bytes = readFileSync(join(folder, clientFiles.vectors))
  const all = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return Array.from({ length: all.length / dimensions }, (_, at) => all.subarray(at * dimensions, (at + 1) * dimensions))
}

/** The numbers of the texts that came out, also of a client that was killed. */
export function readCameOut(folder: string): readonly number[] {
  const bytes = readFileSync(join(folder, clientFiles.cameOut))
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4))
}
