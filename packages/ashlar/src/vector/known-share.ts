import type { TokenStates } from '../model/embedder.ts'

/** Scripts that are written without spaces, and Hangul: two of their characters are a word already. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Characters of such a script that no word has: a longer piece is a whole clause that a model gave up on. */
const longestDense = 12

/**
 * How much of a text a model has words for, from 0 to 1: the share of its letters that stand in pieces long enough to mean something. A
 * model that was not made for a language spells it out, letter by letter, or takes all of its words for the same unknown one; what it
 * then says about the text is worse than nothing. 1 for a text without letters.
 *
 * English questions have .7 to 1 under an English vocabulary, other languages in Latin script .4 to .8, other scripts next to nothing.
 */
export function knownShare(text: string, { starts, ends, ids }: Pick<TokenStates, 'starts' | 'ends' | 'ids'>): number {
  const pieces = Array.from(ids, (id, at) => ({ id, start: starts[at] as number, end: ends[at] as number }))
  const spelling = new Map<number, string>()
  const unknown = new Set<number>()
  for (const { id, start, end } of pieces) {
    const letters = foldedLetters(text.slice(start, end))
    if ((spelling.get(id) ?? letters) !== letters) unknown.add(id)
    spelling.set(id, letters)
  }
  let all = 0
  let known = 0
  for (const { id, start, end } of pieces) {
    const count = countLetters(text.slice(start, end))
    const isWhole = !isLetter(text, start - 1) && !isLetter(text, end)
    // A letter by itself is a name or a sign: it tells nothing about the language.
    if (count === 0 || (isWhole && count === 1)) continue
    all += count
    const isDense = dense.test(text.slice(start, end))
    const most = isDense ? longestDense : Number.POSITIVE_INFINITY
    if (count >= (isWhole || isDense ? 2 : 3) && count <= most && !unknown.has(id)) known += count
  }
  return all === 0 ? 1 : known / all
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0
}

function isLetter(text: string, at: number): boolean {
  return at >= 0 && at < text.length && /[\p{L}\p{M}]/u.test(text.charAt(at))
}

/** Letters without case and marks: spellings that a vocabulary may well have one piece for. */
function foldedLetters(text: string): string {
  return text.normalize('NFKD').toLowerCase().replaceAll(/\P{L}/gu, '')
}
