import { type Term, terms } from '../enrich/term.ts'
import { englishStopWords } from '../vector/stop-words.ts'
import type { CorpusDocument } from './corpus.ts'
import type { DocumentStructure } from './document-structure.ts'
import { type Question, question } from './question.ts'

/** In how many sentences of the corpus each term stands. */
export type TermFrequencies = ReadonlyMap<string, number>

/** Counts sentences by term, over documents. */
export function countSentences(documents: Iterable<readonly [CorpusDocument, DocumentStructure]>): {
  readonly frequencies: TermFrequencies
  readonly sentences: number
} {
  const frequencies = new Map<string, number>()
  let count = 0
  for (const [{ text }, { sentences }] of documents) {
    for (const { start, end } of sentences) {
      count++
      for (const term of new Set(Array.from(terms(text.slice(start, end)), (found) => found.term))) {
        frequencies.set(term, (frequencies.get(term) ?? 0) + 1)
      }
    }
  }
  return { frequencies, sentences: count }
}

const shortestSentence = 50
const longestSentence = 320
/** Words that a question keeps: about as many as people type. */
const fewest = 3
const mostWords = 4
/** Stands for what is left out. */
const gap = '…'

/**
 * Asks for a number or a rare word by a few words of its sentence: "wall … metres high" for "The wall is 12 metres high". The less
 * rare of its words are kept.
 */
export function* factQuestions(
  { id, text }: CorpusDocument,
  { sentences }: DocumentStructure,
  corpus: ReturnType<typeof countSentences>,
): Generator<Question, undefined> {
  // Rare is what one sentence in two hundred holds; in a small corpus, what three hold.
  const most = Math.max(3, Math.floor(corpus.sentences / 200))
  // What the question keeps may be twice as common: words that stand nowhere else would find the sentence by themselves.
  const mostKept = Math.max(4, Math.floor(corpus.sentences / 100))
  const frequency = ({ term }: Term): number => corpus.frequencies.get(term) ?? 1
  for (const { start, end } of sentences) {
    if (end - start < shortestSentence || end - start > longestSentence) continue
    const sentence = text.slice(start, end)
    if (/[|<>{}=\\]|https?:/.test(sentence)) continue
    const found = [...terms(sentence)]
    const rare = found.filter((term) => frequency(term) <= most)
    const answer =
      rare.find(({ term }) => /\d/.test(term)) ?? rare.toSorted((left, right) => frequency(left) - frequency(right))[0]
    if (answer === undefined) continue
    const kept = found
      .filter((one, at) => isTelling(one) && one.term !== answer.term && found.findIndex(({ term }) => one.term === term) === at)
      .filter((one) => frequency(one) <= mostKept)
      .toSorted((left, right) => frequency(right) - frequency(left))
      .slice(0, mostWords)
    if (kept.length < fewest) continue
    const asked = [...kept, answer]
      .toSorted((left, right) => left.start - right.start)
      .map((one) => (one === answer ? gap : sentence.slice(one.start, one.end)))
    yield question('fact', asked.join(' '), [{ document: id, start, end }])
  }
}

/** In a small corpus words that name nothing are rare as well. */
function isTelling({ term }: Term): boolean {
  return (
    (/\p{L}{4}/u.test(term) || /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(term)) &&
    !englishStopWords.words.has(term)
  )
}
