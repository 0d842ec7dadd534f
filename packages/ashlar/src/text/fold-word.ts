/** A word without regard to case, width, and which script its digits are of. */
export function foldWord(word: string): string {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 0x7f) return foldOther(word)
  return word.toLowerCase()
}

function foldOther(word: string): string {
  // Upper case first: it alone brings together ß and SS, ς and Σ.
  const folded = word.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFC')
  return folded
    .replace(foreignDigits, (digit) => String(digitValue(digit.charCodeAt(0))))
    .replaceAll('ς', 'σ')
    .replace(silent, '')
}

/** The dot that is left of a Turkish capital I, the Arabic stretching sign, the soft hyphen and joiners. */
const silent = /[\u0307\u0640\u00ad\u200c\u200d]/g

/** First digits of the scripts whose digits are in common use: Arabic, Persian, the scripts of India, Thai, Lao, Burmese, Khmer. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0x1040, 0x17e0]
const foreignDigits = new RegExp(
  `[${zeros.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'g',
)

function digitValue(code: number): number {
  return code - (zeros.findLast((zero) => zero <= code) as number)
}

/** A folded word without its accents and points. Vowel signs of Indian scripts stay: there they are the word. */
export function foldMarks(word: string): string {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 0x7f) return word.normalize('NFD').replace(marks, '')
  return word
}

/** Accents of Latin, Greek and Cyrillic; points of Hebrew and Arabic. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4]/g
