/** A queue between two stages that work at their own pace: who puts waits while it is full, who takes waits while it is empty. */
export class Channel<Item> {
  readonly #room: number
  readonly #weigh: (item: Item) => number
  readonly #items: Item[] = []
  #weight = 0
  #closed = false
  #failure: { readonly error: unknown } | undefined
  #wake: (() => void)[] = []

  /** It is full when the weights of what is in it reach `room`. */
  constructor(room: number, weigh: (item: Item) => number) {
    this.#room = room
    this.#weigh = weigh
  }

  async put(item: Item): Promise<void> {
    while (this.#weight >= this.#room && this.#failure === undefined) await this.#sleep()
    if (this.#failure !== undefined) throw this.#failure.error
    this.#items.push(item)
    this.#weight += this.#weigh(item)
    this.#wakeAll()
  }

  /** The next item; undefined when there will be none. With a time in milliseconds, `late` when it has passed first. */
  async take(): Promise<Item | undefined>
  async take(patience: number): Promise<Item | 'late' | undefined>
  async take(patience?: number): Promise<Item | 'late' | undefined> {
    const until = patience === undefined ? Number.POSITIVE_INFINITY : performance.now() + patience
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error
      const item = this.#items.shift()
      if (item !== undefined) {
        this.#weight -= this.#weigh(item)
        this.#wakeAll()
        return item
      }
      if (this.#closed) return undefined
      const left = until - performance.now()
      if (left <= 0) return 'late'
      await this.#sleep(left)
    }
  }

  /** No more items will be put. */
  close(): void {
    this.#closed = true
    this.#wakeAll()
  }

  /** Both sides get this error from now on; what is in it is dropped. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#items.length = 0
    this.#wakeAll()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let item = await this.take(); item !== undefined; item = await this.take()) yield item
  }

  #sleep(most = Number.POSITIVE_INFINITY): Promise<void> {
    return new Promise((resolve) => {
      const timer = most === Number.POSITIVE_INFINITY ? undefined : setTimeout(resolve, most)
      this.#wake.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #wakeAll(): void {
    const wake = this.#wake
    this.#wake = []
    for (const one of wake) one()
  }
}
