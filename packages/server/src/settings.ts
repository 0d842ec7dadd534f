import { resolve } from 'node:path'
import { CommandError } from './command-error.ts'
import { findProject, type Project, readConfigFile } from './config-file.ts'
import { settingKinds } from './setting-kinds.ts'

/** What a million tokens cost, in whatever currency the budget is in. */
interface PriceSetting {
  readonly input: number
  readonly output?: number
}

/** Everything that can be set by flag, environment and config file, in this order. */
export interface SettingValues {
  /** A file, or the URL of a PostgreSQL database. */
  readonly library: string
  readonly workspace: string
  /** `potion`, `none`, `local:<folder or name>`, `<provider>:<model>`. */
  readonly embedder: string
  /** The language model for `ask`: `<provider>:<model>`. */
  readonly model: string | undefined
  /** The folder that `plan` and `sync` are about. */
  readonly folder: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly gitignore: boolean
  readonly hidden: boolean
  readonly price: PriceSetting | undefined
  readonly budget: number | undefined
  /** Metadata fields that filters may name, and what they hold. */
  readonly fields: Readonly<Record<string, 'string' | 'number' | 'boolean'>>
}

export interface Settings {
  readonly project: Project
  readonly values: SettingValues
  /** Who said so: `--library`, `ASHLAR_LIBRARY`, the path of a file, or `default`. */
  readonly origins: Readonly<Record<keyof SettingValues, string>>
}

/** What is given on the command line; names as in {@link SettingValues}. */
export type SettingFlags = { readonly [Name in keyof SettingValues]?: unknown } & { readonly config?: string }

/** Reads all settings. Paths of flags and environment are relative to where the command was called, those of a file to that file. */
export async function readSettings(
  flags: SettingFlags,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Settings> {
  const project = await findProject(cwd, flags.config)
  const file = project.configFile === undefined ? {} : await readConfigFile(project.configFile)
  const values: Record<string, unknown> = {}
  const origins: Record<string, string> = {}
  for (const [name, kind] of Object.entries(settingKinds)) {
    const flag = flags[name as keyof SettingValues]
    const variable = `ASHLAR_${name.toUpperCase()}`
    const said = env[variable]
    if (flag !== undefined) {
      values[name] = kind.read(flag, `--${name}`)
      origins[name] = `--${name}`
    } else if (said !== undefined && said !== '') {
      values[name] = kind.read(kind.fromText?.(said) ?? said, variable)
      origins[name] = variable
    } else if (Object.hasOwn(file, name)) {
      values[name] = kind.read(file[name], `“${name}” in ${project.configFile}`)
      origins[name] = project.configFile as string
    } else {
      values[name] = kind.fallback
      origins[name] = 'default'
    }
    if (kind.isPath === true) {
      const base = flag !== undefined || origins[name] === variable ? cwd : project.folder
      values[name] = placeFrom(values[name] as string, base)
    }
  }
  return {
    project,
    values: values as unknown as SettingValues,
    origins: origins as Record<keyof SettingValues, string>,
  }
}

function placeFrom(place: string, base: string): string {
  // What is no place of a library is refused when it is opened, as it was written.
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(place) || place.startsWith('file:')) return place
  return resolve(base, place)
}

/** Refuses what `ashlar` would not do anything sensible with, before anything is opened. */
export function checkLibraryPlace(place: string): void {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(place) && !/^(postgres(ql)?|file):/.test(place)) {
    throw new CommandError(
      `A library cannot be kept at ${place}.`,
      'Give the path of a file, or a URL that begins with postgres:',
      'USAGE',
    )
  }
}
