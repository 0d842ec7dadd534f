import { existsSync, readFileSync } from 'node:fs'

/**
 * A line of a writer's log. Something is begun, then done: done only after the store has said so. Version 0 is a removal. Between them the
 * transactions that write begin, are about to commit and are over, where that can be seen.
 */
export type HistoryLine =
  | { readonly is: 'begun' | 'done'; readonly id: string; readonly version: number; readonly at: number }
  | { readonly is: 'open' | 'committing' | 'over'; readonly at: number }

/** Milliseconds of a clock that all processes of this machine share. */
export function historyTime(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000
}

/** What a writer's log says, also of one that was killed in the middle of a line. */
export function readHistory(log: string): readonly HistoryLine[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as HistoryLine)
}

/** Where a writer was when its log ended. */
export function phaseOf(
  history: readonly HistoryLine[],
): 'between operations' | 'under way' | 'in a transaction' | 'at a commit' {
  const last = history.at(-1)?.is
  if (last === 'open') return 'in a transaction'
  if (last === 'committing') return 'at a commit'
  return underWay(history).length > 0 ? 'under way' : 'between operations'
}

/** What was begun and not reported. */
export function underWay(history: readonly HistoryLine[]): readonly { readonly id: string; readonly version: number }[] {
  const open = new Map<string, { readonly id: string; readonly version: number }>()
  for (const line of history) {
    if (line.is === 'begun') open.set(line.id, line)
    else if (line.is === 'done') open.delete(line.id)
  }
  return [...open.values()]
}

/**
 * The versions that each document may have after what its writers logged: of each that was reported, unless another was begun after that
 * and reported too; and of those that were under way.
 */
export function possibleVersions(
  histories: readonly (readonly HistoryLine[])[],
  before: ReadonlyMap<string, number> = new Map(),
): ReadonlyMap<string, readonly number[]> {
  const writes = new Map<string, Write[]>()
  for (const [id, version] of before)
    writes.set(id, [{ version, begun: Number.NEGATIVE_INFINITY, done: Number.NEGATIVE_INFINITY }])
  for (const history of histories) {
    for (const line of history) {
      if (!('id' in line)) continue
      const own = writes.get(line.id) ?? [{ version: 0, begun: Number.NEGATIVE_INFINITY, done: Number.NEGATIVE_INFINITY }]
      writes.set(line.id, own)
      if (line.is === 'begun') own.push({ version: line.version, begun: line.at, done: Number.POSITIVE_INFINITY })
      else {
        const open = own.findLast(({ version, done }) => version === line.version && done === Number.POSITIVE_INFINITY)
        if (open !== undefined) open.done = line.at
      }
    }
  }
  return new Map(
    Array.from(writes, ([id, own]) => {
      const sure = own.filter(({ done }) => done < Number.POSITIVE_INFINITY)
      const last = own.filter(({ done }) => !sure.some(({ begun }) => begun > done))
      return [id, last.map(({ version }) => version)]
    }),
  )
}

interface Write {
  readonly version: number
  readonly begun: number
  done: number
}
