import { Worker } from 'node:worker_threads'
import { AshlarError } from '../../error/ashlar-error.ts'
import { tell } from '../../model/call-event.ts'
import type { IngestReceipt } from '../ingest-receipt.ts'
import type { MayRemove, RunIngestOptions } from '../run-ingest.ts'
import type { ThreadSource } from '../source.ts'
import type { IngestAnswer, IngestRequest, ThreadIngest } from './ingest-message.ts'
import { failureError } from './plain-failure.ts'

/** How long the thread waits for another run before it ends, in milliseconds. */
const idle = 3_000

/**
 * Megabytes of what is new in the thread's heap. Left to itself it would grow to a hundred and more: an ingest makes much that is short-lived,
 * and nothing of it is needed for longer than a batch.
 */
const young = 8

/**
 * Megabytes of everything else: several times what a run needs, unless a single file has more than some twenty megabytes of text. The lower the
 * limit, the smaller the steps in which V8 lets a heap grow. A thread that runs into it begins again, once, without any.
 */
const old = 400

interface Run extends Pick<RunIngestOptions, 'onEvent' | 'remove'> {
  readonly request: IngestRequest
  readonly resolve: (receipt: IngestReceipt) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs ingests into a SQLite file in a thread of their own, where everything that they need is data: this thread stays free for searches
 * meanwhile, and the memory of a run is bounded by the thread's own heap, whatever the heap of the process is allowed.
 */
export class ThreadedIngest implements AsyncDisposable {
  readonly #path: string
  readonly #ingest: () => ThreadIngest
  readonly #runs = new Map<number, Run>()
  #old: number | undefined
  #thread: { readonly worker: Worker; readonly end: Promise<void> } | undefined
  #count = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  /** `ingest` says what the thread needs to know, when it is first needed. */
  constructor(path: string, ingest: () => ThreadIngest, heap: number = old) {
    this.#path = path
    this.#ingest = ingest
    this.#old = heap
  }

  /** What `runIngest` does with the same source, store and model. */
  async run(source: ThreadSource, { remove = true, claim = true, onEvent, signal }: RunIngestOptions): Promise<IngestReceipt> {
    signal?.throwIfAborted()
    if (this.#isClosed) throw new AshlarError('STORE_CLOSED', `The store in ${this.#path} is closed.`)
    clearTimeout(this.#timer)
    const run = this.#count++
    const { promise, resolve, reject } = Promise.withResolvers<IngestReceipt>()
    const abort = (): void => this.#send({ abort: run })
    signal?.addEventListener('abort', abort, { once: true })
    const request = {
      ...{ run, source, claim },
      remove: typeof remove === 'function' ? ('ask' as const) : remove,
      isHeard: onEvent !== undefined,
    }
    this.#runs.set(run, { request, resolve, reject, remove, ...(onEvent !== undefined && { onEvent }) })
    this.#start().ref()
    this.#send(request)
    try {
      return await promise
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Ends the thread; what runs fails, and what it has stored stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await this.#stop()
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread.worker
    const entry = new URL(`./ingest-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)
    const worker = new Worker(entry, {
      name: 'ashlar ingest',
      workerData: this.#ingest(),
      resourceLimits: { maxYoungGenerationSizeMb: young, ...(this.#old !== undefined && { maxOldGenerationSizeMb: this.#old }) },
    })
    const { promise: end, resolve } = Promise.withResolvers<void>()
    let why = 'its thread ended'
    let isFull = false
    worker.on('message', (answer: IngestAnswer) => this.#answered(answer))
    worker.on('error', (error: Error & { readonly code?: string }) => {
      why = error.message
      isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    })
    worker.on('exit', () => {
      if (this.#thread?.worker === worker) this.#ended(why, isFull)
      resolve()
    })
    this.#thread = { worker, end }
    return worker
  }

  /** A thread that had too little memory begins again with more: what was stored is stored, and running again is how a run is resumed. */
  #ended(why: string, isFull: boolean): void {
    this.#thread = undefined
    if (isFull && this.#old !== undefined && this.#runs.size > 0 && !this.#isClosed) {
      this.#old = undefined
      this.#start()
      for (const { request } of this.#runs.values()) this.#send(request)
      return
    }
    for (const { reject } of this.#runs.values()) reject(new AshlarError('STORE_FAILED', `The ingest was interrupted: ${why}.`))
    this.#runs.clear()
  }

  #send(request: IngestRequest): void {
    this.#thread?.worker.postMessage(request)
  }

  #answered(answer: IngestAnswer): void {
    const run = this.#runs.get(answer.run)
    if (run === undefined) return
    if ('event' in answer) {
      if (run.onEvent !== undefined) tell(run.onEvent, answer.event)
      return
    }
    if ('asks' in answer) {
      void this.#decide(answer.run, run, answer.asks)
      return
    }
    this.#runs.delete(answer.run)
    if ('receipt' in answer) run.resolve(answer.receipt)
    else run.reject(failureError(answer.failure, 'STORE_FAILED'))
    if (this.#runs.size > 0 || this.#isClosed) return
    this.#thread?.worker.unref()
    this.#timer = setTimeout(() => void this.#stop(), idle)
    this.#timer.unref()
  }

  async #decide(number: number, { remove, reject }: Run, asked: Parameters<MayRemove>): Promise<void> {
    try {
      this.#send({ decided: number, mayRemove: typeof remove === 'function' ? await remove(...asked) : remove === true })
    } catch (error) {
      reject(error)
      this.#send({ abort: number })
    }
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#timer)
    const thread = this.#thread
    if (thread === undefined) return
    // While it is being ended it holds the process: else that could end first, with whoever closed it still waiting.
    if (this.#isClosed) thread.worker.ref()
    this.#send('close')
    this.#thread = this.#isClosed ? thread : undefined
    await thread.end
  }
}
