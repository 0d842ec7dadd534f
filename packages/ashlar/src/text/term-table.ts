/** Numbers for terms, so that counting them needs no hashing. */
let numbers = new Map<string, number>()
let names: string[] = []
let counts: Uint32Array = new Uint32Array(4096)
/** Terms of the text that is being counted, in the order in which they were met. */
let met: Uint32Array = new Uint32Array(1024)

/** Above so many terms the next text starts another table: some 20 MB. */
const mostTerms = 200_000

/** Terms with their counts. A number is a place in `names`, which many analyses share; it only ever grows. */
export interface CountedTerms {
  readonly names: readonly string[]
  /** Each once. */
  readonly numbers: Uint32Array
  readonly counts: Uint32Array
}

/** The number of a term in {@link termNames}. */
export function termNumber(term: string): number {
  const known = numbers.get(term)
  if (known !== undefined) return known
  const number = names.length
  names.push(term)
  numbers.set(term, number)
  if (number < counts.length) return number
  counts = grown(counts)
  return number
}

/** The names of the terms that are numbered now. When it is another array, numbers from before mean nothing. */
export function termNames(): readonly string[] {
  return names
}

/** Counts the terms of one text; only one at a time, from its making to `done`. */
export class TermCounter {
  #length = 0

  constructor() {
    if (names.length < mostTerms) return
    // Who still has numbers of the old table has its names too.
    numbers = new Map()
    names = []
  }

  add(number: number): void {
    const count = counts[number] as number
    if (count === 0) {
      if (this.#length === met.length) met = grown(met)
      met[this.#length++] = number
    }
    counts[number] = count + 1
  }

  done(): CountedTerms {
    const found = met.slice(0, this.#length)
    const often = new Uint32Array(this.#length)
    for (let at = 0; at < found.length; at++) {
      const number = found[at] as number
      often[at] = counts[number] as number
      counts[number] = 0
    }
    return { names, numbers: found, counts: often }
  }
}

function grown(array: Uint32Array): Uint32Array {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
