import { fileSignature } from './file-signature.ts'
import { encryptedFile, unsupportedFile } from './load-failure.ts'
import type { Loader, LoadInput } from './loader.ts'
import { textLoader } from './loaders/text.ts'
import { isZip } from './zip.ts'

/** A loader for a file, and what there is to say about the choice. */
export interface ChosenLoader {
  readonly loader: Loader
  readonly notes: readonly string[]
}

/**
 * The loader for a file: by its name, then its media type, then its contents. Where the contents are certainly of another kind than the
 * name says, the contents are believed and the note says so.
 *
 * @throws AshlarError `UNSUPPORTED_FILE`, and `ENCRYPTED_FILE` for office files that are encrypted as a whole.
 */
export function chooseLoader(input: LoadInput, loaders: readonly Loader[]): ChosenLoader {
  const extension = extensionOf(input.name)
  const named = loaders.find(({ extensions }) => extensions.includes(extension)) ?? byMediaType(input.mediaType, loaders)
  if (named?.recognises?.(input.bytes)) return { loader: named, notes: [] }
  const certain = loaders.find((loader) => loader.recognises?.(input.bytes))
  if (certain !== undefined) return { loader: certain, notes: named === undefined ? [] : [mismatch(input.name, named, certain)] }
  const signature = fileSignature(input.bytes)
  if (signature === 'encrypted office file') throw encryptedFile(input.name)
  // An archive without its end may still be what its name says; its loader tells that it is damaged.
  if (signature !== undefined && !(isZip(input.bytes) && named?.recognises !== undefined))
    throw unsupportedFile(input.name, signature)
  // A kind that shows in its contents, and does not: the loader says what is wrong, unless it is text after all.
  if (named?.recognises !== undefined && !looksLikeText(input.bytes)) return { loader: named, notes: [] }
  if (named?.recognises !== undefined) return { loader: textLoader, notes: [mismatch(input.name, named, textLoader)] }
  return { loader: named ?? textLoader, notes: [] }
}

/** What stands behind the last dot of a name, in lower case; names such as `Makefile` and `.gitignore` have none. */
function extensionOf(name: string): string {
  return /[^/\\.][^/\\]*?\.([^./\\]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

function byMediaType(mediaType: string | undefined, loaders: readonly Loader[]): Loader | undefined {
  const plain = mediaType?.split(';', 1)[0]?.trim().toLowerCase()
  return plain === undefined ? undefined : loaders.find(({ mediaTypes }) => mediaTypes?.includes(plain))
}

function mismatch(name: string, named: Loader, found: Loader): string {
  const kind = (loader: Loader): string => loader.id.split('/', 1)[0] as string
  return `The name ${JSON.stringify(name.slice(-60)).toWellFormed()} says ${kind(named)}, the contents are ${kind(found)}: read as ${kind(found)}.`
}

function looksLikeText(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 1024)
  let odd = 0
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd++
  return odd === 0
}
