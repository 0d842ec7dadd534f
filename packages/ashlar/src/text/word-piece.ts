import {
  type BertNormalizerOptions,
  bertNormalizer,
  isFinalSigma,
  isPunctuation,
  type NormalPoint,
  wordPart,
} from './bert-normalizer.ts'
import type { PieceCounter } from './piece-counter.ts'
import { wordPieceVocabulary } from './word-piece-vocabulary.ts'

/** Everything that makes up a WordPiece tokenizer of the BERT kind. */
export interface WordPieceOptions {
  readonly vocabulary: ReadonlyMap<string, number>
  readonly unknownId: number
  /** What entries inside words begin with: `##`. */
  readonly continuingPrefix: string
  /** Longer words are unknown as a whole. */
  readonly longestWord: number
  readonly normalizer: BertNormalizerOptions
  /** Tokens that are looked for in the raw text and stand for themselves: `[CLS]`, `[SEP]`. */
  readonly addedTokens: ReadonlyMap<string, number>
  /** How many tokens the model wants around every text, for counting. @default 0 */
  readonly overhead?: number
}

/** Ids of a text's tokens, and which code units of the text each was made from. */
export interface Encoding {
  readonly ids: number[]
  readonly starts: number[]
  readonly ends: number[]
}

/** A WordPiece tokenizer: it counts by pieces (runs without white space, ideographs) and encodes. Linear, without dependencies. */
export interface WordPiece extends PieceCounter {
  /** The tokens of a text, without the special tokens that a model wants around it. */
  encode(text: string): Encoding
}

/** ASCII by part of a word; upper case apart. */
const upper = 6

