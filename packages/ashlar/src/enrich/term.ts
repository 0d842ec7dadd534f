import { characterKind, characterKinds } from '../text/character-kind.ts'
import type { Span } from '../text/span.ts'
import { words } from '../text/word.ts'

/** A term of a text: how it is compared, and where it stands. */
export interface Term extends Span {
  readonly term: string
}

/**
 * The terms of a text: its words in lower case. Scripts written without spaces have no words to be seen; there each pair of
 * neighbouring characters is a term.
 */
export function* terms(text: string): Generator<Term, undefined> {
  let before: Span | undefined
  for (const word of words(text)) {
    if (!isSolo(text, word.start)) {
      if (word.end - word.start > 1) yield { ...word, term: fold(text.slice(word.start, word.end)) }
      before = undefined
      continue
    }
    if (before !== undefined && before.end === word.start)
      yield { start: before.start, end: word.end, term: fold(text.slice(before.start, word.end)) }
    before = word
  }
}

function isSolo(text: string, at: number): boolean {
  return ((characterKinds[text.charCodeAt(at)] as number) & characterKind.solo) !== 0
}

/** Compatibility forms and case are not told apart, nor is the kind of apostrophe or hyphen. */
function fold(word: string): string {
  return word.normalize('NFKC').toLowerCase().replaceAll('’', "'").replaceAll(/[‐‑]/g, '-').replaceAll('\u00ad', '')
}
