import { sha256 } from '../text/sha-256.ts'
import { type CorpusDocument, formatNamed } from './corpus.ts'
import { definitionQuestions } from './definition-questions.ts'
import { type DocumentStructure, documentStructure } from './document-structure.ts'
import { countSentences, factQuestions } from './fact-questions.ts'
import { headingQuestions } from './heading-questions.ts'
import type { Question, QuestionKind } from './question.ts'

export interface MakeQuestionsOptions {
  /** The most questions. @default 200 */
  readonly limit?: number
  /** What they are made of. @default all three */
  readonly kinds?: readonly ('heading' | 'definition' | 'fact')[]
}

/**
 * Makes questions from documents without a model: from headings, definitions and rare facts, as many of each as there are, spread over the
 * documents. The same documents give the same questions.
 *
 * They repeat words of the text more than people do, so that they flatter a search by words: read what one configuration has more than
 * another, and not how much it has.
 */
export async function makeQuestions(
  documents: readonly CorpusDocument[],
  { limit = 200, kinds = ['heading', 'definition', 'fact'] }: MakeQuestionsOptions = {},
): Promise<readonly Question[]> {
  const read: (readonly [CorpusDocument, DocumentStructure])[] = []
  for (const document of documents) {
    read.push([document, documentStructure(document.text, await formatNamed(document.format))])
  }
  const corpus = countSentences(read)
  const found: Question[] = []
  for (const [document, structure] of read) {
    if (kinds.includes('heading')) found.push(...headingQuestions(document, structure))
    if (kinds.includes('definition')) found.push(...definitionQuestions(document, structure))
    if (kinds.includes('fact')) found.push(...factQuestions(document, structure, corpus))
  }
  return chooseQuestions(withoutDoubtful(found), limit)
}

/** Questions that are asked in two places have two answers, and nobody knows which is meant. */
function withoutDoubtful(questions: readonly Question[]): Question[] {
  const asked = Map.groupBy(questions, ({ text }) => text.toLowerCase())
  return questions.filter(({ text }) => asked.get(text.toLowerCase())?.length === 1)
}

/** So many of them, kinds and documents taking turns, in an order that a hash draws. */
export function chooseQuestions(questions: readonly Question[], limit: number): readonly Question[] {
  if (questions.length <= limit) return questions
  const turns = [...Map.groupBy(questions, ({ kind }) => kind)].map(([kind, own]) => byTurns(kind, own))
  const chosen: Question[] = []
  for (let round = 0; chosen.length < limit; round++) {
    for (const turn of turns) {
      const next = turn[round]
      if (next !== undefined && chosen.length < limit) chosen.push(next)
    }
  }
  const order = new Map(questions.map(({ id }, at) => [id, at]))
  return chosen.sort((left, right) => (order.get(left.id) as number) - (order.get(right.id) as number))
}

function byTurns(kind: QuestionKind, questions: readonly Question[]): readonly Question[] {
  const byHash = questions
    .map((one) => ({ one, hash: sha256(`${kind} ${one.id}`, 64) }))
    .sort((left, right) => (left.hash < right.hash ? -1 : 1))
    .map(({ one }) => one)
  const documents = [...Map.groupBy(byHash, ({ gold }) => gold[0]?.document ?? '').values()]
  const longest = Math.max(...documents.map((own) => own.length))
  return Array.from({ length: longest }, (_, round) => documents.flatMap((own) => own.slice(round, round + 1))).flat()
}
