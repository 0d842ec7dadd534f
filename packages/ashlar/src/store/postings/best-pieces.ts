/** The best few of many by score, ties by the lower key. Each carries two numbers that say what it is. */
export class BestPieces {
  readonly #limit: number
  readonly #scores: number[] = []
  readonly #keys: number[] = []
  readonly #groups: number[] = []
  readonly #items: number[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** What a score must reach to be taken; a tie is decided by key. */
  get least(): number {
    return this.#limit === 0 ? Number.POSITIVE_INFINITY : this.#scores.length < this.#limit ? 0 : (this.#scores[0] as number)
  }

  offer(score: number, key: number, group: number, item: number): void {
    const size = this.#scores.length
    if (size < this.#limit) {
      this.#scores.push(score)
      this.#keys.push(key)
      this.#groups.push(group)
      this.#items.push(item)
      this.#rise(size)
    } else if (size > 0 && this.#worse(0, score, key)) {
      this.#put(0, score, key, group, item)
      this.#sink()
    }
  }

  *taken(): Generator<{ readonly group: number; readonly item: number }> {
    for (const [at, group] of this.#groups.entries()) yield { group, item: this.#items[at] as number }
  }

  /** Whether what stands at `at` is worse than this. The worst of all is at the top of the heap. */
  #worse(at: number, score: number, key: number): boolean {
    const known = this.#scores[at] as number
    return known < score || (known === score && (this.#keys[at] as number) > key)
  }

  #put(at: number, score: number, key: number, group: number, item: number): void {
    this.#scores[at] = score
    this.#keys[at] = key
    this.#groups[at] = group
    this.#items[at] = item
  }

  #swap(a: number, b: number): void {
    const score = this.#scores[a]!
    const key = this.#keys[a]!
    const group = this.#groups[a]!
    const item = this.#items[a]!
    this.#put(a, this.#scores[b]!, this.#keys[b]!, this.#groups[b]!, this.#items[b]!)
    this.#put(b, score, key, group, item)
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1
      if (!this.#worse(at, this.#scores[above]!, this.#keys[above]!)) return
      this.#swap(at, above)
      at = above
    }
  }

  #sink(): void {
    const size = this.#scores.length
    for (let at = 0; ; ) {
      let worst = at
      for (let below = 2 * at + 1; below <= 2 * at + 2; below++) {
        if (below < size && this.#worse(below, this.#scores[worst]!, this.#keys[worst]!)) worst = below
      }
      if (worst === at) return
      this.#swap(at, worst)
      at = worst
    }
  }
}
