import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Files that break a rule, each with the name of the rule that must refuse it; those without one help another to break its. */
const planted: readonly (readonly [file: string, content: string, rule?: string])[] = [
  ['error/up.ts', "import '../text/span.ts'", 'error-imports-only-what-is-below-it'],
  ['text/up.ts', "import '../chunk/seam.ts'", 'text-imports-only-what-is-below-it'],
  ['text/type-up.ts', "import type { Seam } from '../chunk/seam.ts'\nexport type X = Seam", 'text-imports-only-what-is-below-it'],
  ['text/dynamic-up.ts', "export const x = () => import('../chunk/seam.ts')", 'text-imports-only-what-is-below-it'],
  ['chunk/up.ts', "import '../tree/planted.ts'", 'chunk-imports-only-what-is-below-it'],
  ['tree/planted.ts', "import '../store/planted.ts'", 'tree-imports-only-what-is-below-it'],
  ['store/planted.ts', "import '../search/planted.ts'", 'store-imports-only-what-is-below-it'],
  ['model/planted.ts', "import '../tree/planted.ts'", 'model-imports-only-what-is-below-it'],
  ['enrich/planted.ts', "import '../store/planted.ts'", 'enrich-imports-only-what-is-below-it'],
  ['search/planted.ts', "import '../enrich/planted.ts'", 'search-imports-only-what-is-below-it'],
  ['ingest/planted.ts', "import '../search/planted.ts'", 'ingest-imports-only-what-is-below-it'],
  ['memory/planted.ts', "import '../library/planted.ts'", 'memory-imports-only-what-is-below-it'],
  ['library/planted.ts', "import '../tools/planted.ts'", 'library-imports-only-what-is-below-it'],
  ['tools/planted.ts', "import '../evaluation/planted.ts'", 'tools-imports-only-what-is-below-it'],
  ['evaluation/planted.ts', "import '../tools/planted.ts'", 'evaluation-imports-only-what-is-below-it'],
  ['testing/up.ts', "import '../store/planted.ts'", 'testing-takes-values-only-from-error-text-chunk'],
  ['attic/planted.ts', 'export const x = 1'],
  ['ingest/attic.ts', "import '../attic/planted.ts'", 'no-unknown-layer'],
  ['chunk/door.ts', "import '../index.ts'", 'nothing-imports-a-door'],
  ['chunk/ring-a.ts', "import './ring-b.ts'", 'no-cycle'],
  ['chunk/ring-b.ts', "import './ring-a.ts'"],
  ['chunk/platform.ts', "import 'node:fs'", 'text-and-chunk-run-anywhere'],
  ['text/platform.ts', "import 'fs'", 'text-and-chunk-run-anywhere'],
  ['text/development.ts', "import 'vitest'", 'library-imports-no-development-package'],
  ['text/missing.ts', "import './no-such-file.ts'", 'no-unresolvable'],
  ['text/test.ts', "import '../../test/house/build-once.ts'", 'library-imports-no-test'],
  ['tree/reach.ts', "import 'node:os'\nimport 'parse5'"],
  ['index.ts', "import './tree/reach.ts'", 'root-entry-reaches-no-package'],
]

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string; readonly severity: string }
}

interface Cruise {
  readonly status: number
  readonly violations: readonly Violation[]
}

/** Both rule sets that `npm run layers` holds the code against, one after the other. */
function cruise(folder: string): Cruise {
  const cruises = ['.dependency-cruiser.mjs', '.dependency-cruiser-root.mjs'].map((config) => cruiseWith(config, folder))
  return {
    status: Math.max(...cruises.map(({ status }) => status)),
    violations: cruises.flatMap(({ violations }) => violations),
  }
}

function cruiseWith(config: string, folder: string): Cruise {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
      ...['--config', join(root, config), '--output-type', 'json', 'packages/ashlar/src'],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 },
  )
  if (!stdout.startsWith('{')) throw new Error(stderr)
  return { status: status ?? 1, violations: JSON.parse(stdout).summary.violations }
}

describe('the layer table', () => {
  const copy = mkdtempSync(join(tmpdir(), 'ashlar-layers-'))
  let result: ReturnType<typeof cruise>

  beforeAll(() => {
    for (const name of ['package.json', 'tsconfig.base.json', 'packages/ashlar/package.json', 'packages/ashlar/tsconfig.json'])
      cpSync(join(root, name), join(copy, name))
    for (const name of ['src', 'test/house'])
      cpSync(join(root, 'packages/ashlar', name), join(copy, 'packages/ashlar', name), { recursive: true })
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
    for (const [file, content] of planted) {
      const path = join(copy, 'packages/ashlar/src', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, `${content}\n`)
    }
    result = cruise(copy)
  })

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('is kept by the library', () => {
    const { status, violations } = cruise(root)
    expect(violations).toEqual([])
    expect(status).toBe(0)
  })

  test.each(planted.filter(([, , rule]) => rule !== undefined))('%s is refused', (file, _content, rule) => {
    const rules = result.violations.filter(({ from }) => from === `packages/ashlar/src/${file}`).map((found) => found.rule.name)
    expect(rules).toContain(rule)
  })

  test('the root entry is refused a platform module that it reaches only through others', () => {
    const rules = result.violations.filter(({ from }) => from === 'packages/ashlar/src/index.ts').map((found) => found.rule.name)
    expect(rules).toContain('root-entry-reaches-no-platform')
  })

  test('every rule is an error, and a violation fails the run', () => {
    expect(new Set(result.violations.map(({ rule }) => rule.severity))).toEqual(new Set(['error']))
    const { status } = spawnSync(
      process.execPath,
      [
        join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'),
        '--config',
        join(root, '.dependency-cruiser.mjs'),
        'packages/ashlar/src',
      ],
      { cwd: copy },
    )
    expect(status).toBeGreaterThan(0)
  })
})
