/**
 * The process in which a `loaderPool` reads files: it is started by the pool and answers one file after the other. Its arguments are the
 * memory it may use, in megabytes, and modules with loaders of the user's own.
 */
import { Worker } from 'node:worker_threads'
import { isAshlarError } from '../../error/ashlar-error.ts'
import { load } from '../load.ts'
import type { Loader } from '../loader.ts'
import type { LoadRequest, LoadResponse } from './loader-message.ts'

const [, , megabytes, ...modules] = process.argv
const own = Promise.all(
  modules.map(async (module) => ((await import(module)) as { readonly loaders: readonly Loader[] }).loaders),
)

async function answer({ input, limits }: LoadRequest): Promise<LoadResponse> {
  try {
    return { documents: await load(input, { limits, loaders: (await own).flat() }) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { error: isAshlarError(error) ? { code: error.code, message, details: plain(error.details) } : { message } }
  }
}

/** Details without anything that cannot be sent. */
function plain(details: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(details)) as Readonly<Record<string, unknown>>
}

/**
 * Ends this process when it takes more memory than it may. The heap has a limit of its own, buffers have none; and a parser that is busy
 * lets no timer run, so a thread of its own looks.
 */
function watchMemory(most: number): void {
  const watch = `
    const { workerData: most } = require('node:worker_threads')
    setInterval(() => { if (process.memoryUsage.rss() > most) process.kill(process.pid, 'SIGKILL') }, 50)`
  new Worker(watch, { eval: true, workerData: most, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref()
}

watchMemory(Number(megabytes) * 2 ** 20)
process.on('message', (request: LoadRequest) => {
  answer(request).then((response) => process.send?.(response))
})
// The pool is gone.
process.on('disconnect', () => process.exit(0))
