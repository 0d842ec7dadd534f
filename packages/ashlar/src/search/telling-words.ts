import { words } from '../text/word.ts'
import { englishStopWords } from '../vector/stop-words.ts'

/**
 * A query without the words that hold English sentences together; as it is where it has no others. “What is the purpose of” matches every
 * commented file: with these words three of a hundred questions about code lose what they look for.
 */
export function tellingWords(query: string): string {
  const told: string[] = []
  let from = 0
  for (const { start, end } of words(query)) {
    if (!englishStopWords.words.has(query.slice(start, end).toLowerCase())) continue
    told.push(query.slice(from, start))
    from = end
  }
  const rest = told.join('') + query.slice(from)
  return words(rest).next().done === true ? query : rest
}
