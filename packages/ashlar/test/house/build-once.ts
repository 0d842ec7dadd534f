import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../..', import.meta.url))

function times(folder: string, pattern: RegExp): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => statSync(join(folder, name)).mtimeMs)
}

/** Tells whether `dist` was made after the last change of the sources and of what steers the build. */
function isFresh(): boolean {
  const dist = join(home, 'dist')
  if (!existsSync(dist)) return false
  const made = times(dist, /\.js$/)
  const written = [...times(join(home, 'src'), /./), ...times(home, /^(package\.json|tsdown\.config\.mjs)$/)]
  return made.length > 0 && Math.min(...made) > Math.max(...written)
}

/**
 * Vitest's global setup for the tests that need `dist`: builds it, once per run and only when it is stale.
 *
 * A build that fails leaves no `dist`, so that these tests fail and not the rest with them.
 */
export default function setup(): void {
  if (isFresh()) return
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: home, encoding: 'utf8' })
  if (status === 0) return
  console.error(`The build failed:\n${stdout}${stderr}`)
  rmSync(join(home, 'dist'), { recursive: true, force: true })
}
