/** The thread that loads and cuts for `workerReader`: started by its file name. */
import { parentPort } from 'node:worker_threads'
import type { Embedder } from '../../model/embedder.ts'
import { staticEmbedder } from '../../model/static-embedder.ts'
import type { Tree } from '../../tree/tree.ts'
import { type EmbeddedWindow, embedLate } from '../../vector/embed-late.ts'
import { cutLoaded } from '../in-process-reader.ts'
import { load } from '../load.ts'
import { buffersOf, packTree } from './packed-tree.ts'
import { packWindows, windowBuffers } from './packed-windows.ts'
import { plainFailure } from './plain-failure.ts'
import type { ModelMessage, ReadRequest, ReadResponse } from './reader-message.ts'

const models = new Map<number, Embedder>()

parentPort?.on('message', (message: ReadRequest | ModelMessage) => {
  if ('data' in message) models.set(message.model, staticEmbedder(message.data))
  else void read(message)
})

async function read({ id, input, limits, loaded, late }: ReadRequest): Promise<void> {
  try {
    const documents = loaded ?? (await load(input, limits === undefined ? {} : { limits }))
    const cut = await cutLoaded(input, documents)
    const tree = packTree(cut.tree)
    const windows = late === undefined ? undefined : packWindows(await windowsOf(cut.tree, late))
    const buffers = [...buffersOf(tree), ...(windows === undefined ? [] : windowBuffers(windows))]
    answer({ id, tree, hash: cut.hash, loaded: cut.loaded, windows }, buffers)
  } catch (error) {
    answer({ id, failure: plainFailure(error) }, [])
  }
}

async function windowsOf(tree: Tree, { model, ...late }: NonNullable<ReadRequest['late']>): Promise<readonly EmbeddedWindow[]> {
  const windows: EmbeddedWindow[] = []
  const embedder = models.get(model) as Embedder
  for await (const window of embedLate(tree, { ...late, embedder, tooLong: 'split' })) windows.push(window)
  return windows
}

function answer(response: ReadResponse, buffers: ArrayBuffer[]): void {
  parentPort?.postMessage(response, buffers)
}
