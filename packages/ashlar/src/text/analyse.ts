import { characterKind, isKind } from './character-kind.ts'
import { foldMarks, foldWord } from './fold-word.ts'
import { numberForms } from './number-forms.ts'
import { words } from './word.ts'
import { wordParts } from './word-parts.ts'

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

/** The first character of a term. */
export const termKind = {
  /** A word, a part of one, a number, or an identifier as a whole. */
  word: 'w',
  /** A few letters of a word, its edges included: what inflected forms and compounds have in common. */
  gram: 'g',
  /** A character of a script written without spaces whose characters are words or syllables: Chinese, kana. */
  character: 'c',
  /** Two neighbouring ones of these. */
  pair: 'p',
  /** Two neighbouring letters, with their signs, of an alphabet written without spaces: Thai, Lao, Khmer, Burmese. */
  letters: 'k',
  /** Three of these. */
  moreLetters: 'l',
} as const

const gramLength = 4

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
  const bag = new TermBag()
  const chain = new IdentifierChain(bag)
  const run = new UnspacedRun(bag)
  for (const { start, end } of words(text)) {
    const code = text.charCodeAt(start)
    if (isKind(code, characterKind.solo)) run.add(foldWord(text.slice(start, end)), isAlphabetic(code), start, end)
    else {
      chain.meet(text, start)
      addWord(text.slice(start, Math.min(end, start + longestWord)), bag, chain)
      chain.end = end
    }
  }
  chain.close()
  return bag.done()
}

/** Thai and Lao, Burmese, Khmer: of the scripts without spaces, those whose characters are letters. */
function isAlphabetic(code: number): boolean {
  return code < 0x10a0 || (code >= 0x1780 && code <= 0x17ff) || (code >= 0xaa60 && code <= 0xaa7f)
}

/** Characters of a script without spaces, one after the other. */
class UnspacedRun {
  readonly #bag: TermBag
  #end = -1
  #last = ''
  #lastButOne = ''

  constructor(bag: TermBag) {
    this.#bag = bag
  }

  add(character: string, alphabetic: boolean, start: number, end: number): void {
    if (this.#end !== start) this.#last = this.#lastButOne = ''
    const pair = this.#last === '' ? '' : this.#last + character
    if (alphabetic) {
      if (pair !== '') this.#bag.add(termKind.letters + pair)
      if (this.#lastButOne !== '') this.#bag.add(termKind.moreLetters + this.#lastButOne + pair)
    } else {
      this.#bag.add(termKind.character + character)
      if (pair !== '') this.#bag.add(termKind.pair + pair)
    }
    // Words of these scripts have about two characters.
    this.#bag.length += 0.5
    this.#lastButOne = this.#last
    this.#last = character
    this.#end = end
  }
}

function addWord(word: string, bag: TermBag, chain: IdentifierChain): void {
  const parts = wordParts(word)
  for (const part of parts) {
    const folded = foldWord(part)
    bag.length++
    if (isDigit(folded.charCodeAt(0))) for (const form of numberForms(folded)) bag.add(termKind.word + form)
    else {
      bag.add(termKind.word + folded)
      addGrams(folded, bag)
    }
    chain.add(folded)
  }
}

/** Grams see the edges of a word as a letter of their own. */
function addGrams(word: string, bag: TermBag): void {
  const edged = `_${foldMarks(word)}_`
  if (edged.length <= gramLength) bag.add(termKind.gram + edged)
  for (let at = 0; at + gramLength <= edged.length; at++) bag.add(termKind.gram + edged.slice(at, at + gramLength))
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Parts that make up one identifier or joined word, over underscores too; it becomes a term when there are several. */
class IdentifierChain {
  end = -1
  readonly #bag: TermBag
  #whole = ''
  #parts = 0

  constructor(bag: TermBag) {
    this.#bag = bag
  }

  /** A word begins: it goes on with the chain only behind an underscore. */
  meet(text: string, start: number): void {
    if (start === this.end + 1 && text.charCodeAt(this.end) === 0x5f) return
    this.close()
  }

  add(part: string): void {
    this.#parts++
    if (this.#whole.length < longestWord) this.#whole += part
  }

  close(): void {
    if (this.#parts > 1) this.#bag.add(termKind.word + this.#whole)
    this.#whole = ''
    this.#parts = 0
  }
}

class TermBag {
  length = 0
  readonly #places = new Map<string, number>()
  readonly #terms: string[] = []
  readonly #counts: number[] = []

  add(term: string): void {
    const place = this.#places.get(term)
    if (place !== undefined) {
      this.#counts[place] = (this.#counts[place] as number) + 1
      return
    }
    this.#places.set(term, this.#terms.length)
    this.#terms.push(term)
    this.#counts.push(1)
  }

  done(): Analysis {
    return { terms: this.#terms, counts: this.#counts, length: Math.ceil(this.length) }
  }
}
