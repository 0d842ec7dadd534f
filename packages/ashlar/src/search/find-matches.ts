import { analyse } from '../text/analyse.ts'
import { characterKind, isKind } from '../text/character-kind.ts'
import { foldWord } from '../text/fold-word.ts'
import type { Span } from '../text/span.ts'
import { termKind } from '../text/term-kind.ts'
import { words } from '../text/word.ts'
import type { Phrase } from './phrases.ts'

/** A word with at least this share of its letter grams in the query is a form of one of the query's words. */
const formsShare = 0.6

/** Finds what of a text speaks for it: words and forms of words of the query, and its phrases. Spans are counted from `offset`. */
export type MatchFinder = (text: string, offset: number) => Span[]

export function matchFinder(terms: readonly { readonly term: string }[], phrases: readonly Phrase[]): MatchFinder {
  const wanted = new Set(terms.map(({ term }) => term))
  const known = new Map<string, boolean>()
  const matches = (word: string): boolean => {
    let found = known.get(word)
    if (found === undefined) {
      found = matchesWord(word, wanted)
      known.set(word, found)
    }
    return found
  }
  return (text, offset) => {
    const found: Span[] = phrases.flatMap((phrase) => phrase.find(text))
    let before: Span | undefined
    for (const span of words(text)) {
      if (!isKind(text.charCodeAt(span.start), characterKind.solo)) {
        if (matches(text.slice(span.start, span.end))) found.push(span)
        before = undefined
        continue
      }
      const alone = foldWord(text.slice(span.start, span.end))
      if (before !== undefined && before.end === span.start) {
        const pair = foldWord(text.slice(before.start, before.end)) + alone
        if (wanted.has(termKind.pair + pair) || wanted.has(termKind.letters + pair)) found.push(before, span)
      }
      before = span
    }
    return joined(found, offset)
  }
}

function matchesWord(word: string, wanted: ReadonlySet<string>): boolean {
  const { terms } = analyse(word)
  let grams = 0
  let shared = 0
  for (const term of terms) {
    const has = wanted.has(term)
    if (term.startsWith(termKind.word)) {
      if (has) return true
    } else if (term.startsWith(termKind.gram)) {
      grams++
      if (has) shared++
    }
  }
  return grams > 2 && shared >= formsShare * grams
}

/** In order, those that touch or overlap as one. */
function joined(spans: Span[], offset: number): Span[] {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((left, right) => left.start - right.start || left.end - right.end)) {
    const last = result.at(-1)
    if (last !== undefined && start + offset <= last.end) last.end = Math.max(last.end, end + offset)
    else result.push({ start: start + offset, end: end + offset })
  }
  return result
}
