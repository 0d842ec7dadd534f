import { readFileSync } from 'node:fs'

/** The version of this package. Read from its `package.json`, which is one folder up from the sources and from the build alike. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }
).version
