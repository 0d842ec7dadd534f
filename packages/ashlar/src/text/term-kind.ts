/** The first character of a term tells what kind of evidence it is. */
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
