/** Words that say nothing by themselves, and a name for the list. */
export interface StopWords {
  /** Names the list and its version; part of the identity of what is kept. */
  readonly id: string
  /** In lower case. */
  readonly words: ReadonlySet<string>
}

const letterOrNumber = /[\p{L}\p{N}]/u
const wordEnd = /[\p{L}\p{M}\p{N}_]/u

/** Whether a token says something: it has a letter or a digit in it. Punctuation and control signs have none. */
export function isContent(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) {
      if ((unit >= 0x30 && unit <= 0x39) || ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a)) return true
    } else return letterOrNumber.test(text.slice(at, end))
  }
  return false
}

/** Whether a token is a stop word, whole: the `the` of “the” is one, that of “theft” is none. */
export function isStopWord(text: string, start: number, end: number, { words }: StopWords): boolean {
  const token = text.slice(start, end).trim().toLowerCase()
  return words.has(token) && !isInWord(text, start - 1) && !isInWord(text, end)
}

function isInWord(text: string, at: number): boolean {
  return at >= 0 && at < text.length && wordEnd.test(text[at] as string)
}
