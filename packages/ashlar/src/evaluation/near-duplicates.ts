import { foldWord } from '../text/fold-word.ts'
import { words } from '../text/word.ts'

/** Numbers of a signature. Likeness is estimated to about a twentieth. */
const signatureLength = 64
/** Numbers of a signature that must all agree for two pieces to be compared, and how often that is tried. */
const bandLength = 4
const bands = signatureLength / bandLength
/** Words in a row that are compared as one. */
const shingleLength = 4
/** A shorter piece is like many others by chance. */
const fewestShingles = 5

/**
 * Finds pieces that say nearly the same, by MinHash: what is kept of a piece are 64 numbers (256 bytes), whatever its length, and pieces
 * are compared only where four of these agree in a row. A hundred thousand pieces take about 30 MB and some seconds.
 */
export class NearDuplicates {
  #signatures: Uint32Array<ArrayBuffer> = new Uint32Array(1024 * signatureLength)
  /** For each signature, the number that its piece was added under. */
  readonly #numbers: number[] = []

  /** Remembers a piece under a number of your own. */
  add(number: number, text: string): void {
    const shingles = shinglesOf(text)
    if (shingles.size < fewestShingles) return
    const at = this.#numbers.length * signatureLength
    if (at === this.#signatures.length) {
      const larger = new Uint32Array(2 * at)
      larger.set(this.#signatures)
      this.#signatures = larger
    }
    const signature = this.#signatures.subarray(at, at + signatureLength).fill(0xffffffff)
    for (const shingle of shingles) {
      for (let row = 0; row < signatureLength; row++) {
        const value = mixed(shingle, row)
        if (value < (signature[row] as number)) signature[row] = value
      }
    }
    this.#numbers.push(number)
  }

  /**
   * Groups of pieces that are alike, by their numbers, the largest first; each piece is in one group at most and like at least one other in
   * it. `likeness` is that of the two that are least alike among those compared.
   */
  groups(threshold: number): { readonly numbers: readonly number[]; readonly likeness: number }[] {
    const count = this.#numbers.length
    const leaders = Uint32Array.from({ length: count }, (_, at) => at)
    const likeness = new Float64Array(count).fill(1)
    const leaderOf = (at: number): number => {
      let leader = at
      while (leaders[leader] !== leader) {
        leaders[leader] = leaders[leaders[leader] as number] as number
        leader = leaders[leader] as number
      }
      return leader
    }
    for (let band = 0; band < bands; band++) {
      for (const [left, right] of this.#neighbours(band)) {
        const one = leaderOf(left)
        const other = leaderOf(right)
        if (one === other) continue
        const alike = this.#likeness(left, right)
        if (alike < threshold) continue
        const [kept, joined] = one < other ? [one, other] : [other, one]
        leaders[joined] = kept
        likeness[kept] = Math.min(likeness[kept] as number, likeness[joined] as number, alike)
      }
    }
    const members = Map.groupBy(
      Array.from({ length: count }, (_, at) => at),
      leaderOf,
    )
    return [...members]
      .filter(([, own]) => own.length > 1)
      .map(([leader, own]) => ({ numbers: own.map((at) => this.#numbers[at] as number), likeness: likeness[leader] as number }))
      .sort((left, right) => right.numbers.length - left.numbers.length)
  }

  /** Pairs that agree in a band: each with the one before it among those that do, so that many equal ones make few pairs. */
  *#neighbours(band: number): Generator<readonly [number, number], undefined> {
    const count = this.#numbers.length
    const keys = new Float64Array(count)
    for (let at = 0; at < count; at++) {
      let high = 0
      let low = 0
      for (let row = 0; row < bandLength; row++) {
        const value = this.#signatures[at * signatureLength + band * bandLength + row] as number
        high = Math.imul(high ^ value, 0x01000193)
        low = Math.imul(low ^ (value >>> 7) ^ (value << 9), 0x85ebca6b)
      }
      keys[at] = (high >>> 0) * 0x200000 + (low >>> 11)
    }
    const order = Uint32Array.from({ length: count }, (_, at) => at).sort(
      (left, right) => (keys[left] as number) - (keys[right] as number) || left - right,
    )
    for (let at = 1; at < count; at++) {
      const [one, other] = [order[at - 1] as number, order[at] as number]
      if (keys[one] === keys[other]) yield [one, other]
    }
  }

  /** The share of a signature that agrees: what two pieces have in common of all their shingles, estimated. */
  #likeness(left: number, right: number): number {
    let same = 0
    for (let row = 0; row < signatureLength; row++) {
      if (this.#signatures[left * signatureLength + row] === this.#signatures[right * signatureLength + row]) same++
    }
    return same / signatureLength
  }
}

function shinglesOf(text: string): ReadonlySet<number> {
  const hashes = Array.from(words(text), ({ start, end }) => hashOf(foldWord(text.slice(start, end))))
  const shingles = new Set<number>()
  for (let at = 0; at + shingleLength <= hashes.length; at++) {
    let hash = 0x811c9dc5
    for (let word = 0; word < shingleLength; word++)
      hash = Math.imul(hash ^ (hashes[at + word] as number), 0x01000193) ^ (hash >>> 15)
    shingles.add(hash >>> 0)
  }
  return shingles
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The place of a shingle in one of 64 orders of all shingles. */
function mixed(shingle: number, row: number): number {
  let value = Math.imul(shingle ^ Math.imul(row + 1, 0x9e3779b1), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}
