import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { missingFiles, modelFolder, packedFiles, packedFolder } from '../../scripts/model-folder.ts'

const home = fileURLToPath(new URL('../..', import.meta.url))

function times(folder: string, names: readonly string[]): number[] {
  return names.map((name) => statSync(join(folder, name)).mtimeMs)
}

/** Tells whether program and model were made after the last change of what they are made from. */
function isFresh(): boolean {
  const dist = join(home, 'dist')
  if (!existsSync(dist)) return false
  if (existsSync(modelFolder()) && missingFiles(packedFolder).length > 0) return false
  const made = [
    ...times(dist, readdirSync(dist)),
    ...times(
      packedFolder,
      packedFiles.filter((name) => existsSync(join(packedFolder, name)) && name !== 'LICENSE'),
    ),
  ]
  const sources = ['src', 'scripts'].flatMap((name) => times(join(home, name), readdirSync(join(home, name))))
  const format = times(join(home, '../ashlar/src/model'), ['safetensors.ts', 'static-weights.ts', 'half-float.ts'])
  return Math.min(...made) > Math.max(...sources, ...format, ...times(home, ['package.json', 'tsdown.config.mjs']))
}

/** Vitest's global setup: builds this package when it is stale. A build that fails leaves no `dist`, so that its tests fail. */
export default function setup(): void {
  if (isFresh()) return
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: home, encoding: 'utf8' })
  if (status === 0) return
  console.error(`The build of ashlar-potion failed:\n${stdout}${stderr}`)
  rmSync(join(home, 'dist'), { recursive: true, force: true })
}
