import { chunkMarkdown, chunkText, markdown } from 'ashlar'
import { buildTree, type Tree } from 'ashlar/tree'
import type { EvalDocument } from '../eval-set.ts'
import { inRuns, nestedTree } from '../nested-tree.ts'

const childSize = 300
const parentSize = 800
const sectionSize = 2400
const turnsOfParent = 5

/** The tree that the design cut a document of a set into: sections and parents as the set suggests, where the product goes by size. */
export function designTree(set: string, document: EvalDocument): Tree {
  const { id, text, pieces = [] } = document
  const texts = pieces.map(({ start, end }) => text.slice(start, end))
  if (set === 'locomo') return nestedTree(id, 'turns', [inCounts(texts, turnsOfParent)])
  if (set === 'anthropic-code') {
    const sections = inRuns(texts, sectionSize, (piece) => piece.length)
    return nestedTree(
      id,
      'code',
      sections.map((section) => section.map((piece) => cut(piece, chunkText))),
    )
  }
  if (set === 'beam') {
    const parts = (message: string): string[][] => inRuns(cut(message, chunkMarkdown), parentSize, (piece) => piece.length)
    return nestedTree(
      id,
      'turns',
      inCounts(texts, 2).map((exchange) => exchange.flatMap(parts)),
    )
  }
  return buildTree(text, { document: id, format: markdown, child: childSize })
}

function cut(text: string, chunk: typeof chunkText): string[] {
  return Array.from(chunk(text, { size: childSize, overlap: 0, trim: false }), (piece) => piece.text)
}

function inCounts<T>(items: readonly T[], count: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / count) }, (_, run) => items.slice(count * run, count * (run + 1)))
}
