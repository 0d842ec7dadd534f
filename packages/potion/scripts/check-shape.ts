/** Checks that the published package would resolve, with types, for every kind of user. Without a model there is nothing to publish. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { missingFiles, packedFolder } from './model-folder.ts'

const home = fileURLToPath(new URL('..', import.meta.url))

if (missingFiles(packedFolder).length > 0) console.warn('ashlar-potion: NOT CHECKED, because its model has not been packed.')
else {
  for (const [command, ...args] of [
    ['publint', '--strict', home],
    ['attw', '--profile', 'esm-only', '--pack', home],
  ] as const) {
    const { status } = spawnSync('npx', ['--no-install', command, ...args], { cwd: home, stdio: 'inherit' })
    if (status !== 0) process.exitCode = 1
  }
}
