/** Numbers from 0 up to 1 that look drawn by lot and are the same for the same seed, on every machine. */
export function seededRandom(seed: number): () => number {
  // A Weyl sequence through a mixer: every 32-bit state comes once before the first comes again.
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
}
