import { AshlarError, isAshlarError } from '../error/ashlar-error.ts'
import { type CallEvent, type CallKind, tell, type WorkEvent } from './call-event.ts'
import { type Caller, createCaller } from './caller.ts'
import { memoryCache } from './memory-cache.ts'
import type { ModelCache } from './model-cache.ts'
import { asModelError } from './retry.ts'
import { addUsage, noUsage, type Price, type Usage } from './usage.ts'

/** A text, or a text with a name that its outcome will carry. */
export type TextItem = string | { readonly id?: string | undefined; readonly text: string }

/** What all work over many items can be told. */
export interface WorkOptions {
  /** Whose limits and budget apply. @default one of its own, with the defaults of `createCaller` */
  readonly caller?: Caller
  /** Where answers are looked up and kept. Every answer is in it before it comes out. @default 64 MiB in memory, for this run */
  readonly cache?: ModelCache
  /** What the model's tokens cost. @default the caller's price */
  readonly price?: Price
  readonly onEvent?: (event: WorkEvent) => void
  readonly signal?: AbortSignal
}

/** What is asked, and of which model. */
export interface Work<Given, Input, Value> {
  readonly kind: CallKind
  /** What is asked about an item, and the name that its outcome will carry. */
  readonly read: (given: Given) => Item<Input>
  /** Most items that one call may carry. */
  readonly maxBatch: number
  /** Most tokens that one call may carry. */
  readonly maxBatchTokens: number
  /** Most items that are read before the first of them is answered. */
  readonly readAhead: number
  /** Names an item by its content and the model; equal items are asked for once. */
  readonly keyOf: (input: Input) => string
  readonly estimate: (input: Input) => Usage
  readonly ask: (
    inputs: readonly Input[],
    signal: AbortSignal,
  ) => Promise<{ readonly values: readonly Value[]; readonly usage: Usage }>
  /** How values are kept; undefined where they are not. A value that cannot be decoded is asked for again. */
  readonly codec:
    | { readonly encode: (value: Value) => Uint8Array; readonly decode: (bytes: Uint8Array) => Value | undefined }
    | undefined
  /** Makes the call for an item when something else has happened before; `run` says whether the model answered. */
  readonly gate?: (input: Input, run: () => Promise<boolean>) => Promise<void>
}

interface Item<Input> {
  readonly id: string | undefined
  readonly input: Input
}

/** What became of one item. */
export type Outcome<Value> =
  | { readonly index: number; readonly id: string | undefined; readonly value: Value; readonly cached: boolean }
  | { readonly index: number; readonly id: string | undefined; readonly error: AshlarError }

/** Calls in a row that failed after all attempts, whatever they carried, before the rest is not tried any more. */
const patience = 3

/** The same for calls that were refused for what they carry, as long as none was ever answered. */
const patienceAtFirst = 64

/** How long a slow source may keep items waiting while no call is under way, in milliseconds. */
const linger = 100

/**
 * Asks a model about every item and gives what became of each, in the order of the items, every item exactly once.
 *
 * Reads only so far ahead as the outcomes are taken. Leaving the loop ends what is under way.
 */
export async function* askAll<Given, Input, Value>(
  source: Iterable<Given> | AsyncIterable<Given>,
  work: Work<Given, Input, Value>,
  options: WorkOptions,
): AsyncGenerator<Outcome<Value>, void, undefined> {
  options.signal?.throwIfAborted()
  const run = new Run(source, work, options)
  try {
    yield* run.outcomes()
  } finally {
    await run.end()
  }
}

/** An item as it was read. */
interface Read<Input> extends Item<Input> {
  readonly key: string
}

/** An item that was read and has not come out yet. */
interface Slot<Value> {
  readonly index: number
  readonly id: string | undefined
  outcome: Outcome<Value> | undefined
}

/** What one call will be asked about, for all items that are equal. */
interface Entry<Input, Value> {
  readonly key: string
  readonly input: Input
  readonly estimate: Usage
  readonly slots: Slot<Value>[]
}

class Run<Given, Input, Value> {
  readonly #source: AsyncIterator<Given> | Iterator<Given>
  readonly #work: Work<Given, Input, Value>
  readonly #options: WorkOptions
  readonly #caller: Caller
  readonly #cache: ModelCache
  readonly #controller = new AbortController()
  readonly #abort = (): void => this.#controller.abort(this.#options.signal?.reason)
  readonly #slots = new Map<number, Slot<Value>>()
  readonly #pending = new Map<string, Entry<Input, Value>>()
  readonly #tasks = new Set<Promise<void>>()
  #batch: Entry<Input, Value>[] = []
  #batchTokens = 0
  #counts = { read: 0, done: 0, cached: 0, failed: 0 }
  #reading = true
  #sourceError: { readonly error: unknown } | undefined
  #failuresInRow = 0
  #everAnswered = false
  #givenUp: AshlarError | undefined
  #wake: () => void = () => {}
  #wakeReader: () => void = () => {}

