import { chunkText } from 'ashlar'
import { englishText } from '../inputs/english-text.ts'

/** So many chunks of English prose, no two alike, the same on every run. */
export function providerTexts(count: number): { readonly texts: readonly string[]; readonly source: string } {
  const { text, source } = englishText(count * 480)
  const texts = new Set<string>()
  for (const chunk of chunkText(text, { size: 400, overlap: 0 })) {
    texts.add(chunk.text)
    if (texts.size === count) break
  }
  if (texts.size < count) throw new Error(`The texts gave ${texts.size} chunks instead of ${count}`)
  return { texts: [...texts], source }
}
