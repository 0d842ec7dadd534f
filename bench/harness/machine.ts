import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Facts about where and from what a result came, written beside the figures. */
export interface Machine {
  readonly node: string
  readonly v8: string
  readonly cpu: string
  readonly cores: number
  readonly platform: string
  readonly date: string
}

export function describeMachine(): Machine {
  const cores = cpus()
  return {
    node: process.version,
    v8: process.versions.v8,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    platform: `${process.platform} ${process.arch}`,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** The commit that was measured, with ` dirty` behind it when tracked files differ from it. */
export function describeCommit(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    // What the benches themselves write must not make the commit they measured look changed.
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!bench/results', ':!evals/results')
    return git('rev-parse', 'HEAD') + (changed === '' ? '' : ' dirty')
  } catch {
    return 'unknown'
  }
}
