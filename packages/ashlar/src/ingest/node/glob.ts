import { AshlarError } from '../../error/ashlar-error.ts'

/** Longest pattern; a longer one is a mistake or an attack on the regular expression that it becomes. */
const longest = 1_000

/**
 * Whether a path with `/` between its parts matches a pattern: `*` and `?` stay within a part, `**` as a whole part stands for any number
 * of parts, `[a-z]` for one character, `{md,txt}` for any of them. A pattern without `/` matches the last part, wherever it stands.
 *
 * @throws AshlarError `INVALID_OPTION` for a pattern that is none.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const anywhere = !pattern.includes('/')
  const expression = new RegExp(`^${anywhere ? '(?:.*/)?' : ''}${globSource(pattern.replace(/^\.?\//, ''))}$`, 'su')
  return (path) => expression.test(path)
}

/** A pattern as the source of a regular expression. */
export function globSource(pattern: string): string {
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > longest)
    throw invalid(pattern, `is empty or longer than ${longest} characters`)
  let source = ''
  let braces = 0
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at)
    const [any] = /^(?:\*\*\/)+/.exec(rest) ?? []
    if (any !== undefined && (at === 0 || pattern[at - 1] === '/')) {
      source += '(?:[^/]+/)*'
      at += any.length
    } else if (/^\*\*$/.test(rest) && (at === 0 || pattern[at - 1] === '/')) {
      source += '.*'
      at += 2
    } else if (rest.startsWith('*')) {
      source += '[^/]*'
      at += (/^\*+/.exec(rest) as RegExpExecArray)[0].length
    } else if (rest.startsWith('?')) {
      source += '[^/]'
      at++
    } else if (rest.startsWith('[')) {
      const [whole, negated, members] = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest) ?? []
      if (whole === undefined || members === undefined || members === '') throw invalid(pattern, 'has a [ without its ]')
      source += `(?!/)[${negated === '' ? '' : '^'}${members.replace(/[\\\][&|~^]/g, '\\$&')}]`
      at += whole.length
    } else if (rest.startsWith('{')) {
      braces++
      source += '(?:'
      at++
    } else if (rest.startsWith('}') && braces > 0) {
      braces--
      source += ')'
      at++
    } else if (rest.startsWith(',') && braces > 0) {
      source += '|'
      at++
    } else {
      const character = String.fromCodePoint((rest[0] === '\\' ? rest.slice(1) : rest).codePointAt(0) ?? 0x5c)
      at += character.length + (rest[0] === '\\' && rest.length > 1 ? 1 : 0)
      source += /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character
    }
  }
  if (braces > 0) throw invalid(pattern, 'has a { without its }')
  return source
}

function invalid(pattern: unknown, why: string): AshlarError {
  return new AshlarError('INVALID_OPTION', `The pattern ${JSON.stringify(pattern)?.slice(0, 80)} ${why}.`, {
    details: { pattern },
  })
}
