import { isWhiteSpace } from './white-space.ts'

/** What a code unit can be to sentences and words; one unit can be several of them. */
export const characterKind = {
  space: 1,
  /** Worth asking `sentenceEndAt` about. */
  terminator: 2,
  /** Ends a sentence as part of a run of marks: "?!", "...". */
  stop: 4,
  /** A stop of a script that needs no white space after it: 。 । ؟ */
  hard: 8,
  /** May stand between the last mark of a sentence and the white space after it: quotes, brackets, emphasis. */
  closer: 16,
  /** May stand before the first letter of a sentence. */
  opener: 32,
  /** Letters, digits and marks; also the high surrogates of such. */
  word: 64,
  /** A word character of a script written without spaces: a word of its own, together with its marks. */
  solo: 128,
} as const

/**
 * Lengths in base 36 of the runs of code units that are in turn no part of a word and part of one (Unicode 17: letters,
 * numbers, marks). Unassigned code points go with the run before them, which keeps the list short.
 */
const wordRuns =
  '1c a 7 q 6 q 1b 1 7 2 1 1 3 2 1 3 1 n 1 v 1 cq 4 c e 5 7 1 1 1 h 39 1 8 1 5 2 1 1 32 1 3v 1 5z 6 15 8 19 1 1 1 2 1 ' +
  '2 1 18 t b 5 22 4 2u 1 8 2 a 1 j 2 1 g 6e 4 4 2 1c g u 2 14 1 7 7 23 1 3l 2 a 1 3l 2 6 2 1 1 3c b 33 9 3b 1 3m d 3b ' +
  '1 7 1 4 1 5m 5 11 1 3e d 1q 1 f 1 a 13 3k n 2 6 k 1 1 1 1 1 1 4 1z 1 1k 8 1 1l 22 6 26 2 2j 1 h0 9 13 g 2o 1 h8 2 h ' +
  '1 q 5 23 3 1z b 44 3 1 4 10 b 3 1 8h 6 48 y u 2 3k 7 1 8 4e 2 a h 9 c 3g 4 1n 5 1q 2 1s g 3 1 kp 1 1 3 b 3 d 3 d 5 ' +
  'b 37 a 5 b 6 g 1c 1c 2 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 1m k6 1o 26 m hi u vg 6d 6 e 4 1 2 34 f ' +
  '3l 1b 1 d1 3 p f 1 5 2 5 4 2i 2 3 1 2i 1 44 2 4 a w 1c g w a u 8 1 f w a 13 f 8w 534 1s h3k 1s 1a 2 7h 3 2r 1 a 1 ' +
  '37 11 9 2 2v 2 4d 4 a a 1g c 26 2 14 3 1 1 1d 2 1b 1 2p e f 2 3g 4 n 3 2s 2 g 2 2x 1 e 6 3f 1 fnh 1 3s x a3 i 1s 2 ' +
  '1i 14 c 4 g g g 1s 3z h a 7 q 6 q b 3e'

const stops = '.!?…‥⋯\u037e‼‽⁇⁈⁉．⸮⸼'

/** Unicode's sentence terminals of the scripts in which a mark alone separates sentences; pairs are first and last of a range. */
const hardStops = '。。｡｡！！？？︒︒﹒﹒﹖﹗।॥؝؟۔۔։։።።፧፨။။។៕།༐᠃᠃᠉᠉᙮᙮܀܂߹߹᜵᜶᥄᥅᪨᪫᭚᭛᭞᭟᰻᰼᱾᱿꓿꓿꘎꘏꣎꣏꧈꧉꩝꩟꯫꯫'

/** Marks that end a sentence only in Greek (;) and Armenian (:), and the last letters of Thai closing particles. */
const otherTerminators = ';:\u0e1a\u0e30'

/** Quotes and brackets that close, emphasis, footnote marks, and invisible direction signs, which may stand anywhere. */
const closers =
  ')]}"\'”’»›“«‹‘」』）】》〉］｝〕〗〙〛｠｣*_`~¹²³⁰⁴⁵⁶⁷⁸⁹†‡\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069'

const openers = '([{"\'“„‟‘‚«»‹›¿¡「『（【《〈［｛〔〖〘〚｟｢*_`~#\u200e\u200f\u202a\u202b\u2066\u2067\u2068'

/** Scripts written without spaces between words; katakana is left out, since a run of it nearly always is one word. */
const solos =
  '\u0e01\u0eff\u1000\u109f\u1780\u17ff\u2e80\u2fd5\u3005\u3007\u3021\u3029\u3041\u309f\u3400\u4dbf\u4e00\u9fff\uaa60\uaa7f\uf900\ufaff\ud840\ud8bf'

/** The kinds of every code unit. Built in well under a millisecond; a look-up is what keeps the search for seams fast. */
export const characterKinds: Uint8Array = /* @__PURE__ */ build()

/** Whether a code unit is of a kind, or of one of several. */
export function isKind(code: number, kind: number): boolean {
  return ((characterKinds[code] as number) & kind) !== 0
}

function build(): Uint8Array {
  const { space, terminator, stop, hard, closer, opener, word, solo } = characterKind
  const kinds = new Uint8Array(0x10000)
  let at = 0
  let isWord = false
  for (const run of wordRuns.split(' ')) {
    const end = at + Number.parseInt(run, 36)
    if (isWord) kinds.fill(word, at, end)
    isWord = !isWord
    at = end
  }
  kinds.fill(word, 0xd800, 0xdc00)
  // Musical signs; pictures, game pieces and the like: symbols, not words.
  kinds[0xd834] = 0
  kinds.fill(0, 0xd83c, 0xd840)
  kinds.fill(0, 0xdc00, 0xe000)
  addRanges(kinds, solos, solo)
  for (let code = 0; code < kinds.length; code++) {
    if ((kinds[code] as number) === solo) kinds[code] = 0
    if (isWhiteSpace(code)) kinds[code] = space
  }
  add(kinds, stops, terminator | stop)
  addRanges(kinds, hardStops, terminator | stop | hard)
  add(kinds, otherTerminators, terminator)
  add(kinds, closers, closer)
  add(kinds, openers, opener)
  add(kinds, '_', word)
  return kinds
}

function add(kinds: Uint8Array, characters: string, kind: number): void {
  for (let index = 0; index < characters.length; index++)
    addRange(kinds, characters.charCodeAt(index), characters.charCodeAt(index), kind)
}

function addRanges(kinds: Uint8Array, pairs: string, kind: number): void {
  for (let index = 0; index < pairs.length; index += 2)
    addRange(kinds, pairs.charCodeAt(index), pairs.charCodeAt(index + 1), kind)
}

function addRange(kinds: Uint8Array, first: number, last: number, kind: number): void {
  for (let code = first; code <= last; code++) kinds[code] = (kinds[code] as number) | kind
}
