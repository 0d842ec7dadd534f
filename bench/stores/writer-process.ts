import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { WriterJob } from './store-history.ts'

const script = fileURLToPath(new URL('../store-writer-case.ts', import.meta.url))

/** A process that writes to a store. */
export interface WriterProcess {
  readonly process: ChildProcess
  /** Resolves to its exit code, or null when it was killed. */
  readonly end: Promise<number | null>
}

export function startWriter(job: WriterJob): WriterProcess {
  const started = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(job)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { process: started, end: once(started, 'exit').then(([code]) => code as number | null) }
}
