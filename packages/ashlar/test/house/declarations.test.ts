import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const compilers = { 'TypeScript 6': 'node_modules/typescript/bin/tsc6', 'TypeScript 7': 'node_modules/typescript7/bin/tsc' }
const resolutions = { nodenext: 'nodenext', bundler: 'esnext' }

/**
 * What a user's compiler makes of the declarations in `dist`, without leniency and without the types of Node: those of the web, which
 * every runtime has, are all that `open` speaks of.
 */
describe('the declarations of the root entry', () => {
  let folder: string
  beforeAll(() => {
    mkdirSync(join(root, '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, '.cache/declarations-'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
    writeFileSync(
      join(folder, 'user.ts'),
      "import * as ashlar from 'ashlar'\nexport const first: string | undefined = [...ashlar.chunkText('a')][0]?.text\n",
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const cases = Object.keys(compilers).flatMap((compiler) =>
    Object.keys(resolutions).map((resolution) => [compiler, resolution] as const),
  )
  test.each(cases)('satisfy %s with module resolution %s', (compiler, moduleResolution) => {
    const module = resolutions[moduleResolution as keyof typeof resolutions]
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
    const compilerOptions = {
      ...strict,
      target: 'es2022',
      lib: ['es2022', 'esnext.disposable', 'dom'],
      types: [],
      module,
      moduleResolution,
      noEmit: true,
    }
    const config = join(folder, `${compiler.at(-1)}-${moduleResolution}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions, files: ['user.ts'] }))
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, compilers[compiler as keyof typeof compilers]), '-p', config],
      { encoding: 'utf8' },
    )
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })
})
