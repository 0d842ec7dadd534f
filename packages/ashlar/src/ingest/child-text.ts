import { enrichedText } from '../enrich/enriched-text.ts'
import type { Embedder } from '../model/embedder.ts'
import type { ChildNote } from '../store/store.ts'
import { type EmbeddingTextOptions, embeddingText, structuralContext } from '../tree/structural-context.ts'
import type { Tree } from '../tree/tree.ts'

/** What is embedded for each child of a document: its context, its text, and what was written about it. */
export function childTexts(tree: Tree, notes: readonly ChildNote[], embedder: Embedder): readonly string[] {
  const room = roomOf(embedder)
  const byChild = new Map(notes.map((note) => [note.child, note]))
  return tree.children.map((child) => {
    const note = byChild.get(child.id)
    if (note === undefined) return embeddingText(tree, child, room)
    const text = child.text.trim()
    // A child that is too long by itself is for the embedder to refuse.
    if (room.limit !== undefined && room.counter !== undefined && room.counter(text) > room.limit) return text
    return enrichedText({ text }, note, { ...room, structure: structuralContext(tree, child) }).text
  })
}

/** What the embedder's own prefix leaves of its limit. */
function roomOf({ identity, counter }: Embedder): EmbeddingTextOptions {
  const { maxTokens, documentPrefix } = identity
  if (maxTokens === undefined || counter === undefined) return {}
  return { limit: Math.max(1, maxTokens - counter(documentPrefix)), counter }
}
