import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { AshlarError, type AshlarErrorCode } from '../../error/ashlar-error.ts'
import { chooseLoader } from '../choose-loader.ts'
import { load } from '../load.ts'
import { tooLargeFile } from '../load-failure.ts'
import { defaultLoadLimits, type LoadedDocument, type LoadInput, type LoadLimits } from '../loader.ts'
import { defaultLoaders } from '../loaders.ts'
import type { LoadRequest, LoadResponse } from './loader-message.ts'

/** How a {@link LoaderPool} reads. */
export interface LoaderPoolOptions {
  /** How many files are read at once. @default as many as there are cores, at most 8 */
  readonly processes?: number
  /** How long one file may take. @default 60000 */
  readonly milliseconds?: number
  /** How much memory a process may use, in megabytes. @default 1024 */
  readonly megabytes?: number
  readonly limits?: Partial<LoadLimits>
  /** Modules that export `loaders`, a list of your own, by URL or package name: they are asked first. @default none */
  readonly modules?: readonly string[]
}

/** Reads files in processes of its own. */
export interface LoaderPool extends AsyncDisposable {
  /** As `load`, with the limits of the pool: a file that takes too long or too much fails alone. */
  load(input: LoadInput, options?: { readonly signal?: AbortSignal }): Promise<readonly LoadedDocument[]>
  /** Ends the processes; what is being read fails. */
  close(): Promise<void>
}

/**
 * A pool of processes that read files, so that one that hangs a parser or fills its memory can be stopped, and all cores are used.
 *
 * Processes and not threads, since memory that runs out in a thread takes the whole program with it. They are started when there is
 * something to read. One that had to be ended is replaced, and only its file fails, with `LOADER_TIMED_OUT` or `LOADER_DIED`. Files that are
 * text are read where the pool is called: that takes time and memory in proportion to their size, and sending them away would take longer.
 */
export function loaderPool(options: LoaderPoolOptions = {}): LoaderPool {
  return new ProcessPool(options)
}

interface Job {
  readonly input: LoadInput
  readonly signal: AbortSignal | undefined
  readonly resolve: (documents: readonly LoadedDocument[]) => void
  readonly reject: (error: unknown) => void
  readonly onAbort: () => void
}

interface Reader {
  readonly process: ChildProcess
  job: Job | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  /** How many files it has read. */
  read: number
}

/** A process is replaced after so many files, so that what parsers leave behind does not add up. */
const filesOfReader = 1000

class ProcessPool implements LoaderPool {
  readonly #readers = new Set<Reader>()
  readonly #waiting: Job[] = []
  readonly #most: number
  readonly #milliseconds: number
  readonly #megabytes: number
  readonly #limits: LoadLimits
  readonly #modules: readonly string[]
  #closed = false

  constructor(options: LoaderPoolOptions) {
    this.#most = positive('processes', options.processes ?? Math.min(8, availableParallelism()))
    this.#milliseconds = positive('milliseconds', options.milliseconds ?? 60_000)
    this.#megabytes = positive('megabytes', options.megabytes ?? 1024)
    this.#limits = { ...defaultLoadLimits, ...options.limits }
    this.#modules = options.modules ?? []
  }

