import { characterKind, isKind } from '../text/character-kind.ts'
import type { Span } from '../text/span.ts'

/** Words that must stand in a text as they are, whatever their case and however wide the white space between them is. */
export interface Phrase {
  readonly text: string
  /** Where it stands in a text, one after the other. */
  find(text: string): Span[]
}

const quoted = /"([^"\n]{2,200})"|“([^”\n]{2,200})”|«([^»\n]{2,200})»|「([^」\n]{2,200})」|`([^`\n]{2,200})`/g

/** Letters with digits, signs between letters, a change of case: what a name in code, a number of a part or an error's code looks like. */
const identifier =
  /^(?=.{3,200}$)[\p{L}\p{N}_$@#.:/\\-]*(?:\p{L}\p{N}|\p{N}\p{L}|\p{Ll}\p{Lu}|[\p{L}\p{N}][_$@#.:/\\-]+[\p{L}\p{N}]|_[\p{L}\p{N}])[\p{L}\p{N}_$@#.:/\\()-]*$/u

/**
 * The phrases of a query that are meant literally: what stands in quotation marks or backticks; and a query that is nothing but an
 * identifier, such as `parseHTML5`, `max_batch` or `ERR-1042`.
 */
export function phrasesOf(query: string): Phrase[] {
  const texts = new Set<string>()
  for (const match of query.matchAll(quoted)) {
    const text = match
      .slice(1)
      .find((group) => group !== undefined)
      ?.trim()
    if (text !== undefined && /[\p{L}\p{N}]/u.test(text)) texts.add(text)
  }
  const whole = query.trim()
  if (texts.size === 0 && identifier.test(whole)) texts.add(whole)
  return Array.from(texts, toPhrase)
}

function toPhrase(text: string): Phrase {
  const parts = text.split(/\s+/).map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const before = isBounded(text.codePointAt(0) as number) ? '(?<![\\p{L}\\p{N}_])' : ''
  const after = isBounded(text.charCodeAt(text.length - 1)) ? '(?![\\p{L}\\p{N}_])' : ''
  const pattern = new RegExp(`${before}${parts.join('\\s+')}${after}`, 'giu')
  return {
    text,
    find: (searched) =>
      Array.from(searched.matchAll(pattern), ({ index, 0: found }) => ({ start: index, end: index + found.length })),
  }
}

/** Whether a phrase with this character at its edge ends there: a letter of a script that puts spaces between words. */
function isBounded(code: number): boolean {
  return isKind(code, characterKind.word) && !isKind(code, characterKind.solo)
}
