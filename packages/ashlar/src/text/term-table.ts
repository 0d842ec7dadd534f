/** Numbers for terms, so that counting them needs no hashing. */
const numbers = new Map<string, number>()
const names: string[] = []
let counts: Uint32Array = new Uint32Array(4096)
let starts = 0

/** Above so many terms the table starts afresh with the next text: some 20 MB. */
const mostTerms = 200_000

/** The number of a term, for as long as {@link tableStarts} stays the same. */
export function termNumber(term: string): number {
  const known = numbers.get(term)
  if (known !== undefined) return known
  const number = names.length
  names.push(term)
  numbers.set(term, number)
  if (number < counts.length) return number
  const larger = new Uint32Array(counts.length * 2)
  larger.set(counts)
  counts = larger
  return number
}

/** How often the table has started afresh: numbers from before mean nothing now. */
export function tableStarts(): number {
  return starts
}

/** Counts the terms of one text; only one at a time, from its making to `done`. */
export class TermCounter {
  readonly #met: number[] = []

  constructor() {
    if (names.length < mostTerms) return
    numbers.clear()
    names.length = 0
    starts++
  }

  add(number: number): void {
    const count = counts[number] as number
    if (count === 0) this.#met.push(number)
    counts[number] = count + 1
  }

  done(): { readonly terms: readonly string[]; readonly counts: readonly number[] } {
    const terms = this.#met.map((number) => names[number] as string)
    const found = this.#met.map((number) => counts[number] as number)
    for (const number of this.#met) counts[number] = 0
    return { terms, counts: found }
  }
}
