import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** How a job in another process ended. */
export type Outcome<T> =
  | { readonly type: 'done'; readonly value: T }
  | { readonly type: 'threw'; readonly message: string }
  | { readonly type: 'hung'; readonly seconds: number }
  | { readonly type: 'died'; readonly message: string }

/** A process that does jobs one after the other, is killed when one hangs, and is started again for the next. */
export interface Isolate<Job, Result> {
  run(job: Job, timeout: number): Promise<Outcome<Result>>
  close(): void
}

const door = fileURLToPath(new URL('./isolate-child.ts', import.meta.url))

/**
 * Opens a process that runs the function `work` of `module` for each job.
 *
 * A worker thread would share the heap limit and the CPU clock with the harness; a process shares nothing, so a crash or
 * an endless loop of one case is that case's result and nobody else's.
 */
export function openIsolate<Job, Result>(module: URL, options: { readonly fresh?: boolean } = {}): Isolate<Job, Result> {
  let child: ChildProcess | undefined

  function start(): ChildProcess {
    // What peers print (warnings, notices) is not a result and would mix with the progress line.
    // Node before 22.18 runs TypeScript only when asked to.
    const execArgv = process.features.typescript ? process.execArgv : [...process.execArgv, '--experimental-strip-types']
    return fork(door, [module.href], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced', execArgv })
  }

  function stop(): void {
    child?.removeAllListeners()
    child?.kill('SIGKILL')
    child = undefined
  }

  return {
    run(job, timeout) {
      child ??= start()
      const current = child
      return new Promise((resolve) => {
        const finish = (outcome: Outcome<Result>, keep: boolean): void => {
          clearTimeout(timer)
          current.removeAllListeners()
          if (!keep || options.fresh) stop()
          resolve(outcome)
        }
        const timer = setTimeout(() => finish({ type: 'hung', seconds: timeout / 1000 }, false), timeout)
        current.once('message', (answer: Outcome<Result>) => finish(answer, true))
        current.once('exit', (code, signal) => finish({ type: 'died', message: signal ?? `exit code ${code}` }, false))
        current.once('error', (error) => finish({ type: 'died', message: error.message }, false))
        current.send({ job })
      })
    },
    close: stop,
  }
}
