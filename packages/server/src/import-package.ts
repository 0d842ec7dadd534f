import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from './command-error.ts'

/**
 * Imports a package that need not be there: from beside this program, else from the project, so that a program installed for the whole
 * machine finds what was installed in the project.
 */
export async function importPackage(
  name: string,
  project: string,
  neededFor: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(name)) as Record<string, unknown>
  } catch (error) {
    if (!isMissing(error, name)) throw error
  }
  try {
    const path = createRequire(join(project, 'package.json')).resolve(name)
    return (await import(pathToFileURL(path).href)) as Record<string, unknown>
  } catch (error) {
    if (!isMissing(error, name)) throw error
  }
  throw new CommandError(
    `${neededFor} needs the package ${name}, which is not installed.`,
    `Install it with: npm install ${name}`,
  )
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message = '' } = error as { readonly code?: unknown; readonly message?: string }
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${name}'`)
}
