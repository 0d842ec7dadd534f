import type { AshlarError } from '../error/ashlar-error.ts'
import { tell, type WorkEvent } from '../model/call-event.ts'
import { addUsage, costOf, noUsage, type Price, type Usage } from '../model/usage.ts'
import { type Change, type ChangeCounts, type ChangeKind, noChanges } from './change.ts'
import type { IngestEvent, IngestProgress } from './ingest-event.ts'
import type { IngestReceipt, IngestTimes, ItemFailure } from './ingest-receipt.ts'
import { itemFailure } from './item-failure.ts'

/** Failures that a receipt has in full. */
const mostFailures = 1_000

/** Milliseconds between two events that say how far it is. */
const pause = 100

/** The rate is that of the last so many milliseconds, about. */
const memory = 10_000

type Stage = Exclude<keyof IngestTimes, 'total'>

/** Counts what a run does, and says so. */
export class Tally {
  readonly #onEvent: ((event: IngestEvent) => void) | undefined
  readonly #start = performance.now()
  readonly #counts: Record<ChangeKind, number> = { ...noChanges }
  readonly #failures: ItemFailure[] = []
  readonly #busy: Record<Stage, { running: number; since: number; sum: number }> = {
    list: idle(),
    read: idle(),
    enrich: idle(),
    embed: idle(),
    store: idle(),
  }
  #found = { items: 0, bytes: 0, all: false }
  #done = { items: 0, bytes: 0 }
  #sums = { written: 0, removed: 0, bytes: 0, children: 0, embedded: 0, reused: 0, windows: 0 }
  #usage: Usage = noUsage
  #money = 0
  #priced = false
  #told = 0
  #rate = { at: this.#start, items: 0, bytes: 0, itemsPerSecond: 0, bytesPerSecond: 0 }

  constructor(onEvent: ((event: IngestEvent) => void) | undefined) {
    this.#onEvent = onEvent
  }

  /** What was found so far. */
  get counts(): ChangeCounts {
    return this.#counts
  }

  found(change: Change): void {
    const { kind, id } = change
    this.#counts[kind]++
    this.#found.items++
    const { size = 0 } = ('item' in change ? change.item : undefined) ?? {}
    this.#found.bytes += size
    const from = kind === 'moved' ? change.from : undefined
    this.#tell({ type: 'found', id, change: kind, ...(from !== undefined && { from }) })
    if (kind === 'unchanged') this.#finish(size)
    if (kind === 'failed') this.#fail(id, change.error, change.item?.source, size)
  }

  foundAll(): void {
    this.#found.all = true
  }

  /** A document that was found and not stored. */
  failed(change: ChangeKind, id: string, error: AshlarError, source: string | undefined, bytes: number): void {
    this.#counts[change]--
    this.#counts.failed++
    this.#fail(id, error, source, bytes)
  }

  read(bytes: number, children: number): void {
    this.#sums.bytes += bytes
    this.#sums.children += children
  }

  embedded({
    embedded,
    reused,
    windows,
  }: {
    readonly embedded: number
    readonly reused: number
    readonly windows: number
  }): void {
    this.#sums.embedded += embedded
    this.#sums.reused += reused
    this.#sums.windows += windows
  }

  stored(event: Omit<Extract<IngestEvent, { readonly type: 'stored' }>, 'type'>, bytes: number): void {
    if (event.changed) this.#sums.written++
    this.#tell({ type: 'stored', ...event })
    this.#finish(bytes)
  }

  removed(id: string, rows: number): void {
    this.#sums.removed++
    this.#tell({ type: 'removed', id, rows })
    this.#finish(0)
  }

  spent(usage: Usage, price: Price | undefined): void {
    this.#usage = addUsage(this.#usage, usage)
    if (price === undefined) return
    this.#priced = true
    this.#money += costOf(usage, price)
  }

  /** Hears of calls to models: what they cost is counted here. */
  readonly heard =
    (price: Price | undefined): ((event: WorkEvent) => void) =>
    (event) => {
      if (event.type === 'call-answer') this.spent(event.usage, price)
      this.#tell({ type: 'model', event })
      this.#progress()
    }

  /** Does work that counts as time of a stage. */
  async during<Result>(stage: Stage, work: () => Promise<Result>): Promise<Result> {
    const end = this.begin(stage)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /** The same by hand: call what it gives when the work ends. */
  begin(stage: Stage): () => void {
    const busy = this.#busy[stage]
    if (busy.running++ === 0) busy.since = performance.now()
    return () => {
      if (--busy.running === 0) busy.sum += performance.now() - busy.since
    }
  }

  receipt(root: string | undefined): IngestReceipt {
    this.#progress(true)
    const { written, removed, bytes, children, embedded, reused, windows } = this.#sums
    const time = (stage: Stage): number => Math.round(this.#busy[stage].sum)
    return {
      root,
      counts: { ...this.#counts },
      written,
      removed,
      bytes,
      children: { all: children, embedded, reused },
      windows,
      usage: this.#usage,
      money: this.#priced ? this.#money : undefined,
      failures: this.#failures,
      times: {
        total: Math.round(performance.now() - this.#start),
        list: time('list'),
        read: time('read'),
        enrich: time('enrich'),
        embed: time('embed'),
        store: time('store'),
      },
    }
  }

  get failedItems(): number {
    return this.#counts.failed
  }

  #fail(id: string, error: AshlarError, source: string | undefined, bytes: number): void {
    const failure = itemFailure(id, error, source)
    if (this.#failures.length < mostFailures) this.#failures.push(failure)
    this.#tell({ type: 'failed', failure })
    this.#finish(bytes)
  }

  #finish(bytes: number): void {
    this.#done.items++
    this.#done.bytes += bytes
    this.#progress()
  }

  #tell(event: IngestEvent): void {
    if (this.#onEvent !== undefined) tell(this.#onEvent, event)
  }

  #progress(now = false): void {
    if (this.#onEvent === undefined) return
    const at = performance.now()
    if (!now && at - this.#told < pause) return
    this.#told = at
    this.#measure(at)
    this.#tell({ type: 'progress', ...this.#state(at) })
  }

  /** Rates forget gradually, so that a slow file is neither ignored nor remembered for ever. */
  #measure(at: number): void {
    const seconds = (at - this.#rate.at) / 1_000
    if (seconds < 0.05) return
    const { items, bytes } = this.#done
    const share = 1 - Math.exp((-seconds * 1_000) / Math.min(memory, Math.max(at - this.#start, 1)))
    const mix = (before: number, sum: number, last: number): number => before + share * ((sum - last) / seconds - before)
    this.#rate = {
      at,
      items,
      bytes,
      itemsPerSecond: mix(this.#rate.itemsPerSecond, items, this.#rate.items),
      bytesPerSecond: mix(this.#rate.bytesPerSecond, bytes, this.#rate.bytes),
    }
  }

  #state(at: number): IngestProgress {
    const { itemsPerSecond, bytesPerSecond } = this.#rate
    const left = { items: this.#found.items - this.#done.items, bytes: this.#found.bytes - this.#done.bytes }
    const byBytes = left.bytes > 0 && bytesPerSecond > 0 ? left.bytes / bytesPerSecond : undefined
    const byItems = itemsPerSecond > 0 ? left.items / itemsPerSecond : undefined
    return {
      found: { ...this.#found },
      done: { ...this.#done },
      embedded: this.#sums.embedded,
      reused: this.#sums.reused,
      failed: this.#counts.failed,
      milliseconds: Math.round(at - this.#start),
      itemsPerSecond,
      bytesPerSecond,
      secondsLeft: this.#found.all ? (byBytes ?? byItems) : undefined,
    }
  }
}

function idle(): { running: number; since: number; sum: number } {
  return { running: 0, since: 0, sum: 0 }
}
