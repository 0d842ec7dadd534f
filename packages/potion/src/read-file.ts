import { AshlarError } from 'ashlar'

/** The part of Node's file system that is used, and how it is reached without an import that a browser would trip over. */
type FileSystem = { readFile(url: URL): Promise<Uint8Array>; open(url: URL): Promise<OpenFile> }
type OpenFile = AsyncDisposable & {
  stat(): Promise<{ readonly size: number }>
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>
}
type Runtime = { process?: { getBuiltinModule?: (name: string) => FileSystem | undefined } }

/**
 * The bytes at an address: from the disk where there is one and the address is on it, else by `fetch`. `shared` has a file read into memory
 * that threads can share, so that nobody has to copy it there.
 */
export async function readFile(url: URL, { shared = false }: { readonly shared?: boolean } = {}): Promise<Uint8Array> {
  try {
    const files = url.protocol === 'file:' ? (globalThis as Runtime).process?.getBuiltinModule?.('node:fs/promises') : undefined
    if (files !== undefined) return shared ? await readShared(files, url) : await files.readFile(url)
    const response = await fetch(url)
    if (!response.ok) throw new Error(`The server answered with status ${response.status}.`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw new AshlarError(
      'MODEL_NOT_FOUND',
      `A file of the model could not be read: ${url.href}. If a bundler left it behind, copy the folder model/ of ashlar-potion ` +
        'to where it can be read, and pass its address: potion({ folder }).',
      { details: { url: url.href }, cause },
    )
  }
}

async function readShared(files: FileSystem, url: URL): Promise<Uint8Array> {
  await using file = await files.open(url)
  const { size } = await file.stat()
  const bytes = new Uint8Array(new SharedArrayBuffer(size))
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(bytes, at, size - at, at)
    if (bytesRead === 0) throw new Error('The file became shorter while it was read.')
    at += bytesRead
  }
  return bytes
}
