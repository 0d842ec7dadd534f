import type { ServedPart } from '../../src/testing/provider-wire.ts'
import { sha256 } from '../../src/text/sha-256.ts'

/** The chunk that a prompt of the English template asks about. */
export function chunkIn(parts: readonly ServedPart[]): string {
  const own = parts.at(-1)?.text ?? ''
  return /">\n([\s\S]*)\n<\/chunk>$/.exec(own)?.[1] ?? own
}

/** A name that only this chunk has. */
export function nameOf(chunk: string): string {
  return `n${sha256(chunk, 64)}`
}

/** Answers all three kinds, with words that only the answer about this chunk has. */
export function lineAnswer(parts: readonly ServedPart[]): string {
  const name = nameOf(chunkIn(parts))
  return [
    `context: Stands where ${name} stands.`,
    `question: What is ${name}?`,
    `question: Where is ${name}?`,
    `keywords: ${name}; wall; Wall`,
  ].join('\n')
}
