import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunkText } from 'ashlar'
import type { Tree } from 'ashlar/tree'
import { evaluationFolder } from '../../bench/inputs/evaluation-folder.ts'
import type { EvalQuestion, EvalSet, Found } from '../eval-set.ts'
import { inRuns, nestedTree } from '../nested-tree.ts'

interface CodeFile {
  readonly doc_id: string
  readonly original_uuid: string
  readonly content: string
  readonly chunks: readonly { readonly content: string; readonly original_index: number }[]
}

interface CodeQuestion {
  readonly query: string
  readonly golden_chunks: readonly { readonly content: string }[]
  readonly golden_doc_uuids: readonly string[]
}

const passes = [5, 10, 20]
const childSize = 300
const sectionSize = 2400

/** Anthropic's contextual-retrieval code set: its own chunks, each found by the best of its children. */
export function readAnthropicCode({ quick }: { readonly quick: boolean }): EvalSet | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'anthropic_contextual')
  if (!existsSync(home)) return null
  const all = JSON.parse(readFileSync(join(home, 'codebase_chunks.json'), 'utf8')) as CodeFile[]
  const files = quick ? all.slice(0, 15) : all
  const trees = files.map(toTree)
  const asked = readFileSync(join(home, 'evaluation_set.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as CodeQuestion)
    .filter(({ golden_doc_uuids }) => golden_doc_uuids.every((id) => files.some(({ original_uuid }) => original_uuid === id)))
  const chunkOf = openChunks(trees)
  const questions = asked.map(({ query, golden_chunks }): EvalQuestion => {
    const golden = golden_chunks.map(({ content }) => content.trim())
    return {
      text: query,
      test: true,
      judge(ranked) {
        const texts = [...new Set(ranked.map(chunkOf))].map((parent) => parent.text.trim())
        return passes.map((pass) => golden.filter((text) => texts.slice(0, pass).includes(text)).length / golden.length)
      },
    }
  })
  return {
    name: 'Anthropic code',
    measures: passes.map((pass) => `Pass@${pass}`),
    depth: 150,
    documents: true,
    collections: [{ trees, questions }],
    note: `Anthropic code: the set's own chunks as parents, each in children of at most ${childSize} characters, sections of at most ${sectionSize}, files as documents whose words count; a chunk scores as its best child; all 248 questions. They chose no weight, but leaving stop words out of lexical queries was decided with this set in view: not held out any more.`,
  }
}

function toTree({ doc_id, chunks }: CodeFile): Tree {
  const texts = chunks.map(({ content }) => content)
  const sections = inRuns(texts, sectionSize, (text) => text.length)
  return nestedTree(
    doc_id,
    'code',
    sections.map((section) =>
      section.map((text) => Array.from(chunkText(text, { size: childSize, overlap: 0, trim: false }), (piece) => piece.text)),
    ),
  )
}

/** The set's chunk that a child belongs to. */
function openChunks(trees: readonly Tree[]): (found: Found) => Tree['parents'][number] {
  const byDocument = new Map(
    trees.map(({ document, children, parents }) => [
      document,
      new Map(children.map(({ start, above }) => [start, parents[above]!])),
    ]),
  )
  return ({ document, start }) => byDocument.get(document)!.get(start)!
}
