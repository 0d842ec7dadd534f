import { characterKind, isKind } from './character-kind.ts'
import { foldWord } from './fold-word.ts'
import { termKind } from './term-kind.ts'
import { type CountedTerms, TermCounter, termNumber } from './term-table.ts'
import { wordEnd, wordStart } from './word.ts'
import { wordTerms } from './word-terms.ts'

/** Changes whenever the same text gives other terms. Terms of two versions cannot be compared. */
export const analyserVersion = 1

/** What a text is found by. */
export interface Analysis {
  /** Each term once. Its first character tells its kind, the rest is the evidence itself. */
  readonly terms: readonly string[]
  /** How often each of them stands in the text. */
  readonly counts: readonly number[]
  /** Length of the text in words; evidence below the word adds nothing to it. */
  readonly length: number
}

/** An {@link Analysis} whose terms are places in a list of names. */
export interface NumberedAnalysis extends CountedTerms {
  readonly length: number
}

/** Longer words are no words; what they begin with still finds them. */
const longestWord = 64

/**
 * The terms of a text in any language: one analyser that is not told which.
 *
 * Words are compared without regard to case and with their marks; letters within them without marks too, four at a time, so that "cafe"
 * and "café" or "Haus" and "Häuser" have something in common. Words joined by signs or by case ("well-known", "snake_case", "parseHTML5",
 * "5GB") are found by their parts and as a whole. Scripts without spaces give characters and pairs of them, or two and three letters. Linear.
 */
export function analyse(text: string): Analysis {
  const { names, numbers, counts, length } = analyseNumbered(text)
  return { terms: Array.from(numbers, (number) => names[number] as string), counts: Array.from(counts), length }
}

/** What {@link analyse} gives, with terms as numbers: for who puts the terms of many texts together. */
export function analyseNumbered(text: string): NumberedAnalysis {
  const bag = new TermCounter()
  let length = 0
  const chain = new IdentifierChain(bag)
  const run = new UnspacedRun(bag)
  for (let start = wordStart(text, 0); start < text.length; ) {
    const end = wordEnd(text, start)
    const code = text.charCodeAt(start)
    if (isKind(code, characterKind.solo)) run.add(foldWord(text.slice(start, end)), isAlphabetic(code), start, end)
    else {
      chain.meet(text, start)
      const { terms, whole, parts } = wordTerms(text.slice(start, Math.min(end, start + longestWord)))
      for (let at = 0; at < terms.length; at++) bag.add(terms[at] as number)
      length += parts
      chain.add(whole, parts)
      chain.end = end
    }
    start = wordStart(text, end)
  }
  chain.close()
  return { ...bag.done(), length: Math.ceil(length + run.length) }
}

/** Thai and Lao, Burmese, Khmer: of the scripts without spaces, those whose characters are letters. */
function isAlphabetic(code: number): boolean {
  return code < 0x10a0 || (code >= 0x1780 && code <= 0x17ff) || (code >= 0xaa60 && code <= 0xaa7f)
}

/** Characters of a script without spaces, one after the other. */
class UnspacedRun {
  /** In words. */
  length = 0
  readonly #bag: TermCounter
  #end = -1
  #last = ''
  #lastButOne = ''

  constructor(bag: TermCounter) {
    this.#bag = bag
  }

  add(character: string, alphabetic: boolean, start: number, end: number): void {
    if (this.#end !== start) this.#last = this.#lastButOne = ''
    const pair = this.#last === '' ? '' : this.#last + character
    if (alphabetic) {
      if (pair !== '') this.#bag.add(termNumber(termKind.letters + pair))
      if (this.#lastButOne !== '') this.#bag.add(termNumber(termKind.moreLetters + this.#lastButOne + pair))
    } else {
      this.#bag.add(termNumber(termKind.character + character))
      if (pair !== '') this.#bag.add(termNumber(termKind.pair + pair))
    }
    // Words of these scripts have about two characters.
    this.length += 0.5
    this.#lastButOne = this.#last
    this.#last = character
    this.#end = end
  }
}

/** Parts that make up one identifier or joined word, over underscores too; it becomes a term when there are several. */
class IdentifierChain {
  end = -1
  readonly #bag: TermCounter
  #whole = ''
  #parts = 0

  constructor(bag: TermCounter) {
    this.#bag = bag
  }

  /** A word begins: it goes on with the chain only behind an underscore. */
  meet(text: string, start: number): void {
    if (start === this.end + 1 && text.charCodeAt(this.end) === 0x5f) return
    this.close()
  }

  add(word: string, parts: number): void {
    if (this.#parts === 0) this.#whole = word
    else if (this.#whole.length < longestWord) this.#whole += word
    this.#parts += parts
  }

  close(): void {
    if (this.#parts > 1) this.#bag.add(termNumber(termKind.word + this.#whole))
    this.#whole = ''
    this.#parts = 0
  }
}
