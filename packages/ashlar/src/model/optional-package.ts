import { AshlarError } from '../error/ashlar-error.ts'

/**
 * Imports an optional package: `optionalPackage('pkg', () => import('pkg'), 'localEmbedder')`.
 *
 * @throws AshlarError `MISSING_PACKAGE` with the command that installs it; errors of a package that is there pass through.
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>, neededBy: string): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const { code, message = '' } = cause as { readonly code?: unknown; readonly message?: string }
    // Another module that the package itself fails to find is its own trouble, and has another name in the message.
    if ((code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') || !message.includes(`'${name}'`)) throw cause
    throw new AshlarError('MISSING_PACKAGE', `${neededBy} needs the package ${name}: npm install ${name}`, {
      details: { package: name, command: `npm install ${name}` },
      cause,
    })
  }
}