  constructor(source: Iterable<Given> | AsyncIterable<Given>, work: Work<Given, Input, Value>, options: WorkOptions) {
    this.#source = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
    this.#work = work
    this.#options = options
    this.#caller = options.caller ?? createCaller()
    this.#cache = options.cache ?? memoryCache()
    options.signal?.addEventListener('abort', this.#abort)
    this.#controller.signal.addEventListener('abort', () => {
      this.#wake()
      this.#wakeReader()
    })
  }

  async *outcomes(): AsyncGenerator<Outcome<Value>, void, undefined> {
    void this.#read()
    for (let index = 0; ; index++) {
      while (this.#slots.get(index)?.outcome === undefined) {
        this.#controller.signal.throwIfAborted()
        if (!this.#reading && index >= this.#counts.read) return this.#finish()
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
      const outcome = this.#slots.get(index)?.outcome
      this.#slots.delete(index)
      this.#wakeReader()
      if (outcome !== undefined) yield outcome
      this.#controller.signal.throwIfAborted()
    }
  }

  /** Ends calls under way and waits until answers that came in time are kept. */
  async end(): Promise<void> {
    this.#options.signal?.removeEventListener('abort', this.#abort)
    const unread = this.#reading
    this.#reading = false
    this.#controller.abort(new DOMException('The results are not wanted any more', 'AbortError'))
    // Not awaited: a source in the middle of a step gives its answer only after it.
    if (unread) void Promise.resolve(this.#source.return?.()).catch(() => {})
    await Promise.allSettled(this.#tasks)
  }

  #finish(): void {
    if (this.#sourceError !== undefined) throw this.#sourceError.error
  }

  async #read(): Promise<void> {
    try {
      for (let more = true; more && this.#reading; ) {
        const page: Read<Input>[] = []
        more = await this.#readPage(page)
        await this.#place(page)
        if (!more || !this.#hasRoom) this.#send()
        while (this.#reading && !this.#hasRoom && !this.#controller.signal.aborted)
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve
          })
        if (this.#controller.signal.aborted) return
      }
    } catch (error) {
      // A counter that throws, or a mistake of ours: items may be left that nothing will come out for.
      this.#controller.abort(error)
    } finally {
      this.#reading = false
      this.#wake()
    }
  }

  get #hasRoom(): boolean {
    return this.#slots.size < this.#work.readAhead
  }

  /** Reads as many items as a batch has, or as there is room for; says whether there may be more. */
  async #readPage(page: Read<Input>[]): Promise<boolean> {
    const most = Math.min(this.#work.maxBatch, this.#work.readAhead - this.#slots.size)
    try {
      while (page.length < most) {
        const step = this.#source.next()
        const { done, value } = step instanceof Promise ? await this.#waitFor(step, page) : await step
        if (done === true) return false
        const { id, input } = this.#work.read(value)
        page.push({ id, input, key: this.#work.keyOf(input) })
      }
      return true
    } catch (error) {
      // It comes out after what the source gave before.
      this.#sourceError = { error }
      return false
    }
  }

  /** Waits for the source. When it is slow and nothing else is under way, what was read so far is asked about meanwhile. */
  async #waitFor<Step>(step: Promise<Step>, page: Read<Input>[]): Promise<Step> {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, linger, 'late')
      })
      try {
        const first = await Promise.race([step, late])
        if (first !== 'late') return first
      } finally {
        clearTimeout(timer)
      }
      if (this.#tasks.size > 0) continue
      await this.#place(page.splice(0))
      this.#send()
    }
  }

  /** Gives each item what is known of it, and puts the rest into batches. */
  async #place(page: readonly Read<Input>[]): Promise<void> {
    if (page.length === 0) return
    const unknown: { readonly slot: Slot<Value>; readonly key: string; readonly input: Input }[] = []
    for (const { id, input, key } of page) {
      const slot: Slot<Value> = { index: this.#counts.read++, id, outcome: undefined }
      this.#slots.set(slot.index, slot)
      // Before the cache is asked: what is answered meanwhile would be missed otherwise.
      const pending = this.#pending.get(key)
      if (pending === undefined) unknown.push({ slot, key, input })
      else pending.slots.push(slot)
    }
    const known = await this.#lookUp(unknown.map(({ key }) => key))
    if (this.#controller.signal.aborted) return
    let hits = 0
    for (const [at, { slot, key, input }] of unknown.entries()) {
      const value = known[at]
      const pending = this.#pending.get(key)
      if (value !== undefined) {
        hits++
        this.#settle(slot, value, true)
      } else if (pending !== undefined) pending.slots.push(slot)
      else this.#add({ key, input, estimate: this.#work.estimate(input), slots: [slot] })
    }
    if (hits > 0) tell(this.#options.onEvent, { type: 'cache-hit', kind: this.#work.kind, items: hits })
    if (hits > 0) this.#progress()
  }

  async #lookUp(keys: readonly string[]): Promise<readonly (Value | undefined)[]> {
    const { codec } = this.#work
    if (codec === undefined || keys.length === 0) return []
    try {
      const values = await this.#cache.get(keys)
      return values.map((bytes) => (bytes === undefined ? undefined : codec.decode(bytes)))
    } catch (error) {
      tell(this.#options.onEvent, { type: 'cache-failed', kind: this.#work.kind, items: keys.length, error })
      return []
    }
  }

  #add(entry: Entry<Input, Value>): void {
    const tokens = entry.estimate.inputTokens + entry.estimate.outputTokens
    if (this.#batchTokens + tokens > this.#work.maxBatchTokens) this.#send()
    this.#pending.set(entry.key, entry)
    this.#batch.push(entry)
    this.#batchTokens += tokens
    if (this.#batch.length >= this.#work.maxBatch) this.#send()
  }

  /** Sends the batch as it is. */
  #send(): void {
    const batch = this.#batch
    const [first] = batch
    if (first === undefined) return
    this.#batch = []
    this.#batchTokens = 0
    const run = (): Promise<boolean> => this.#ask(batch)
    const { gate } = this.#work
    const task: Promise<void> = (gate === undefined ? run().then(() => {}) : gate(first.input, run))
      // What is left without an outcome was aborted, or meets a mistake of ours: it must not be lost.
      .catch((error) => {
        for (const entry of batch) this.#fail(entry, asModelError(error))
      })
      .finally(() => {
        this.#tasks.delete(task)
        this.#progress()
      })
    this.#tasks.add(task)
  }

  /** Asks about entries in one call, or in several where a failure may lie in one of them; says whether any was answered. */
  async #ask(entries: readonly Entry<Input, Value>[]): Promise<boolean> {
    if (this.#givenUp !== undefined) return this.#failAll(entries, this.#givenUp)
    let values: readonly Value[]
    try {
      values = await this.#call(entries)
    } catch (error) {
      if (this.#controller.signal.aborted) throw error
      return this.#recover(entries, asModelError(error))
    }
    this.#everAnswered = true
    this.#failuresInRow = 0
    for (const [at, entry] of entries.entries()) this.#answer(entry, values[at] as Value)
    return true
  }

  #call(entries: readonly Entry<Input, Value>[]): Promise<readonly Value[]> {
    const { kind, ask } = this.#work
    const { price, onEvent } = this.#options
    return this.#caller.call({
      kind,
      items: entries.length,
      estimate: entries.reduce((sum, { estimate }) => addUsage(sum, estimate), noUsage),
      price,
      signal: this.#controller.signal,
      refuse: () => this.#givenUp,
      onEvent: onEvent as ((event: CallEvent) => void) | undefined,
      run: async (signal) => {
        const inputs = entries.map(({ input }) => input)
        const { values, usage } = await ask(inputs, signal)
        return { value: values, usage }
      },
      keep: (values) => this.#keep(entries, values),
    })
  }

  async #recover(entries: readonly Entry<Input, Value>[], error: AshlarError): Promise<boolean> {
    const { code } = error
    if (code === 'BUDGET_SPENT') return this.#failAll(entries, error)
    if (this.#givenUp !== undefined) return this.#failAll(entries, error)
    const ofContent = liesInContent(error, this.#work.kind)
    this.#countFailure(error, ofContent)
    if (!ofContent || entries.length === 1 || this.#givenUp !== undefined) return this.#failAll(entries, error)
    tell(this.#options.onEvent, { type: 'batch-split', kind: this.#work.kind, items: entries.length, error })
    const index = code === 'TEXT_TOO_LONG' ? error.details['index'] : undefined
    const named = typeof index === 'number' ? entries[index] : undefined
    if (named !== undefined) {
      this.#fail(named, error)
      return this.#ask(entries.filter((entry) => entry !== named))
    }
    const half = entries.length >> 1
    const left = await this.#ask(entries.slice(0, half))
    const right = await this.#ask(entries.slice(half))
    return left || right
  }

  /** Gives up where the provider is away, or refuses everything: each further call would only cost time. */
  #countFailure(error: AshlarError, ofContent: boolean): void {
    if (error.code === 'TEXT_TOO_LONG') return
    if (ofContent && this.#everAnswered) return
    this.#failuresInRow++
    if (this.#failuresInRow < (ofContent ? patienceAtFirst : patience)) return
    this.#givenUp = new AshlarError(error.code, `Not tried after ${this.#failuresInRow} failures in a row: ${error.message}`, {
      details: error.details,
      cause: error.cause ?? error,
    })
  }

  /** Before anything else: what is paid for must not depend on what happens next. */
  async #keep(entries: readonly Entry<Input, Value>[], values: readonly Value[]): Promise<void> {
    const { codec, kind } = this.#work
    if (codec === undefined) return
    try {
      await this.#cache.set(entries.map(({ key }, at) => ({ key, value: codec.encode(values[at] as Value) })))
    } catch (error) {
      tell(this.#options.onEvent, { type: 'cache-failed', kind, items: entries.length, error })
    }
  }

  #answer(entry: Entry<Input, Value>, value: Value): void {
    this.#pending.delete(entry.key)
    for (const [at, slot] of entry.slots.entries()) this.#settle(slot, value, at > 0)
  }

  #settle(slot: Slot<Value>, value: Value, cached: boolean): void {
    slot.outcome = { index: slot.index, id: slot.id, value, cached }
    this.#counts.done++
    if (cached) this.#counts.cached++
    this.#wake()
  }

  #failAll(entries: readonly Entry<Input, Value>[], error: AshlarError): false {
    for (const entry of entries) this.#fail(entry, error)
    return false
  }

  #fail(entry: Entry<Input, Value>, error: AshlarError): void {
    this.#pending.delete(entry.key)
    for (const slot of entry.slots) {
      if (slot.outcome !== undefined) continue
      slot.outcome = { index: slot.index, id: slot.id, error: named(error, slot) }
      this.#counts.failed++
    }
    this.#wake()
  }

  #progress(): void {
    tell(this.#options.onEvent, { type: 'progress', kind: this.#work.kind, ...this.#counts })
  }
}

