import { globSource } from './glob.ts'

/** One line of a `.gitignore`. */
interface Rule {
  readonly ignores: boolean
  readonly foldersOnly: boolean
  readonly expression: RegExp
}

/** What the `.gitignore` of a folder says, over what those above it say. */
export interface IgnoreRules {
  readonly above: IgnoreRules | undefined
  /** The folder, as a prefix of paths: empty, or with a `/` at its end. */
  readonly folder: string
  readonly rules: readonly Rule[]
}

/** The rules of a `.gitignore` in a folder. A line that cannot be read is passed over, as git does. */
export function ignoreRules(text: string, folder: string, above: IgnoreRules | undefined): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap((line) => ruleOf(line))
  return { above, folder, rules }
}

/** Whether a path is ignored. The last rule that matches decides, those of the nearest folder before those above it. */
export function isIgnored(path: string, isFolder: boolean, rules: IgnoreRules | undefined): boolean {
  for (let level = rules; level !== undefined; level = level.above) {
    const own = path.slice(level.folder.length)
    for (const { ignores, foldersOnly, expression } of level.rules.toReversed())
      if ((isFolder || !foldersOnly) && expression.test(own)) return ignores
  }
  return false
}

function ruleOf(line: string): readonly Rule[] {
  let pattern = line.replace(/(?<!\\)[ \t]+$/, '')
  if (pattern === '' || pattern.startsWith('#')) return []
  const ignores = !pattern.startsWith('!')
  if (!ignores) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  // A slash at the beginning or in the middle ties a pattern to its folder.
  const anchored = pattern.includes('/')
  try {
    // Git knows no braces.
    const source = globSource(pattern.replace(/^\//, '').replace(/[{}]/g, '\\$&'))
    return [{ ignores, foldersOnly, expression: new RegExp(`^${anchored ? '' : '(?:.*/)?'}${source}$`, 'su') }]
  } catch {
    return []
  }
}
