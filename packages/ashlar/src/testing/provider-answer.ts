import { words } from '../text/word.ts'
import type { ServedPart } from './provider-wire.ts'

/** How much of the prompt's end is taken for what is asked about. */
const tail = 1200

/**
 * What the chat model says unless told otherwise: one sentence of the first words of the prompt and of those words near its end
 * that it has nowhere else. It follows from the prompt alone, so that answers can be checked against prompts.
 */
export function situatingSentence(parts: readonly ServedPart[]): string {
  const said = parts.filter(({ role }) => role === 'user').map(({ text }) => text)
  const opening = wordsOf(said[0]?.slice(0, 400) ?? '').slice(0, 6)
  const end = said.at(-1)?.slice(-tail) ?? ''
  const everywhere = countsOf(said)
  const here = [...countsOf([end])].filter(([word]) => word.length > 4)
  const rank = ([word, count]: readonly [string, number]): number => count / (everywhere.get(word) ?? count)
  here.sort((left, right) => rank(right) - rank(left) || right[0].length - left[0].length || (left[0] < right[0] ? -1 : 1))
  const about = here.slice(0, 4).map(([word]) => word)
  return `In ${opening.join(' ') || 'this text'}, this part speaks of ${about.join(', ') || 'little'}.`
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const word of wordsOf(text)) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  }
  return counts
}

function wordsOf(text: string): string[] {
  return [...words(text)].map(({ start, end }) => text.slice(start, end))
}
