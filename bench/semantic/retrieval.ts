import { type Chunk, chunkText, type Span } from 'ashlar'
import type { ChromaQuestion } from '../inputs/chroma-questions.ts'
import type { SciFact } from '../inputs/scifact.ts'
import { type BenchModel, vectorsOf } from './open-models.ts'

/** What Chroma's evaluation counts for five chunks, and the share of the evidence that fits into a number of characters. */
export interface ChromaScore {
  readonly recall: number
  readonly precision: number
  readonly iou: number
  readonly inside: readonly number[]
}

/** Characters that a reader may be given. */
export const budgets: readonly number[] = [800, 1600, 3200]

const retrieved = 5

/** The pieces of all documents in one list, with a vector each. */
export interface Collection {
  readonly pieces: readonly (Span & { readonly document: string })[]
  readonly vectors: readonly Float32Array[]
}

export async function embedChunks(
  model: BenchModel,
  documents: readonly { readonly name: string; readonly chunks: readonly Chunk[] }[],
  step: (done: number, total: number) => void,
): Promise<Collection> {
  const pieces = documents.flatMap(({ name, chunks }) =>
    chunks.map(({ start, end, text }) => ({ start, end, text, document: name })),
  )
  const texts = pieces.map(({ text }) => text)
  return { pieces, vectors: await vectorsOf(model, texts, 'document', (done) => step(done, pieces.length)) }
}

export async function judgeChroma(
  model: BenchModel,
  collection: Collection,
  questions: readonly ChromaQuestion[],
): Promise<ChromaScore> {
  const queries = await vectorsOf(
    model,
    questions.map(({ text }) => text),
    'query',
  )
  const scores = questions.map((question, at) =>
    judgeQuestion(question, rank(collection.vectors, queries[at]!), collection.pieces),
  )
  const mean = (value: (score: ChromaScore) => number): number =>
    scores.reduce((sum, score) => sum + value(score), 0) / scores.length
  return {
    recall: mean(({ recall }) => recall),
    precision: mean(({ precision }) => precision),
    iou: mean(({ iou }) => iou),
    inside: budgets.map((_, at) => mean(({ inside }) => inside[at]!)),
  }
}

function judgeQuestion(question: ChromaQuestion, ranked: readonly number[], pieces: Collection['pieces']): ChromaScore {
  const total = question.evidence.reduce((sum, { start, end }) => sum + end - start, 0)
  const top = ranked.slice(0, retrieved).map((at) => pieces[at]!)
  // Chunks here do not overlap one another, and neither do the pieces of evidence: what is found is a sum.
  const found = top.reduce((sum, piece) => sum + evidenceIn(question, piece), 0)
  const read = top.reduce((sum, { start, end }) => sum + end - start, 0)
  return {
    recall: found / total,
    precision: found / read,
    iou: found / (read + total - found),
    inside: budgets.map((budget) => evidenceWithin(question, ranked, pieces, budget) / total),
  }
}

function evidenceIn({ corpus, evidence }: ChromaQuestion, piece: Span & { readonly document: string }): number {
  if (piece.document !== corpus) return 0
  return evidence.reduce((sum, span) => sum + Math.max(0, Math.min(piece.end, span.end) - Math.max(piece.start, span.start)), 0)
}

function evidenceWithin(
  question: ChromaQuestion,
  ranked: readonly number[],
  pieces: Collection['pieces'],
  budget: number,
): number {
  let left = budget
  let found = 0
  for (const at of ranked) {
    if (left <= 0) break
    const piece = pieces[at]!
    const end = Math.min(piece.end, piece.start + left)
    found += evidenceIn(question, { ...piece, end })
    left -= end - piece.start
  }
  return found
}

/** nDCG of the first ten documents, each ranked by its best chunk. */
export async function judgeSciFact(model: BenchModel, { pieces, vectors }: Collection, { queries }: SciFact): Promise<number> {
  const asked = await vectorsOf(
    model,
    queries.map(({ text }) => text),
    'query',
  )
  let sum = 0
  for (const [at, { relevant }] of queries.entries()) {
    const documents: string[] = []
    for (const piece of rank(vectors, asked[at]!)) {
      const { document } = pieces[piece]!
      if (!documents.includes(document)) documents.push(document)
      if (documents.length === 10) break
    }
    const gain = documents.reduce((total, id, place) => total + (relevant.has(id) ? 1 / Math.log2(place + 2) : 0), 0)
    let ideal = 0
    for (let place = 0; place < Math.min(10, relevant.size); place++) ideal += 1 / Math.log2(place + 2)
    sum += gain / ideal
  }
  return sum / queries.length
}

/** Indices of all vectors, most similar first; equal ones in their order. Vectors have length 1. */
function rank(vectors: readonly Float32Array[], query: Float32Array): number[] {
  const scores = Float64Array.from(vectors, (vector) => {
    let score = 0
    for (let at = 0; at < vector.length; at++) score += vector[at]! * query[at]!
    return score
  })
  return [...scores.keys()].sort((left, right) => scores[right]! - scores[left]! || left - right)
}

export function meanLength(documents: readonly { readonly chunks: readonly Span[] }[]): number {
  const lengths = documents.flatMap(({ chunks }) => chunks.map(({ start, end }) => end - start))
  return lengths.reduce((sum, length) => sum + length, 0) / lengths.length
}

/** The plain cut of the same documents whose chunks are on average as long as asked for, as nearly as sizes allow. */
export function cutPlainly(
  documents: readonly { readonly name: string; readonly text: string }[],
  wanted: number,
): { readonly size: number; readonly documents: readonly { readonly name: string; readonly chunks: readonly Chunk[] }[] } {
  const cut = (size: number): { readonly name: string; readonly chunks: readonly Chunk[] }[] =>
    documents.map(({ name, text }) => ({ name, chunks: [...chunkText(text, { size, overlap: 0 })] }))
  let low = 20
  let high = 8000
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (meanLength(cut(middle)) < wanted) low = middle
    else high = middle
  }
  const [below, above] = [cut(low), cut(high)]
  const size = wanted - meanLength(below) < meanLength(above) - wanted ? low : high
  return { size, documents: size === low ? below : above }
}
