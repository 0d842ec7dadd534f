import { recallAt } from 'ashlar/evaluation'
import { readParagraphQuestions } from '../../bench/inputs/paragraph-questions.ts'
import type { EvalCollection, EvalSet, ReadOptions } from '../eval-set.ts'
import { partByHash } from '../question-part.ts'
import { rankDocuments } from '../set-pieces.ts'

const languages = ['ar', 'de', 'el', 'en', 'es', 'hi', 'ro', 'ru', 'th', 'tr', 'vi', 'zh']

/** XQuAD: the same paragraphs and questions in twelve languages, each a collection, judged by the paragraph that is found first. */
export function readXquad({ quick }: ReadOptions): EvalSet | null {
  const collections = (quick ? ['de', 'zh'] : languages).flatMap((language): EvalCollection[] => {
    const set = readParagraphQuestions(language)
    if (set === null) return []
    const name = (paragraph: number): string => `${language}/${paragraph}`
    return [
      {
        id: language,
        documents: set.paragraphs.map((text, at) => ({ id: name(at), text, format: 'plain' })),
        questions: set.questions
          .filter((_, at) => !quick || at % 6 === 0)
          .map(({ id, text, paragraph, answer }) => ({
            id: `${language}/${id}`,
            text,
            part: partByHash(id),
            category: language,
            cluster: id,
            gold: [{ document: name(paragraph), ...answer }],
            judge: (found) => [recallAt(rankDocuments(found), [name(paragraph)], 1)],
          })),
      },
    ]
  })
  if (collections.length === 0) return null
  return {
    name: 'xquad',
    measures: ['paragraph R@1'],
    depth: 5,
    worst: 'language',
    documents: false,
    collections,
    note: '240 paragraphs in each of 12 languages, each a document; 1,190 questions a language. Test: those whose SHA-256 of the id begins with an odd byte, the same in every language.',
  }
}
