/** The thread that loads and cuts for `workerReader`: started by its file name. */
import { parentPort } from 'node:worker_threads'
import { isAshlarError } from '../../error/ashlar-error.ts'
import { cutLoaded } from '../in-process-reader.ts'
import { load } from '../load.ts'
import { buffersOf, packTree } from './packed-tree.ts'
import type { ReadRequest, ReadResponse } from './reader-message.ts'

parentPort?.on('message', async ({ id, input, limits, loaded }: ReadRequest) => {
  try {
    const documents = loaded ?? (await load(input, limits === undefined ? {} : { limits }))
    const read = await cutLoaded(input, documents)
    const tree = packTree(read.tree)
    answer({ id, tree, hash: read.hash, loaded: read.loaded }, buffersOf(tree))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    answer({ id, failure: { code: isAshlarError(error) ? error.code : undefined, message, details: plainDetails(error) } }, [])
  }
})

function answer(response: ReadResponse, buffers: ArrayBuffer[]): void {
  parentPort?.postMessage(response, buffers)
}

/** Details that can travel. */
function plainDetails(error: unknown): Readonly<Record<string, unknown>> {
  const details = isAshlarError(error) ? error.details : {}
  return Object.fromEntries(Object.entries(details).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)))
}
