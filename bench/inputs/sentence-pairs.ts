import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { evaluationFolder } from './evaluation-folder.ts'

/** Two sentences and how alike people found them, from 0 to 5. */
export interface SentencePair {
  readonly s1: string
  readonly s2: string
  readonly score: number
}

/** A part of the STS benchmark, as far as it may be passed on (test: 879 pairs, dev: 1,000); empty when the folder is not there. */
export function readSentencePairs(part: 'test' | 'dev'): SentencePair[] {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'stsb', `sts-${part}.jsonl`)
  if (folder === null || !existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SentencePair)
}
