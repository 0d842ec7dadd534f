import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { CommandError } from './command-error.ts'
import { nearestName } from './nearest-name.ts'
import { settingKinds } from './setting-kinds.ts'

export const configName = 'ashlar.json'
const libraryFolder = '.ashlar'

/** The folder that ids of documents are relative to, and the config file in it. */
export interface Project {
  readonly folder: string
  readonly configFile: string | undefined
}

/**
 * Finds the project that a folder belongs to: the nearest folder, itself included, that has an `ashlar.json` or a library. Where there
 * is none, the folder itself.
 */
export async function findProject(cwd: string, given?: string): Promise<Project> {
  if (given !== undefined) {
    const configFile = resolve(cwd, given)
    return { folder: dirname(configFile), configFile }
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    const configFile = join(folder, configName)
    if (await isThere(configFile)) return { folder, configFile }
    if (await isThere(join(folder, libraryFolder))) return { folder, configFile: undefined }
    if (dirname(folder) === folder) return { folder: cwd, configFile: undefined }
  }
}

/** Reads a config file. Names that are not known are refused, so that a slip does not stay unseen. */
export async function readConfigFile(path: string): Promise<Readonly<Record<string, unknown>>> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new CommandError(`${path} cannot be read: ${(cause as Error).message}.`, 'Check its path and who may read it.', 'USAGE')
  }
  let config: unknown
  try {
    config = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (cause) {
    throw new CommandError(
      `${path} is not JSON: ${(cause as Error).message}.`,
      'Correct it, or make a new one with: ashlar init',
      'USAGE',
    )
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw new CommandError(`${path} must hold an object.`, 'Correct it, or make a new one with: ashlar init', 'USAGE')
  }
  const known = Object.keys(settingKinds)
  for (const name of Object.keys(config)) {
    if (name === '$schema' || known.includes(name)) continue
    const near = nearestName(name, known)
    const todo = near === undefined ? `There are: ${known.join(', ')}.` : `Did you mean “${near}”?`
    throw new CommandError(`There is no setting ${JSON.stringify(name)} (in ${path}).`, todo, 'USAGE')
  }
  return config as Readonly<Record<string, unknown>>
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch {
    return false
  }
}
