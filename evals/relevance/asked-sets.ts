import type { EvalCollection, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { readAnthropicCode } from '../sets/anthropic-code.ts'
import { readAnthropicDocs } from '../sets/anthropic-docs.ts'
import { readChroma } from '../sets/chroma.ts'
import { readLocomo } from '../sets/locomo.ts'
import { readQmsum } from '../sets/qmsum.ts'
import { readSciFactSet } from '../sets/scifact.ts'
import { readXquad } from '../sets/xquad.ts'

/** A set with questions from elsewhere beside its own. */
export interface AskedSet extends Pick<EvalSet, 'name' | 'documents' | 'note'> {
  /** Whether its development part sets constants. */
  readonly fits: boolean
  /** Whether its evidence is as narrow as a hit; of a chunk, a document or a topic most hits hold nothing that answers. */
  readonly exact: boolean
  readonly collections: readonly (EvalCollection & { readonly foreign: readonly EvalQuestion[] })[]
}

/** About as many questions of a set, and as many of its collections, tell as much as all of them. */
const enough = 400
const collectionsEnough = 14

/** The sets that relevance is looked at on, and very small libraries made of one of them. */
export function readAskedSets(options: ReadOptions): AskedSet[] {
  const xquad = readXquad({ quick: false })?.collections.find(({ id }) => id === 'en')
  if (xquad === undefined) return []
  // Questions about history and science, in English, that no other set has documents for.
  const foreign = xquad.questions
  const most = options.quick ? 40 : enough
  const chroma = { set: readChroma(options), fits: true, exact: true }
  const chosen = options.quick
    ? [chroma]
    : [
        chroma,
        { set: readSciFactSet({ ...options, claims: 150, abstracts: 600 }), fits: true, exact: true },
        { set: readLocomo(options), fits: false, exact: true },
        { set: readAnthropicCode(options), fits: false, exact: false },
        { set: readAnthropicDocs(options), fits: false, exact: false },
        { set: readQmsum(options), fits: false, exact: false },
      ]
  const large = chosen.flatMap(({ set, fits, exact }): AskedSet[] => {
    if (set === null) return []
    // A part that chooses nothing need not be asked, and of some claims no sentence is named.
    const asked = set.collections
      .map((collection) => ({
        ...collection,
        questions: collection.questions.filter(({ part, gold }) => (fits || part === 'test') && gold?.length !== 0),
      }))
      .filter(({ questions }) => questions.length > 0)
    const some = asked.filter((_, at) => at % Math.ceil(asked.length / collectionsEnough) === 0)
    const every = Math.max(1, Math.floor(some.flatMap(({ questions }) => questions).length / most))
    const collections = some.map(({ questions, ...rest }) => ({
      ...rest,
      questions: questions.filter((_, place) => place % every === 0),
      foreign,
    }))
    return [{ ...set, fits, exact, collections }]
  })
  return [...large, tinyLibraries(xquad, most)]
}

const paragraphsOfArticle = 5

/** Each article of XQuAD in English by itself: five paragraphs, some fifteen children. Its strangers are questions about the next one. */
function tinyLibraries({ documents, questions }: EvalCollection, most: number): AskedSet {
  const articles = Array.from({ length: documents.length / paragraphsOfArticle }, (_, article) => {
    const own = documents.slice(paragraphsOfArticle * article, paragraphsOfArticle * (article + 1))
    const answered = questions.filter(({ judge }) => own.some(({ id }) => judge([{ document: id, start: 0, end: 1 }])[0] === 1))
    return { id: `article ${article + 1}`, documents: own, questions: answered }
  })
  const every = Math.max(1, Math.floor(questions.length / most))
  const collections = articles.map((article, at) => ({
    ...article,
    questions: article.questions.filter((_, place) => place % every === 0),
    foreign: articles[(at + 1) % articles.length]!.questions,
  }))
  return {
    name: 'tiny',
    documents: false,
    fits: true,
    exact: true,
    collections,
    note: 'Each article of XQuAD in English as a library of its own, five paragraphs; its strangers are questions about the next article.',
  }
}
