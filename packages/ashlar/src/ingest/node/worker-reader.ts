import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AshlarError } from '../../error/ashlar-error.ts'
import type { ThreadModel } from '../../model/embedder.ts'
import { chooseLoader } from '../choose-loader.ts'
import { currentLoaders, cutLoaded } from '../in-process-reader.ts'
import { defaultLoaders } from '../loaders.ts'
import type { ReadDocument, Reader, ReadInput, ThreadLate } from '../reader.ts'
import { type LoaderPool, type LoaderPoolOptions, loaderPool } from './loader-pool.ts'
import { unpackTree } from './packed-tree.ts'
import { unpackWindows } from './packed-windows.ts'
import { failureError } from './plain-failure.ts'
import type { ModelMessage, ReadRequest, ReadResponse } from './reader-message.ts'

/** How {@link workerReader} reads. */
export interface WorkerReaderOptions extends LoaderPoolOptions {
  /** Threads that read text and cut. @default one for each core but one, at least 1 and at most 8 */
  readonly threads?: number
}

/** A {@link Reader} with threads and processes of its own. */
export interface WorkerReader extends Reader, AsyncDisposable {
  /** Ends them; what is being read fails. */
  close(): Promise<void>
}

/**
 * Loads and cuts on all cores: text in threads of this process, other files in processes that can be stopped, as `loaderPool` has them.
 *
 * A counter of your own cannot be handed to a thread; with one, cutting happens where the reader is called.
 */
export function workerReader(options: WorkerReaderOptions = {}): WorkerReader {
  return new ThreadReader(options)
}

interface Thread {
  readonly worker: Worker
  readonly jobs: Map<number, Job>
  /** Numbers of the models it has. */
  readonly models: Set<number>
}

interface Job {
  readonly resolve: (document: ReadDocument) => void
  readonly reject: (error: unknown) => void
  readonly name: string
}

class ThreadReader implements WorkerReader {
  readonly concurrency: number
  readonly isCurrent: (loader: string) => boolean
  readonly #options: WorkerReaderOptions
  readonly #pool: LoaderPool
  readonly #threads: Thread[] = []
  readonly #most: number
  #requests = 0
  readonly #models = new WeakMap<() => ThreadModel, number>()
  #modelCount = 0
  #closed = false

  constructor(options: WorkerReaderOptions) {
    const { threads = Math.min(8, Math.max(1, availableParallelism() - 1)) } = options
    if (!Number.isInteger(threads) || threads < 1)
      throw new AshlarError('INVALID_OPTION', `threads must be a whole number of at least 1, not ${threads}.`, {
        details: { threads },
      })
    this.#options = options
    this.#most = threads
    this.#pool = loaderPool(options)
    this.concurrency = threads + 1
    const known = currentLoaders()
    // What the loaders of other modules are called is known to the processes alone.
    this.isCurrent = (loader) => known(loader) || (options.modules ?? []).length > 0
  }

  async read(input: ReadInput, signal?: AbortSignal): Promise<ReadDocument> {
    signal?.throwIfAborted()
    if (this.#closed) throw new AshlarError('INVALID_OPTION', 'The reader is closed.')
    const isText = (this.#options.modules ?? []).length === 0 && chooseLoader(input, defaultLoaders).loader.light === true
    const loaded = isText ? undefined : await this.#pool.load(input, signal === undefined ? {} : { signal })
    if (input.tree?.counter !== undefined) return cutLoaded(input, loaded ?? (await this.#pool.load(input)))
    return this.#ask(input, loaded)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#threads.map(({ worker }) => worker.terminate()), this.#pool.close()])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #ask(input: ReadInput, loaded: ReadRequest['loaded']): Promise<ReadDocument> {
    const thread = this.#leastBusy()
    const id = this.#requests++
    const { late: wanted, ...rest } = input
    const { bytes } = rest
    const late = wanted === undefined ? undefined : this.#lateIn(thread, wanted)
    // Bytes that are all of their buffer need not be copied: who read them has no use for them any more.
    const whole = bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength ? [bytes.buffer] : []
    return new Promise((resolve, reject) => {
      if (thread.jobs.size === 0) thread.worker.ref()
      thread.jobs.set(id, { resolve, reject, name: input.name })
      const request: ReadRequest = { id, input: rest, limits: this.#options.limits, loaded, late }
      thread.worker.postMessage(request, whole)
    })
  }

  /** What a thread needs to make windows; it is given each model once. */
  #lateIn(thread: Thread, { embedder, ...late }: ThreadLate): ReadRequest['late'] {
    const { forThread } = embedder
    const model = this.#models.get(forThread) ?? this.#modelCount++
    this.#models.set(forThread, model)
    if (!thread.models.has(model)) thread.worker.postMessage({ model, data: forThread() } satisfies ModelMessage)
    thread.models.add(model)
    return { ...late, model }
  }

  #leastBusy(): Thread {
    const [free] = this.#threads.toSorted((left, right) => left.jobs.size - right.jobs.size)
    if (free !== undefined && (free.jobs.size === 0 || this.#threads.length >= this.#most)) return free
    const entry = new URL(`./reader-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
    const worker = new Worker(entry, {
      name: 'ashlar reader',
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 2_000 },
    })
    const thread: Thread = { worker, jobs: new Map(), models: new Set() }
    worker.on('message', (response: ReadResponse) => this.#answered(thread, response))
    worker.on('error', (error) => this.#ended(thread, error.message))
    worker.on('exit', () => this.#ended(thread, 'the thread ended'))
    worker.unref()
    this.#threads.push(thread)
    return thread
  }

  #answered(thread: Thread, response: ReadResponse): void {
    const job = thread.jobs.get(response.id)
    thread.jobs.delete(response.id)
    // While it is being ended it holds the process: else that could end first, with whoever closed the reader still waiting.
    if (thread.jobs.size === 0 && !this.#closed) thread.worker.unref()
    if (job === undefined) return
    if ('tree' in response) {
      const { tree, hash, loaded, windows } = response
      job.resolve({ tree: unpackTree(tree), hash, loaded, ...(windows !== undefined && { windows: unpackWindows(windows) }) })
    } else job.reject(failureError(response.failure, 'LOADER_DIED'))
  }

  #ended(thread: Thread, why: string): void {
    const at = this.#threads.indexOf(thread)
    if (at >= 0) this.#threads.splice(at, 1)
    for (const { reject, name } of thread.jobs.values())
      reject(new AshlarError('LOADER_DIED', `${name} could not be read: ${why}.`, { details: { name } }))
    thread.jobs.clear()
  }
}
