/** Finds the place of a child by its key: open addressing, since a map of a million keys would take ten times the memory. */
export class KeyPlaces {
  readonly #keys: Float64Array
  readonly #slots: Int32Array
  readonly #mask: number

  constructor(keys: Float64Array) {
    let slots = 8
    while (slots < keys.length * 2) slots *= 2
    this.#keys = keys
    this.#slots = new Int32Array(slots).fill(-1)
    this.#mask = slots - 1
    for (let place = 0; place < keys.length; place++) {
      let slot = this.#slot(keys[place] as number)
      while (this.#slots[slot] !== -1) slot = (slot + 1) & this.#mask
      this.#slots[slot] = place
    }
  }

  /** Memory that it takes besides the keys. */
  get size(): number {
    return this.#slots.byteLength
  }

  /** -1 when there is none. */
  placeOf(key: number): number {
    for (let slot = this.#slot(key); ; slot = (slot + 1) & this.#mask) {
      const place = this.#slots[slot] as number
      if (place === -1 || this.#keys[place] === key) return place
    }
  }

  #slot(key: number): number {
    const mixed = Math.imul((key % 0x1_0000_0000) ^ Math.floor(key / 0x1_0000_0000), 0x9e3779b1)
    return (mixed ^ (mixed >>> 15)) & this.#mask
  }
}
