import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Builds the library; what the build prints goes to stderr, so that stdout holds the result alone. */
export function buildLibrary(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '-w', 'packages/ashlar'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('The library does not build; nothing was measured')
}
