import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { markdown, type Span } from 'ashlar'
import { buildTree, type Tree } from 'ashlar/tree'
import { evaluationFolder, readCorpora } from '../inputs/evaluation-folder.ts'
import type { Place, Question, RankingSet } from './ranking-set.ts'

const budget = 1600

/** Chroma's general evaluation: five corpora in one collection, judged by the evidence inside the first 1,600 characters. */
export function readChroma(options: { readonly quick: boolean }): RankingSet | null {
  const folder = evaluationFolder()
  if (folder === null) return null
  const corpora = readCorpora().map(({ name, text }) => ({ name: name.replace('.md', ''), text }))
  // Two small corpora are a minute's work; all five are a few.
  const used = options.quick ? corpora.filter(({ name }) => name === 'state_of_the_union' || name === 'chatlogs') : corpora
  const trees = used.map(({ name, text }) => buildTree(text, { document: name, format: markdown }))
  const rows = readRows(readFileSync(join(folder, 'chunking_evaluation', 'questions_df.csv'), 'utf8')).slice(1)
  const questions = rows.flatMap(([question, references, corpus]): Question[] => {
    const tree = used.findIndex(({ name }) => name === corpus)
    if (tree < 0) return []
    const spans = (JSON.parse(references!) as { start_index: number; end_index: number }[]).map((reference) => ({
      start: reference.start_index,
      end: reference.end_index,
    }))
    return [{ text: question!, judge: (ranked) => evidenceFound(trees, ranked, tree, spans) }]
  })
  return { name: 'Chroma', measure: `evidence in ${budget} characters`, collections: [{ trees, questions }] }
}

/** The share of the evidence that lies in the first characters read; children do not overlap, so nothing is counted twice. */
function evidenceFound(trees: readonly Tree[], ranked: readonly Place[], tree: number, evidence: readonly Span[]): number {
  let left = budget
  let found = 0
  for (const place of ranked) {
    if (left <= 0) break
    const piece = trees[place.tree]!.children[place.child]!
    const end = Math.min(piece.end, piece.start + left)
    left -= end - piece.start
    if (place.tree !== tree) continue
    for (const span of evidence) found += Math.max(0, Math.min(end, span.end) - Math.max(piece.start, span.start))
  }
  return found / evidence.reduce((sum, span) => sum + span.end - span.start, 0)
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