/** Whether a failure may lie in one text of a batch, so that the others deserve a call without it. */
function liesInContent({ code, details }: AshlarError, kind: CallKind): boolean {
  if (code === 'TEXT_TOO_LONG' || code === 'INVALID_RESPONSE' || code === 'REFUSED') return true
  const { status } = details
  // Some gateways answer 403 to prompts that their filters do not let through.
  return (
    code === 'MODEL_FAILED' && (status === 400 || status === 413 || status === 422 || (status === 403 && kind === 'generate'))
  )
}

/** How many items a call carries: what is asked for, at most what the model takes. */
export function batchSize(asked: number | undefined, ofModel: number, largest: number): number {
  if (asked !== undefined && !(Number.isInteger(asked) && asked >= 1))
    throw new AshlarError('INVALID_OPTION', `maxBatch must be a whole number of at least 1; got ${asked}`, {
      details: { maxBatch: asked },
    })
  return Math.max(1, Math.floor(Math.min(ofModel, asked ?? largest)))
}

/** The text of an item and its name. */
export function readText(item: TextItem): { readonly id: string | undefined; readonly input: string } {
  const { id, text } = typeof item === 'string' ? { id: undefined, text: item } : (item ?? {})
  if (typeof text !== 'string')
    throw new AshlarError('INVALID_OPTION', `An item must be a text or have one; got ${typeof text}`, { details: { id, text } })
  return { id, input: text }
}

/** The error of one item: it says which. */
function named(error: AshlarError, { index, id }: Slot<unknown>): AshlarError {
  const name = id === undefined ? `item ${index}` : `item ${index}, ${JSON.stringify(id)}`
  const details = { ...error.details, index, ...(id !== undefined && { id }) }
  return new AshlarError(error.code, `${error.message} (${name})`, { details, cause: error.cause ?? error })
}

/** An error for an answer that cannot be used; the usage is in it, so that it is paid for. */
export function unusable(message: string, usage: Usage): AshlarError {
  return new AshlarError('INVALID_RESPONSE', message, { details: { usage } })
}

/** Whether what a work gave is an error of its item. */
export function isFailure<Value>(outcome: Outcome<Value>): outcome is Extract<Outcome<Value>, { readonly error: AshlarError }> {
  return 'error' in outcome && isAshlarError(outcome.error)
}
