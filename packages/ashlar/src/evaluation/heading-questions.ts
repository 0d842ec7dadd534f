import type { CorpusDocument } from './corpus.ts'
import type { DocumentStructure } from './document-structure.ts'
import { type Question, question } from './question.ts'

/** A body that is shorter says nothing, a longer one is more than one answer. */
const shortestBody = 60
const longestBody = 2_400

/** Asks for each section by the titles above it, innermost two; the text below the heading, without the heading, is the answer. */
export function* headingQuestions(
  { id, title, text }: CorpusDocument,
  { headed }: DocumentStructure,
): Generator<Question, undefined> {
  for (const { outline, body } of headed) {
    const size = body.end - body.start
    if (size < shortestBody || size > longestBody) continue
    const titles = outline[0] === title || title === '' ? outline : [title, ...outline]
    const asked = titles.slice(-2).join(': ')
    if (tellingWords(asked) < 2 || text.slice(body.start, body.end).includes(asked)) continue
    yield question('heading', asked, [{ document: id, ...body }])
  }
}

function tellingWords(text: string): number {
  return text.match(/\p{L}{3,}/gu)?.length ?? 0
}
