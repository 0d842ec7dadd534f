/** Time as the caller sees it, so that a test can bring its own. */
export interface Clock {
  /** Milliseconds since any fixed point; never goes back. */
  now(): number
  /** Runs `ring` once after `wait` milliseconds; what it gives cancels that. */
  timer(wait: number, ring: () => void): () => void
}

/** The longest wait that a timer of the platform takes; beyond it they ring at once. */
const longest = 0x7fff_ffff

/** The time of the machine, steady when its date is set. */
export const systemClock: Clock = {
  now: () => performance.now(),
  timer(wait, ring) {
    const id = setTimeout(ring, Math.min(Math.ceil(wait), longest))
    return () => clearTimeout(id)
  },
}
