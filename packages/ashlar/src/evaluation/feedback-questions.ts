import type { FeedbackEntry } from '../library/feedback.ts'
import type { Library } from '../library/library.ts'
import type { DocumentSpan } from './document-span.ts'
import { type Question, question } from './question.ts'

/**
 * Makes questions of feedback: what somebody searched for, with the pieces that they called helpful as the answer. Feedback that names no
 * piece, or one that is not there any more, is left out.
 */
export async function feedbackQuestions(
  library: Pick<Library, 'store' | 'listFeedback'>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly Question[]> {
  const golds = new Map<string, DocumentSpan[]>()
  let after: string | undefined
  do {
    const page = await library.listFeedback({ limit: 1000, ...options, ...(after === undefined ? {} : { after }) })
    for (const entry of page.items) {
      const span = await pieceOf(library, entry, options)
      if (span !== undefined) golds.set(entry.query, [...(golds.get(entry.query) ?? []), span])
    }
    after = page.next
  } while (after !== undefined)
  return Array.from(golds, ([query, gold]) => question('feedback', query, gold))
}

async function pieceOf(
  { store }: Pick<Library, 'store'>,
  { verdict, hit, document }: FeedbackEntry,
  options: { readonly signal?: AbortSignal },
): Promise<DocumentSpan | undefined> {
  if (verdict !== 'helpful' || hit === undefined || document === undefined) return undefined
  const [record] = await store.get([document], options)
  const piece = record?.tree.children.find(({ id }) => id === hit)
  return piece && { document, start: piece.start, end: piece.end }
}
