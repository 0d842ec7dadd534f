import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Span } from 'ashlar'
import { evaluationFolder } from './evaluation-folder.ts'

/** A question of Chroma's chunking evaluation and where its evidence stands in which corpus. */
export interface ChromaQuestion {
  readonly text: string
  readonly corpus: string
  readonly evidence: readonly Span[]
}

/** The 472 questions over the corpora of `readCorpora`; empty when the folder is not there. */
export function readChromaQuestions(): ChromaQuestion[] {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'chunking_evaluation', 'questions_df.csv')
  if (!existsSync(file)) return []
  return readRows(readFileSync(file, 'utf8'))
    .slice(1)
    .map(([text, references, corpus]) => ({
      text: text!,
      corpus: `${corpus}.md`,
      evidence: (JSON.parse(references!) as { start_index: number; end_index: number }[]).map((reference) => ({
        start: reference.start_index,
        end: reference.end_index,
      })),
    }))
}

/** Rows of a CSV file as RFC 4180 has them. */
function readRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? bare! : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (row.length > 1) rows.push(row)
    row = []
  }
  return rows
}
