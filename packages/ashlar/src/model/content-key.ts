import { sha256 } from '../text/sha-256.ts'

/** The key of what a model answered: one hash over the parts, which cannot run into each other, exact to the code unit. */
export function contentKey(...parts: readonly string[]): string {
  return sha256(parts.map((part) => `${part.length}:${exact(part)}`).join('\n'))
}

/** The hash takes UTF-8, in which all lone surrogates are the same. */
function exact(text: string): string {
  return text.isWellFormed() ? text : JSON.stringify(text)
}
