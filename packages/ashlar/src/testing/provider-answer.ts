import { words as wordSpans } from '../text/word.ts'
import type { ServedPart } from './provider-wire.ts'

/**
 * What the chat model says unless told otherwise: one sentence of the rarest long words of the last part, after the first words
 * of the first. It depends on the whole prompt's ends and on nothing else, so that answers can be checked against prompts.
 */
export function situatingSentence(parts: readonly ServedPart[]): string {
  const said = parts.filter(({ role }) => role === 'user')
  const opening = words(said[0]?.text.slice(0, 400) ?? '').slice(0, 6)
  const counts = new Map<string, number>()
  for (const word of words(said.at(-1)?.text ?? '')) counts.set(word.toLowerCase(), (counts.get(word.toLowerCase()) ?? 0) + 1)
  const ranked = [...counts].sort(
    ([left, often], [right, seldom]) => seldom - often || right.length - left.length || (left < right ? -1 : 1),
  )
  const about = ranked
    .filter(([word]) => word.length > 4)
    .slice(0, 4)
    .map(([word]) => word)
  return `In ${opening.join(' ') || 'this text'}, this part speaks of ${about.join(', ') || 'little'}.`
}

function words(text: string): string[] {
  return [...wordSpans(text)].map(({ start, end }) => text.slice(start, end))
}
