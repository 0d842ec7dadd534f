/**
 * CPU seconds of the fastest of several runs. What other programs do to the caches, the clock and the garbage collector only ever
 * adds time, so the fastest run says most about the code.
 */
export function fastest(run: () => void, times = 3): number {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < times; time++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1e6)
  }
  return least
}
