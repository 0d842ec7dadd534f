import { lstatSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { isMainThread, Worker } from 'node:worker_threads'
import { type FileAnswer, type FileRequest, fileWorker } from './file-worker.ts'

/** How long threads wait for more before they end, in milliseconds. */
const idle = 3_000

/** Beyond this the disk is the limit. */
const mostThreads = 4

interface Thread {
  readonly worker: Worker
  waiting: number
}

interface Waiting {
  readonly thread: Thread
  readonly resolve: (answers: FileAnswer['answers']) => void
  readonly reject: (error: unknown) => void
}

const threads: Thread[] = []
const waiting = new Map<number, Waiting>()
let requests = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Facts or hashes of files, looked up in threads that all of the process share. */
export function askFiles(work: FileRequest['work'], paths: readonly string[]): Promise<FileAnswer['answers']> {
  if (paths.length === 0) return Promise.resolve([])
  // Where nobody else waits for this thread, threads of their own would cost more than they save.
  if (work === 'stat' && !isMainThread) return Promise.resolve(paths.map(factsOf))
  clearTimeout(timer)
  const thread = leastBusy()
  const id = requests++
  return new Promise((resolve, reject) => {
    waiting.set(id, { thread, resolve, reject })
    thread.waiting++
    thread.worker.ref()
    thread.worker.postMessage({ id, work, paths } satisfies FileRequest)
  })
}

function factsOf(path: string): FileAnswer['answers'][number] {
  try {
    const { size, mtimeMs } = lstatSync(path)
    return [size, mtimeMs]
  } catch (error) {
    return { failure: (error as Error).message }
  }
}

function leastBusy(): Thread {
  const free = threads.toSorted((left, right) => left.waiting - right.waiting)[0]
  if (free !== undefined && (free.waiting === 0 || threads.length >= Math.min(mostThreads, availableParallelism()))) return free
  const worker = new Worker(`(${fileWorker.toString()})()`, {
    eval: true,
    name: 'ashlar files',
    // What it makes is small; a heap left to grow would hold more than all files together.
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 128 },
  })
  const thread: Thread = { worker, waiting: 0 }
  worker.on('message', (answer: FileAnswer) => answered(answer))
  worker.on('error', (error) => ended(thread, error))
  worker.on('exit', () => ended(thread, new Error('the thread that reads files ended')))
  worker.unref()
  threads.push(thread)
  return thread
}

function answered({ id, answers }: FileAnswer): void {
  const request = waiting.get(id)
  if (request === undefined) return
  waiting.delete(id)
  request.thread.waiting--
  if (request.thread.waiting === 0) request.thread.worker.unref()
  request.resolve(answers)
  if (waiting.size > 0) return
  clearTimeout(timer)
  timer = setTimeout(() => {
    for (const { worker } of threads.splice(0)) void worker.terminate()
  }, idle)
  timer.unref()
}

function ended(thread: Thread, error: unknown): void {
  const at = threads.indexOf(thread)
  if (at >= 0) threads.splice(at, 1)
  for (const [id, request] of waiting) {
    if (request.thread !== thread) continue
    waiting.delete(id)
    request.reject(error)
  }
}
