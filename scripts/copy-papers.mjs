/**
 * Run by npm before it packs a package: puts the papers that every published package carries beside its `package.json`, and
 * refuses to pack one that has not been built.
 */
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

if (!existsSync(join(process.cwd(), 'dist', 'index.js'))) {
  throw new Error('There is no dist/index.js: run "npm run build" first, an empty package would be packed')
}

const root = fileURLToPath(new URL('..', import.meta.url))
for (const name of ['LICENSE', 'NOTICE', 'README.md']) copyFileSync(join(root, name), join(process.cwd(), name))
