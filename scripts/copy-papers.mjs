/** Run by npm before it packs a package: puts the papers that every published package carries beside its `package.json`. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
for (const name of ['LICENSE', 'NOTICE', 'README.md']) copyFileSync(join(root, name), join(process.cwd(), name))
