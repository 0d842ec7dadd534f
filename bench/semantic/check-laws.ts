import { markdown, plain } from 'ashlar'
import { chunkerContract } from 'ashlar/testing'
import { chunkSemantic } from 'ashlar/vectors'
import { readCorpora, readLanguages } from '../inputs/evaluation-folder.ts'
import type { BenchModel } from './open-models.ts'

/** How many tests of the chunker contract were run, and what the failed ones say. */
export interface LawsReport {
  readonly tests: number
  readonly failures: readonly string[]
}

/**
 * Puts the contract of chunkers to semantic chunks: laws 1 to 6 on generated texts, on texts without a break, on edits and on real
 * documents, in plain text and markdown, by both similarities.
 */
export async function checkSemanticLaws(
  { embedder }: BenchModel,
  quick: boolean,
  step: (name: string, done: number, total: number) => void,
): Promise<LawsReport> {
  const tests: { readonly name: string; readonly body: () => Promise<void> }[] = []
  const real = [...readCorpora(), ...readLanguages()].map(({ name, text }) => ({
    name,
    text: text.slice(0, quick ? 5000 : 60_000),
  }))
  const test = (name: string, body: () => Promise<void>): void => void tests.push({ name, body })
  for (const format of [plain, markdown]) {
    for (const options of [{}, { similarity: 'cosine', threshold: 0.3, minSentences: 2, maxSentences: 12 }] as const) {
      chunkerContract({
        name: `${'similarity' in options ? 'cosine' : 'relative'}, ${format.id}`,
        test,
        runs: quick ? 20 : 300,
        format: format.id,
        documents: real,
        chunk: (text, settings) => chunkSemantic(text, { embedder, format, ...options, ...settings }),
      })
    }
  }
  const failures: string[] = []
  for (const [at, { name, body }] of tests.entries()) {
    step(name, at, tests.length)
    try {
      await body()
    } catch (error) {
      failures.push(`${name}: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`)
    }
  }
  return { tests: tests.length, failures }
}