/** Makes a WordPiece tokenizer that gives what @huggingface/tokenizers gives, with offsets. */
export function wordPiece(options: WordPieceOptions): WordPiece {
  const { unknownId, longestWord, addedTokens, normalizer } = options
  const vocabulary = wordPieceVocabulary([options.vocabulary, addedTokens], options.continuingPrefix)
  const normal = bertNormalizer(normalizer)
  const ascii = asciiParts(normal)
  /** Which code units an added token begins with, and which ones stand second, so that most text is passed over at a glance. */
  const addedFirst = new Uint8Array(0x10000)
  const addedSecond = new Uint8Array(0x10000)
  const addedContents = [...addedTokens.keys()].toSorted((a, b) => b.length - a.length)
  for (const content of addedContents) {
    addedFirst[content.charCodeAt(0)] = 1
    if (content.length === 1) addedSecond.fill(1)
    else addedSecond[content.charCodeAt(1)] = 1
  }
  const longestAdded = addedContents[0]?.length ?? 0

  // The word being read: its normalized code units and, for each, where in the text it came from.
  const wordUnits = new Uint16Array(2 * longestWord + 2)
  const unitStarts = new Int32Array(wordUnits.length)
  const unitEnds = new Int32Array(wordUnits.length)
  const pieceIds = new Int32Array(wordUnits.length)
  const pieceEnds = new Int32Array(wordUnits.length)
  let wordLength = 0
  let wordPoints = 0
  let wordStart = 0
  let wordEnd = 0

  // What has come of it.
  let output: Encoding | undefined
  let tokens = 0
  let budget = 0
  let fitted = 0
  let fittedTokens = 0
  let lastEnd = 0
  /** A sigma was lower-cased by what follows it, which is something else where the piece is cut short. */
  let sawSigma = false

  function emit(id: number, start: number, end: number): void {
    // One character can become several tokens: only where the next token starts is it known that the one before was its last.
    if (start >= lastEnd && tokens <= budget) {
      fitted = lastEnd
      fittedTokens = tokens
    }
    tokens++
    lastEnd = end
    if (output === undefined) return
    output.ids.push(id)
    output.starts.push(start)
    output.ends.push(end)
  }

  function append(text: string, start: number, end: number): void {
    if (wordPoints === 0) wordStart = start
    wordEnd = end
    // Of a word that is too long to be known, nothing more is kept.
    if (++wordPoints > longestWord) return
    for (let at = 0; at < text.length; at++) {
      wordUnits[wordLength] = text.charCodeAt(at)
      unitStarts[wordLength] = start
      unitEnds[wordLength++] = end
    }
  }

  function endWord(): void {
    if (wordPoints === 0) return
    const pieces = wordPoints <= longestWord ? splitWord() : 0
    wordLength = 0
    wordPoints = 0
    if (pieces === 0) emit(unknownId, wordStart, wordEnd)
    for (let piece = 0, at = 0; piece < pieces; piece++) {
      const end = pieceEnds[piece] as number
      emit(pieceIds[piece] as number, unitStarts[at] as number, unitEnds[end - 1] as number)
      at = end
    }
  }

  /** Takes the longest piece that fits, again and again, and returns how many, or 0 when the vocabulary lacks one. */
  function splitWord(): number {
    let pieces = 0
    for (let at = 0; at < wordLength; at = vocabulary.matchEnd) {
      const id = vocabulary.match(wordUnits, at, wordLength, at > 0)
      if (id < 0) return 0
      pieceIds[pieces] = id
      pieceEnds[pieces++] = vocabulary.matchEnd
    }
    return pieces
  }

  function alone(text: string, start: number, end: number): void {
    endWord()
    append(text, start, end)
    endWord()
  }

  /** Reads one piece, or as much of it as takes the tokens over the budget. */
  function read(text: string, from: number, to: number): void {
    let at = from
    while (at < to && tokens <= budget) {
      const unit = text.charCodeAt(at)
      const part = unit < 0x80 ? (ascii[unit] as number) : -1
      if (part === wordPart.letter || part === upper) {
        if (wordPoints === 0) wordStart = at
        wordEnd = at + 1
        if (++wordPoints <= longestWord) {
          wordUnits[wordLength] = part === upper ? unit | 0x20 : unit
          unitStarts[wordLength] = at
          unitEnds[wordLength++] = at + 1
        }
        at++
        continue
      }
      const point = text.codePointAt(at) as number
      // Half of a pair that the text's end cuts through is a lone one.
      const width = point > 0xffff && at + 1 < to ? 2 : 1
      const found = normal(width === 2 || point <= 0xffff ? point : unit)
      if (point === 0x3a3 && normalizer.lowercase) {
        sawSigma = true
        append(isFinalSigma(text, at, from, to, normal) ? 'ς' : 'σ', at, at + 1)
      } else take(found, at, at + width)
      at += width
    }
    endWord()
  }

  function take({ part, text }: NormalPoint, start: number, end: number): void {
    if (part === wordPart.letter) append(text, start, end)
    else if (part === wordPart.space) endWord()
    else if (part === wordPart.punctuation || part === wordPart.ideograph) alone(text, start, end)
    else if (part === wordPart.several) {
      for (const sign of text) {
        if (isPunctuation(sign)) alone(sign, start, end)
        else append(sign, start, end)
      }
    }
  }

  function addedAt(text: string, at: number, limit: number): string | undefined {
    if (addedFirst[text.charCodeAt(at)] === 0 || addedSecond[text.charCodeAt(at + 1) & 0xffff] === 0) return undefined
    return addedContents.find((content) => at + content.length <= limit && text.startsWith(content, at))
  }

  function end(text: string, from: number, limit: number): number {
    let at = from
    while (at < limit && isBreak(text, at)) at++
    if (at === limit) return limit
    const added = addedAt(text, at, limit)
    if (added !== undefined) return at + added.length
    if (isSolitary(text, at)) return at + 1
    for (at++; at < limit; at++) {
      if (isBreak(text, at) || isSolitary(text, at) || addedAt(text, at, limit) !== undefined) break
    }
    return at
  }

  function isBreak(text: string, at: number): boolean {
    const unit = text.charCodeAt(at)
    return (unit < 0x80 ? ascii[unit] : normal(unit).part) === wordPart.space
  }

  function isSolitary(text: string, at: number): boolean {
    const unit = text.charCodeAt(at)
    return unit >= 0x3400 && normal(unit).part === wordPart.ideograph
  }

  function run(text: string, from: number, to: number, most: number): number {
    tokens = 0
    budget = most
    fitted = from
    fittedTokens = 0
    lastEnd = from
    sawSigma = false
    if (longestAdded > 0) {
      let at = from
      while (at < to && isBreak(text, at)) at++
      const added = at < to ? addedAt(text, at, to) : undefined
      if (added !== undefined) {
        emit(addedTokens.get(added) as number, at, at + added.length)
        return tokens
      }
    }
    read(text, from, to)
    return tokens
  }

  return {
    end,
    unsettled: longestAdded + 3,
    overhead: options.overhead ?? 0,
    count: (text, from, to) => run(text, from, to, Number.POSITIVE_INFINITY),
    countUpTo: run,
    get fitted() {
      return fitted
    },
    get fittedTokens() {
      return sawSigma ? -1 : fittedTokens
    },
    encode(text) {
      const encoding: Encoding = { ids: [], starts: [], ends: [] }
      output = encoding
      try {
        for (let at = 0; at < text.length; ) {
          const next = end(text, at, text.length)
          run(text, at, next, Number.POSITIVE_INFINITY)
          at = next
        }
      } finally {
        output = undefined
      }
      return encoding
    },
  }
}

function asciiParts(normal: (point: number) => NormalPoint): Uint8Array {
  const parts = new Uint8Array(0x80)
  for (let point = 0; point < 0x80; point++) {
    const { part, text } = normal(point)
    parts[point] = part === wordPart.letter && text.charCodeAt(0) !== point ? upper : part
  }
  return parts
}
