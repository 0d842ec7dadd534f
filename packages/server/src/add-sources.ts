import { stat } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import type { Source } from 'ashlar/ingest'
import { fileSource, folderSource, urlSource } from 'ashlar/node'
import { CommandError } from './command-error.ts'
import type { Session } from './session.ts'

/** Something to add, and whether the person named it or it was found in a folder. */
export interface NamedSource {
  readonly source: Source
  readonly named: boolean
}

/** Makes sources of what stands on the command line: folders, files, URLs. */
export async function sourcesOf(
  names: readonly string[],
  session: Session,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): Promise<readonly NamedSource[]> {
  const { cwd } = session.terminal
  const { project } = session.settings
  const sources: NamedSource[] = []
  const files: string[] = []
  const urls: string[] = []
  for (const name of names) {
    if (/^https?:\/\//i.test(name)) {
      urls.push(name)
      continue
    }
    const path = resolve(cwd, name)
    const found = await stat(path).catch((cause: unknown) => {
      throw new CommandError(`There is nothing to read at ${name}: ${(cause as Error).message}.`, 'Check the path.', 'USAGE')
    })
    if (found.isDirectory()) sources.push({ source: folderOf(path, session), named: false })
    else files.push(path)
  }
  if (files.length > 0) sources.push({ source: fileSource(files, { base: project.folder }), named: true })
  if (urls.length > 0) sources.push({ source: urlSource(urls, { allowPrivate }), named: true })
  return sources
}

/** A folder as a source, with the settings that say which of its files count. Ids begin at the project's folder. */
export function folderOf(path: string, { settings }: Session): Source {
  const { include, exclude, gitignore, hidden } = settings.values
  const way = idOf(path, settings.project.folder)
  return folderSource(path, {
    ...(include.length > 0 ? { include } : {}),
    exclude,
    gitignore,
    hidden,
    root: `file:${way}`,
    prefix: way === '' ? '' : `${way}/`,
  })
}

function idOf(path: string, base: string): string {
  return relative(base, path).split(sep).join('/')
}
