import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../..', import.meta.url))

function times(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)).mtimeMs)
}

/** Tells whether the program was built after the last change of its sources and of what steers the build. */
function isFresh(): boolean {
  const dist = join(home, 'dist')
  if (!existsSync(join(dist, 'bin.js'))) return false
  const steering = ['package.json', 'tsdown.config.mjs'].map((name) => statSync(join(home, name)).mtimeMs)
  return Math.min(...times(dist)) > Math.max(...times(join(home, 'src')), ...steering)
}

/** Vitest's global setup: builds this package when it is stale. A build that fails leaves no `dist`, so that its tests fail. */
export default function setup(): void {
  if (isFresh()) return
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: home, encoding: 'utf8' })
  if (status === 0) return
  console.error(`The build of ashlar-server failed:\n${stdout}${stderr}`)
  rmSync(join(home, 'dist'), { recursive: true, force: true })
}
