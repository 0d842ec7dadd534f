import { anthropicTokens, approximateTokens, type Counter, characters, geminiTokens, words } from 'ashlar'
import { cl100k, o200k } from 'ashlar/tokens'

/** A stranger's counter: it cannot open a text, counts only slices, and two halves do not add up to the whole. */
const uneven: Counter = Object.assign((text: string) => Math.ceil(text.length / 3) + (text.match(/[aeiou]+/g)?.length ?? 0), {
  id: 'uneven',
  accuracy: 'estimated' as const,
})

/** Every counter the laws are put to; characters more often than the others, since most people use them. */
export function lawCounters(): readonly Counter[] {
  return [characters, characters, characters, words, approximateTokens, anthropicTokens, geminiTokens, cl100k, o200k, uneven]
}
