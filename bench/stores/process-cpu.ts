import { readFileSync } from 'node:fs'

/** CPU milliseconds that a process has used, for what a server does is not in our own count; the system counts in hundredths of a second. */
export function cpuOfProcess(id: number): number {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
    return 10 * (Number(user) + Number(system))
  } catch {
    return Number.NaN
  }
}
