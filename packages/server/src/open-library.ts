import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type NodeLibrary, open } from 'ashlar/node'
import { CommandError } from './command-error.ts'
import { openEmbedder } from './open-embedder.ts'
import { safeLine } from './safe-text.ts'
import type { Session } from './session.ts'
import { checkLibraryPlace } from './settings.ts'

/** What a command wants to do with the library. */
export interface OpenLibraryOptions {
  /** Makes it where it is not there. @default false */
  readonly make?: boolean
  /** Whether the command needs the embedder; opening one takes a moment. @default true */
  readonly embeds?: boolean
}

/**
 * Opens the library that the settings name.
 *
 * @throws CommandError where there is none and the command does not make one.
 */
export async function openLibrary(
  session: Session,
  { make = false, embeds = true }: OpenLibraryOptions = {},
): Promise<NodeLibrary> {
  const { settings, terminal } = session
  const { library, workspace, fields, budget, price } = settings.values
  checkLibraryPlace(library)
  const path = libraryFile(library)
  const isNew = path !== undefined && !(await isFile(path))
  if (isNew && !make) throw new CommandError(`There is no library at ${path}.`, 'Make one with: ashlar add <files or folders>')
  const { signal } = terminal
  const opened = embeds
    ? await openEmbedder(settings.values.embedder, settings.project.folder, { price, budget, signal })
    : undefined
  if (isNew) await makeFolder(dirname(path))
  sayWhere(path, session)
  return open(library, {
    workspace,
    fields,
    base: settings.project.folder,
    embedder: opened?.embedder ?? 'none',
    ...(opened?.caller === undefined ? {} : { caller: opened.caller }),
    ...(opened?.price === undefined ? {} : { price: opened.price }),
    ...(opened?.closes === undefined ? {} : { closes: opened.closes }),
  })
}

/** A library that was found above the current folder may not be the one that is meant. */
function sayWhere(path: string | undefined, { settings: { origins, project }, terminal, note }: Session): void {
  if (path === undefined || project.folder === terminal.cwd || /^(--|ASHLAR_)/.test(origins.library)) return
  note(`The library is ${safeLine(path)} (--library names another).`)
}

/** The path of a library that is a file. */
export function libraryFile(place: string): string | undefined {
  if (/^postgres(ql)?:/.test(place)) return undefined
  return place.startsWith('file:') ? fileURLToPath(place) : place
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** The default folder holds nothing that belongs into version control, and says so itself. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined && basename(folder) === '.ashlar') await writeFile(join(folder, '.gitignore'), '*\n')
}
