import type { Clock } from '../../src/model/clock.ts'

/** A clock that stands still until everything waits for it, and then goes to the next timer at once. */
export interface FakeClock extends Clock {
  /** Lets time pass until `work` is done. */
  drive<Value>(work: Promise<Value>): Promise<Value>
  sleep(wait: number): Promise<void>
}

export function fakeClock(): FakeClock {
  let now = 0
  let order = 0
  const timers = new Map<number, { readonly at: number; readonly ring: () => void }>()
  const timer: Clock['timer'] = (wait, ring) => {
    const id = order++
    timers.set(id, { at: now + Math.max(0, wait), ring })
    return () => timers.delete(id)
  }
  return {
    now: () => now,
    timer,
    sleep: (wait) => new Promise((resolve) => void timer(wait, resolve)),
    async drive(work) {
      let isDone = false
      const end = (): void => {
        isDone = true
      }
      work.then(end, end)
      for (;;) {
        // All promises that can settle without time passing have settled when an immediate runs.
        await new Promise(setImmediate)
        if (isDone) return work
        const [next] = [...timers].sort(([left, a], [right, b]) => a.at - b.at || left - right)
        if (next === undefined) throw new Error('Everything waits and no timer is set')
        timers.delete(next[0])
        now = Math.max(now, next[1].at)
        next[1].ring()
      }
    },
  }
}

/** Numbers in [0, 1), the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = (seed ^ 0x9e37_79b9) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 0x1_0000_0000
  }
}
