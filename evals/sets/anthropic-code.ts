import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { passAt } from 'ashlar/evaluation'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import { readLines } from '../../bench/inputs/read-lines.ts'
import type { EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { documentOfPieces, pieceName, rankPieces } from '../set-pieces.ts'

interface CodeFile {
  readonly original_uuid: string
  readonly chunks: readonly { readonly content: string }[]
}

interface CodeQuestion {
  readonly query: string
  readonly golden_chunks: readonly { readonly content: string }[]
  readonly golden_doc_uuids: readonly string[]
  readonly meta: { readonly relative_path: string }
}

const passes = [5, 10, 20]

/** Anthropic's contextual-retrieval code set: files of nine projects, judged by its own chunks. */
export function readAnthropicCode({ quick }: ReadOptions): EvalSet | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'anthropic_contextual')
  if (!existsSync(home)) return null
  const all = JSON.parse(readFileSync(join(home, 'codebase_chunks.json'), 'utf8')) as CodeFile[]
  const files = quick ? all.slice(0, 15) : all
  const ids = new Set(files.map(({ original_uuid }) => original_uuid))
  const asked = readLines<CodeQuestion>(readFileSync(join(home, 'evaluation_set.jsonl'), 'utf8'))
  const paths = new Map(asked.flatMap(({ golden_doc_uuids, meta }) => golden_doc_uuids.map((id) => [id, meta.relative_path])))
  const documents = files.map(({ original_uuid: id, chunks }) => ({
    id,
    title: paths.get(id)!,
    format: 'plain' as const,
    ...documentOfPieces(chunks.map(({ content }) => content)),
  }))
  const texts = new Map(
    documents.flatMap(({ id, text, pieces }) => pieces.map(({ start, end }, at) => [pieceName(id, at), text.slice(start, end)])),
  )
  const rank = rankPieces(documents)
  const questions = asked
    .map(({ query, golden_chunks, golden_doc_uuids }, at): EvalQuestion & { readonly files: readonly string[] } => {
      const golden = golden_chunks.map(({ content }) => content)
      return {
        id: `${at}`,
        text: query,
        part: 'test',
        files: golden_doc_uuids,
        judge(found) {
          const ranked = rank(found).map((piece) => texts.get(piece)!)
          return passes.map((pass) => passAt(ranked, golden, pass))
        },
      }
    })
    .filter(({ files }) => files.every((id) => ids.has(id)))
  return {
    name: 'anthropic-code',
    measures: passes.map((pass) => `Pass@${pass}`),
    depth: 150,
    documents: true,
    collections: [{ id: 'anthropic-code', documents, questions }],
    note: "90 files of source code, each titled with its path; the set's own chunks are pieces. Pass@k of the set: share of the golden chunks among the first k pieces that the hits bring. All 248 questions are the test part; nothing is chosen on them.",
  }
}