  async load(input: LoadInput, options: { readonly signal?: AbortSignal } = {}): Promise<readonly LoadedDocument[]> {
    const { signal } = options
    // Loaders of modules are known to the processes alone.
    if (!this.#closed && this.#modules.length === 0 && isLight(input)) {
      return load(input, { limits: this.#limits, ...(signal === undefined ? {} : { signal }) })
    }
    return await new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      if (this.#closed) throw new AshlarError('INVALID_OPTION', 'The loader pool is closed.')
      if (input.bytes.length > this.#limits.bytes) throw tooLargeFile(input.name, 'bytes', this.#limits.bytes)
      const job: Job = { input, signal, resolve, reject, onAbort: () => this.#abort(job) }
      signal?.addEventListener('abort', job.onAbort, { once: true })
      this.#waiting.push(job)
      this.#next()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    const error = new AshlarError('LOADER_DIED', 'The loader pool was closed while the file was being read or waited.')
    for (const job of this.#waiting.splice(0)) this.#settle(job, () => job.reject(error))
    await Promise.all(
      [...this.#readers].map(async (reader) => {
        this.#fail(reader, error)
        const ended = reader.process.exitCode !== null || reader.process.signalCode !== null
        const end = ended ? undefined : new Promise((resolve) => reader.process.once('exit', resolve))
        // Waiting for it must keep the program alive, unlike the process itself.
        reader.process.ref()
        this.#end(reader)
        await end
      }),
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #next(): void {
    while (this.#waiting.length > 0 && !this.#closed) {
      let reader = [...this.#readers].find(({ job }) => job === undefined)
      if (reader === undefined && this.#readers.size < this.#most) reader = this.#start()
      if (reader === undefined) return
      this.#give(reader, this.#waiting.shift() as Job)
    }
  }

  #start(): Reader {
    // Beside this file, both in the source and in the built package.
    const entry = new URL(`./loader-process.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
    const child = fork(fileURLToPath(entry), [String(this.#megabytes), ...this.#modules], {
      serialization: 'advanced',
      // Heap beyond this ends the process; what is outside the heap is watched by the process itself.
      execArgv: [`--max-old-space-size=${Math.ceil(this.#megabytes * 0.75)}`],
      // What parsers print is nobody's business.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const reader: Reader = { process: child, job: undefined, timer: undefined, read: 0 }
    this.#readers.add(reader)
    child.on('message', (response) => this.#answer(reader, response as LoadResponse))
    child.on('error', (cause) => this.#died(reader, cause))
    child.on('exit', () => this.#died(reader, undefined))
    this.#letGo(reader)
    return reader
  }

  /** An idle process does not keep the program alive, nor does its channel. */
  #letGo(reader: Reader): void {
    reader.process.unref()
    reader.process.channel?.unref()
  }

  #give(reader: Reader, job: Job): void {
    reader.job = job
    reader.process.ref()
    reader.process.channel?.ref()
    reader.timer = setTimeout(() => this.#timeOut(reader), this.#milliseconds)
    // Callers may give more than that, such as functions, which no process can be sent.
    const { name, bytes, mediaType } = job.input
    const input = { name, bytes, ...(mediaType !== undefined && { mediaType }) }
    const request: LoadRequest = { input, limits: this.#limits }
    reader.process.send(request, (error) => {
      if (error !== null && reader.job === job) this.#died(reader, error)
    })
  }

  #answer(reader: Reader, response: LoadResponse): void {
    const { job } = reader
    if (job === undefined) return
    this.#free(reader)
    this.#settle(job, () => {
      if ('documents' in response) job.resolve(response.documents)
      else job.reject(revive(response.error))
    })
    reader.read++
    if (reader.read >= filesOfReader) this.#end(reader)
    this.#next()
  }

  #timeOut(reader: Reader): void {
    const name = reader.job?.input.name ?? ''
    const message = `Reading ${JSON.stringify(name.slice(-80)).toWellFormed()} took longer than ${this.#milliseconds} ms and was stopped.`
    this.#fail(reader, new AshlarError('LOADER_TIMED_OUT', message, { details: { name, milliseconds: this.#milliseconds } }))
    this.#end(reader)
    this.#next()
  }

  #died(reader: Reader, cause: Error | undefined): void {
    const name = reader.job?.input.name ?? ''
    const message = `${JSON.stringify(name.slice(-80)).toWellFormed()} ended the process that read it: it may need more than ${this.#megabytes} MB of memory.`
    this.#fail(reader, new AshlarError('LOADER_DIED', message, { details: { name, megabytes: this.#megabytes }, cause }))
    this.#end(reader)
    this.#next()
  }

  #abort(job: Job): void {
    const waiting = this.#waiting.indexOf(job)
    if (waiting >= 0) this.#waiting.splice(waiting, 1)
    const reader = [...this.#readers].find((each) => each.job === job)
    if (reader !== undefined) {
      this.#free(reader)
      this.#end(reader)
    }
    this.#settle(job, () => job.reject(job.signal?.reason))
    this.#next()
  }

  /** Takes a process out of use and ends it. */
  #end(reader: Reader): void {
    this.#readers.delete(reader)
    reader.process.kill('SIGKILL')
  }

  #fail(reader: Reader, error: unknown): void {
    const { job } = reader
    this.#free(reader)
    if (job !== undefined) this.#settle(job, () => job.reject(error))
  }

  #free(reader: Reader): void {
    clearTimeout(reader.timer)
    reader.job = undefined
    this.#letGo(reader)
  }

  #settle(job: Job, how: () => void): void {
    job.signal?.removeEventListener('abort', job.onAbort)
    how()
  }
}

/** Longer than this even what is light would hold up the program. */
const longestLight = 2 ** 22

function isLight(input: LoadInput): boolean {
  return input.bytes.length <= longestLight && chooseLoader(input, defaultLoaders).loader.light === true
}

function positive(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 1) return value
  throw new AshlarError('INVALID_OPTION', `${name} must be a number of at least 1, not ${value}.`, { details: { [name]: value } })
}

function revive(error: {
  readonly code?: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}): Error {
  if (error.code === undefined) return new AshlarError('LOADER_DIED', error.message)
  return new AshlarError(
    error.code as AshlarErrorCode,
    error.message,
    error.details === undefined ? {} : { details: error.details },
  )
}
