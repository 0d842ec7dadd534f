import { type Chunk, identify } from 'ashlar'
import { exchangeFiveWords } from '../inputs/edit.ts'
import { readCorpora } from '../inputs/evaluation-folder.ts'

const places = 8

/** How many chunk ids an exchange of five words changes, at eight places of 40,000 characters of each of Chroma's corpora. */
export async function countNewIds(cut: (text: string) => Promise<Chunk[]>): Promise<number[]> {
  const changes: number[] = []
  for (const { text: whole } of readCorpora()) {
    const text = whole.slice(0, 40_000)
    const before = new Set(idsOf(await cut(text)))
    for (let place = 0; place < places; place++) {
      const after = idsOf(await cut(exchangeFiveWords(text, (place + 0.5) / places)))
      changes.push(after.filter((id) => !before.has(id)).length)
    }
  }
  return changes
}

function idsOf(chunks: readonly Chunk[]): string[] {
  return Array.from(identify(chunks), ({ id }) => id)
}
