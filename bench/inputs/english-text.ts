import { readCorpora } from './evaluation-folder.ts'
import { between, openRandom, pick, type Random, shuffle } from './random.ts'

export interface SourcedText {
  readonly text: string
  /** Where the words come from, for the notes of a bench. */
  readonly source: string
}

/**
 * English prose of about `size` code units, the same on every run.
 *
 * Real corpora are repeated until the size is reached; each pass puts their paragraphs into another order and exchanges
 * one word in sixteen, so that no cache and no repeated id makes the later passes cheaper than the first.
 */
export function englishText(size: number): SourcedText {
  const corpora = readCorpora()
  const random = openRandom(1)
  const paragraphs = corpora.length > 0 ? corpora.flatMap(({ text }) => toParagraphs(text)) : inventParagraphs(random)
  const words = paragraphs.map((paragraph) => paragraph.split(' '))
  const vocabulary = words.flat().filter((word) => /^[a-z]{3,12}$/.test(word))
  const parts: string[] = []
  let length = 0
  for (let pass = 0; length < size; pass++) {
    for (const paragraph of pass === 0 ? words : shuffle(random, words)) {
      const part = pass === 0 ? paragraph.join(' ') : vary(random, paragraph, vocabulary)
      parts.push(part)
      length += part.length + 2
      if (length >= size) break
    }
  }
  const text = parts.join('\n\n')
  const source =
    corpora.length > 0 ? "Chroma's evaluation corpora, repeated with changes" : 'generated English-like text (no ../shared/eval)'
  return { text, source }
}

/** Paragraphs where the text has blank lines, else its lines. */
function toParagraphs(text: string): string[] {
  const paragraphs = text.split('\n\n')
  return paragraphs.length > 4 ? paragraphs : text.split('\n')
}

function vary(random: Random, words: readonly string[], vocabulary: readonly string[]): string {
  const varied = [...words]
  for (let i = between(random, 0, 15); i < varied.length; i += between(random, 1, 31)) {
    // Words that end or open something stay: sentences must keep their ends.
    if (/^[a-z]+$/.test(varied[i]!)) varied[i] = pick(random, vocabulary)
  }
  return varied.join(' ')
}

/** Words of one to four syllables, common ones short and frequent; sentences of 4-30 words with commas; paragraphs of 1-9 sentences. */
function inventParagraphs(random: Random): string[] {
  const onsets = ['b', 'c', 'd', 'f', 'g', 'h', 'l', 'm', 'n', 'p', 'r', 's', 't', 'w', 'st', 'tr', 'ch', 'th', 'pl', '']
  const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou']
  const codas = ['', 'n', 's', 't', 'r', 'l', 'nd', 'st', 'ng']
  const syllable = (): string => pick(random, onsets) + pick(random, vowels) + pick(random, codas)
  const vocabulary = Array.from({ length: 6000 }, (_, rank) =>
    Array.from({ length: rank < 60 ? 1 : between(random, 1, 4) }, syllable).join(''),
  )
  const word = (): string => vocabulary[Math.floor(vocabulary.length * random() ** 3)]!
  const sentence = (): string => {
    const words = Array.from({ length: between(random, 4, 30) }, word)
    for (let i = between(random, 5, 12); i < words.length - 1; i += between(random, 5, 12)) words[i] += ','
    words[0] = words[0]!.charAt(0).toUpperCase() + words[0]!.slice(1)
    return `${words.join(' ')}${pick(random, ['.', '.', '.', '.', '?', '!'])}`
  }
  return Array.from({ length: 2500 }, () => Array.from({ length: between(random, 1, 9) }, sentence).join(' '))
}
