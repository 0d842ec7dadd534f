/**
 * Run by npm before it packs a package: puts the papers that every published package carries beside its `package.json`, and
 * refuses to pack one that has not been built.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

if (!['index.js', 'bin.js'].some((name) => existsSync(join(process.cwd(), 'dist', name)))) {
  throw new Error('There is no dist/index.js: run "npm run build" first, an empty package would be packed')
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** The one package that has a README of its own. */
const isServer = process.env['npm_package_name'] === 'ashlar-server'
for (const name of ['LICENSE', 'NOTICE', ...(isServer ? [] : ['README.md'])]) {
  copyFileSync(join(root, name), join(process.cwd(), name))
}
