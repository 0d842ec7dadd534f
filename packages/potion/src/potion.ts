import { AshlarError } from 'ashlar'
import type { Embedder } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { readFile } from './read-file.ts'

/** Where the model is and how long to wait for it. */
export interface PotionOptions {
  /**
   * The address of a folder with the two files of the model, `model.safetensors` and `tokenizer.json`: for bundlers that leave
   * them behind, and for serving them from somewhere else. @default the folder `model` of this package
   */
  readonly folder?: string | URL
  readonly signal?: AbortSignal
}

/** Of the two files in the folder `model`; a test compares it with what is made of them. */
const fingerprint = 'wordpiece-29528-00ad9570-4486dfef04ca0c9f'

/** Kept for the next call: the files are read once, however many parts of a program ask for the model. */
let own: Promise<Embedder> | undefined

/**
 * The embedder of potion-base-8M: 256 dimensions, any length of text, English first. Offline, without native code.
 *
 * The numbers are kept in 8 bits. That changes vectors a little, so they are not to be mixed with those of the same model in
 * another precision; the identity says which it is.
 *
 * @throws AshlarError `MODEL_NOT_FOUND` if a file cannot be read, `INVALID_OPTION` if `folder` is no URL.
 */
export async function potion({ folder, signal }: PotionOptions = {}): Promise<Embedder> {
  signal?.throwIfAborted()
  if (folder !== undefined) {
    const home = address(folder)
    return unlessAborted(load(new URL('model.safetensors', home), new URL('tokenizer.json', home), {}), signal)
  }
  // Written out in full, because bundlers look for just this.
  const weights = new URL('../model/model.safetensors', import.meta.url)
  const tokenizer = new URL('../model/tokenizer.json', import.meta.url)
  own ??= load(weights, tokenizer, { fingerprint }).catch((error: unknown) => {
    own = undefined
    throw error
  })
  return unlessAborted(own, signal)
}

/** The folder as a URL to resolve names against; on a page, addresses may be relative to it. */
function address(folder: string | URL): URL {
  const page = (globalThis as { location?: { href: string } }).location?.href
  const slashed = String(folder).replace(/\/?$/, '/')
  // An address such as `data:` is a URL, but no folder.
  if (!URL.canParse(slashed, page) || !URL.canParse('.', new URL(slashed, page).href)) {
    throw new AshlarError(
      'INVALID_OPTION',
      `The folder “${folder}” is not the URL of one. For a path, pass pathToFileURL(path) of node:url.`,
      {
        details: { folder },
      },
    )
  }
  return new URL(slashed, page)
}

async function load(weightsUrl: URL, tokenizerUrl: URL, known: { readonly fingerprint?: string }): Promise<Embedder> {
  const [weights, tokenizer] = await Promise.all([readFile(weightsUrl, { shared: true }), readFile(tokenizerUrl)])
  return staticEmbedder({ name: 'potion-base-8M', weights, tokenizer: new TextDecoder().decode(tokenizer), ...known })
}

/** Stops waiting at an abort; the work goes on for whoever else waits for it. */
function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work
  const { promise, resolve, reject } = Promise.withResolvers<Value>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  return promise
}
