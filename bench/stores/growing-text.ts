import { openBeam } from '../inputs/beam.ts'
import { englishText } from '../inputs/english-text.ts'
import { between, openRandom, pick, type Random, shuffle } from '../inputs/random.ts'

/** Documents without end, the same at every run, and questions about the first of them. */
export interface GrowingText {
  /** Where the words come from, for the notes of a bench. */
  readonly source: string
  readonly questions: readonly string[]
  /** Documents of about `size` code units, one after the other. */
  documents(size: number): Generator<string>
}

/** One word in this many is exchanged for one drawn from all words of the texts, as often as it stands in them. */
const exchanged = 6
/** One word in this many becomes one that was never seen: vocabularies grow with their collections. */
const invented = 400

/**
 * BEAM's conversations, then the same paragraphs in other orders with words exchanged: the first 180,000 children are real. Without BEAM,
 * English prose.
 */
export function growingText(): GrowingText {
  const beam = openBeam()
  const texts =
    beam === null
      ? [englishText(20_000_000).text]
      : Array.from(beam.conversations(), (messages) =>
          messages.map(({ content }) => content.toWellFormed().replaceAll('\u0000', '\ufffd')).join('\n\n'),
        )
  const paragraphs = texts.flatMap((text) => text.split('\n\n'))
  const questions =
    beam === null
      ? paragraphs.filter((paragraph) => paragraph.length > 60).map((paragraph) => paragraph.slice(0, 100))
      : beam.questions('100K').map(({ question }) => question)
  const real = beam === null ? 'English prose' : "BEAM's conversations and questions"
  return {
    questions,
    source: `${real}; when they are used up, their paragraphs in another order with one word in ${exchanged} exchanged for one drawn by its frequency and one in ${invented} for one that was never there`,
    *documents(size) {
      const random = openRandom(5)
      const words = paragraphs.join(' ').match(/\b[a-z]+\b/g) ?? ['word']
      for (let pass = 0; ; pass++) {
        let parts: string[] = []
        let length = 0
        for (const paragraph of pass === 0 ? paragraphs : shuffle(random, paragraphs)) {
          const part = pass === 0 ? paragraph : vary(random, paragraph, words)
          parts.push(part)
          length += part.length + 2
          if (length < size) continue
          yield parts.join('\n\n')
          parts = []
          length = 0
        }
      }
    },
  }
}

function vary(random: Random, paragraph: string, words: readonly string[]): string {
  return paragraph.replaceAll(/\b[a-z]+\b/g, (word) => {
    const drawn = between(random, 1, exchanged * invented)
    if (drawn % exchanged !== 0) return drawn % invented === 1 ? invent(random) : word
    return pick(random, words)
  })
}

const syllables = ['ba', 'kor', 'lin', 'mas', 'tre', 'vo', 'shi', 'den', 'pul', 'ga', 'ner', 'ost', 'qui', 'ram', 'zel', 'fy']

function invent(random: Random): string {
  return Array.from({ length: between(random, 2, 5) }, () => pick(random, syllables)).join('')
}
