/** What a BERT tokenizer does to characters before it looks for words. */
export interface BertNormalizerOptions {
  /** Control characters are left out, and white space becomes a space. */
  readonly cleanText: boolean
  /** Ideographs become words of their own. */
  readonly handleChineseCharacters: boolean
  readonly lowercase: boolean
  readonly stripAccents: boolean
}

/** How a code point takes part in words. */
export const wordPart = {
  /** Belongs to a word. */
  letter: 0,
  /** Left out, without ending a word. */
  nothing: 1,
  space: 2,
  /** A word of its own. */
  punctuation: 3,
  /** A word of its own before normalization, whatever it becomes. */
  ideograph: 4,
  /** Becomes several code points, some of which may be punctuation. */
  several: 5,
} as const

/** One code point, normalized. */
export interface NormalPoint {
  readonly part: number
  readonly text: string
}

/**
 * Normalizes code points one by one, with the runtime's Unicode tables, as @huggingface/tokenizers does it for whole texts.
 *
 * One thing depends on neighbours: a capital sigma, whose lower case ends words as ς; see {@link isFinalSigma}.
 */
export function bertNormalizer(options: BertNormalizerOptions): (point: number) => NormalPoint {
  const known: (NormalPoint | undefined)[] = new Array(0x10000)
  const rare = new Map<number, NormalPoint>()
  return (point) => {
    const found = point < known.length ? known[point] : rare.get(point)
    if (found !== undefined) return found
    const normal = normalize(point, options)
    if (point < known.length) known[point] = normal
    else {
      // Emoji and old scripts: few in any one text, too many to keep them all.
      if (rare.size >= 0x8000) rare.clear()
      rare.set(point, normal)
    }
    return normal
  }
}

function normalize(
  point: number,
  { cleanText, handleChineseCharacters, lowercase, stripAccents }: BertNormalizerOptions,
): NormalPoint {
  let text = String.fromCodePoint(point)
  if (cleanText) {
    if (point === 0 || point === 0xfffd || isControl(text)) return { part: wordPart.nothing, text: '' }
    if (/^\s$/.test(text)) return { part: wordPart.space, text: ' ' }
  }
  const ideograph = handleChineseCharacters && isIdeograph(point)
  if (lowercase) text = text.toLowerCase()
  if (stripAccents) text = text.normalize('NFD').replace(/\p{Mn}/gu, '')
  if (ideograph) return { part: wordPart.ideograph, text }
  if (text === '') return { part: wordPart.nothing, text }
  const single = text.length === 1 || (text.length === 2 && (text.codePointAt(0) as number) > 0xffff)
  if (!single) return { part: wordPart.several, text }
  if (/\s/.test(text)) return { part: wordPart.space, text }
  return { part: isPunctuation(text) ? wordPart.punctuation : wordPart.letter, text }
}

/** Whether `text`, one code point, is punctuation to BERT: all ASCII signs, and what Unicode calls so. */
export function isPunctuation(text: string): boolean {
  return /[\p{P}!-/:-@[-`{-~]/u.test(text)
}

function isControl(text: string): boolean {
  return text !== '\t' && text !== '\n' && text !== '\r' && /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u.test(text)
}

/** The blocks that get spaces around them. Those beyond U+FFFF are left alone, as @huggingface/tokenizers leaves them. */
function isIdeograph(point: number): boolean {
  return (point >= 0x4e00 && point <= 0x9fff) || (point >= 0x3400 && point <= 0x4dbf) || (point >= 0xf900 && point <= 0xfaff)
}

/**
 * Whether the capital sigma at `at` in `text[from, to)` becomes ς: a cased letter stands before it and none after it, signs
 * that case ignores and what is left out not counted.
 */
export function isFinalSigma(
  text: string,
  at: number,
  from: number,
  to: number,
  normal: (point: number) => NormalPoint,
): boolean {
  const isSkipped = (sign: string): boolean =>
    /\p{Case_Ignorable}/u.test(sign) || normal(sign.codePointAt(0) as number).part === wordPart.nothing
  const isCased = (sign: string): boolean => /\p{Cased}/u.test(sign)
  let before = ''
  for (let index = at; index > from; index -= before.length) {
    const wide = index - 2 >= from && (text.codePointAt(index - 2) as number) > 0xffff
    before = text.slice(index - (wide ? 2 : 1), index)
    if (!isSkipped(before)) break
  }
  if (!isCased(before) || isSkipped(before)) return false
  for (let index = at + 1; index < to; ) {
    const after = String.fromCodePoint(text.codePointAt(index) as number)
    if (!isSkipped(after)) return !isCased(after)
    index += after.length
  }
  return true
}
