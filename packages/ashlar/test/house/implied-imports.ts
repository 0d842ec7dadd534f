import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Example } from './example.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const dist = join(root, 'packages/ashlar/dist')

interface Source {
  readonly specifier: string
  /** What it exports; types are written as `type Name`, the way an import wants them. */
  readonly names: readonly string[]
}

/** What each door of the built package exports, types included. `tokens-o200k.ts` is the door to `ashlar/tokens/o200k`. */
export function doors(): Source[] {
  const entries = readdirSync(join(root, 'packages/ashlar/src')).filter((name) => name.endsWith('.ts'))
  return entries.map((entry) => {
    const name = entry.slice(0, -3)
    const exported = /export \{([^}]*)\};?\s*$/.exec(readFileSync(join(dist, `${name}.d.ts`), 'utf8'))?.[1] ?? ''
    const names = exported.split(',').map((one) => one.trim().replace(/^(type )?.* as /, '$1'))
    const specifier = name === 'index' ? 'ashlar' : `ashlar/${name.replace('-', '/')}`
    return { specifier, names: names.filter((one) => one !== '') }
  })
}

/** What a source file exports itself: an example of something internal is run against the source, for want of a door. */
function ownExports(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8')
  const found = text.matchAll(/^export (?:async )?(?:(interface|type)|function\*?|class|const) (\w+)/gm)
  return { specifier: join(root, path), names: [...found].map(([, type, name]) => `${type ? 'type ' : ''}${name}`) }
}

/**
 * The imports that a doc comment leaves out, because its reader already looks at the thing: one for each name that the
 * program uses, does not declare, and that a door exports (the root first). A program with imports of its own gets none.
 */
export function impliedImports({ path, code }: Example, from: readonly Source[]): string {
  if (!path.endsWith('.ts') || /^import\b/m.test(code)) return ''
  const declared = new Set([...code.matchAll(/^(?:const|let|function\*?|class|type|interface) (\w+)/gm)].map(([, name]) => name))
  const used = new Set(code.replace(/\/\/.*$/gm, '').match(/(?<!(?<!\.\.)\.)(?<!\w)[A-Za-z_]\w*/g) ?? [])
  const lines: string[] = []
  for (const { specifier, names } of [...from, ownExports(path)]) {
    const wanted = names.filter((name) => used.delete(name.replace(/^type /, '')) && !declared.has(name))
    if (wanted.length > 0) lines.push(`import { ${wanted.join(', ')} } from ${JSON.stringify(specifier)}`)
  }
  return lines.join('; ')
}
