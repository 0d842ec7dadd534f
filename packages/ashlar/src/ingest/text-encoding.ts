import { encodingScore } from './encoding-score.ts'

/** A text, and what its bytes were taken for. */
export interface DecodedText {
  readonly text: string
  /** `utf-8`, `utf-16le`, `utf-16be`, `windows-1252`, `shift_jis`, `gb18030`, or what was named. */
  readonly encoding: string
  /** From 0 to 1: 1 where there is no doubt. */
  readonly confidence: number
  /** How many bytes or pairs of them mean nothing in that encoding, and are U+FFFD in the text. */
  readonly replaced: number
}

/** How many bytes are weighed; the rest is only decoded. */
const sampled = 65_536

const legacy = ['windows-1252', 'shift_jis', 'gb18030'] as const

/**
 * Decodes bytes whose encoding nobody said. A byte order mark decides; then valid UTF-8; then zeros as UTF-16 has them; then whichever of
 * Windows-1252, Shift-JIS, GB18030 and UTF-16 reads most like something a person wrote.
 *
 * @param named What the file or its server says, as in `<meta charset>`; believed where the bytes are not valid UTF-8 but valid in it.
 * @returns Undefined where the bytes are not text in any of them.
 */
export function decodeText(bytes: Uint8Array, named?: string): DecodedText | undefined {
  const marked = byteOrderMark(bytes)
  if (marked !== undefined) return decodeAs(bytes, marked, 1)
  const sample = bytes.subarray(0, sampled)
  const zeros = zerosIn(sample)
  if (zeros === 0) {
    const utf8 = decodeStrictly(bytes, 'utf-8')
    // UTF-16 of other scripts can be plain ASCII as well, but then it is full of control characters.
    if (utf8 !== undefined && controls(sample) <= sample.length * 0.02) {
      return readsAsChinese(utf8, sample)
        ? decodeAs(bytes, 'gb18030', 0.6)
        : { text: utf8, encoding: 'utf-8', confidence: 1, replaced: 0 }
    }
    const believed = named === undefined ? undefined : decodeNamed(bytes, named)
    if (believed !== undefined) return believed
  }
  const doubtful = zeros > sample.length * 0.01 || utf8Share(sample) < 0.9 || controls(sample) > sample.length * 0.02
  return doubtful ? best(bytes, sample, zeros) : repaired(bytes, zeros)
}

/** A few Chinese characters in GB18030 can be valid UTF-8, of phonetic signs and loose accents that hardly anyone writes alone. */
function readsAsChinese(utf8: string, sample: Uint8Array): boolean {
  return utf8.length < 200 && /^[\u0180-\u0387\s]+$/.test(utf8) && encodingScore('gb18030', sample) > 0.9
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

function decodeAs(bytes: Uint8Array, encoding: string, confidence: number): DecodedText {
  const text = new TextDecoder(encoding).decode(bytes)
  let replaced = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) replaced++
  return { text, encoding, confidence, replaced }
}

function decodeStrictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function decodeNamed(bytes: Uint8Array, named: string): DecodedText | undefined {
  try {
    const { encoding } = new TextDecoder(named)
    if (encoding === 'utf-8') return undefined
    const text = decodeStrictly(bytes, encoding)
    return text === undefined ? undefined : { text, encoding, confidence: 0.95, replaced: 0 }
  } catch {
    return undefined
  }
}

/** UTF-8 with a few bytes that are not, or with zeros in it: a log, a cut-off file, two files in one. */
function repaired(bytes: Uint8Array, zeros: number): DecodedText | undefined {
  const decoded = decodeAs(bytes, 'utf-8', 0.8)
  if (decoded.replaced > decoded.text.length * 0.1) return undefined
  return { ...decoded, replaced: decoded.replaced + zeros }
}

function best(bytes: Uint8Array, sample: Uint8Array, zeros: number): DecodedText | undefined {
  const whole = sample.length % 2 === 0 ? sample : sample.subarray(0, -1)
  // Pairs of ASCII letters are Chinese in UTF-16, so that plain text with an accent here and there must not be asked.
  const wide = zeros > 0 || printable(sample) < sample.length * 0.8 ? (['utf-16le', 'utf-16be'] as const) : []
  const narrow = zeros > 0 ? [] : legacy
  const candidates = [...narrow, ...wide]
    .map((encoding) => ({ encoding, score: encodingScore(encoding, encoding.startsWith('utf-16') ? whole : sample) }))
    .sort((one, other) => other.score - one.score)
  const first = candidates[0] as (typeof candidates)[number]
  const second = candidates[1] as (typeof candidates)[number]
  if (first.score < 0.35) return zeros > sample.length * 0.01 ? undefined : likelyText(bytes, zeros)
  const margin = first.score - Math.max(second.score, 0)
  // A little evidence is little evidence, however clear it is.
  const evidence = 1 - 0.5 ** Math.max(1, countHigh(sample) / 2)
  return decodeAs(bytes, first.encoding, round(Math.min(1, first.score) * Math.min(1, 0.4 + margin) * evidence))
}

/** Nothing reads well: mostly UTF-8 if it is, otherwise no text at all. */
function likelyText(bytes: Uint8Array, zeros: number): DecodedText | undefined {
  const decoded = repaired(bytes, zeros)
  if (decoded === undefined || controls(bytes.subarray(0, sampled)) > Math.min(bytes.length, sampled) * 0.02) return undefined
  return { ...decoded, confidence: 0.3 }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function zerosIn(bytes: Uint8Array): number {
  let found = 0
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) found++
  return found
}

function countWhere(bytes: Uint8Array, isWanted: (byte: number) => boolean): number {
  const wanted = Uint8Array.from({ length: 256 }, (_, byte) => Number(isWanted(byte)))
  let found = 0
  for (let at = 0; at < bytes.length; at++) found += wanted[bytes[at] as number] as number
  return found
}

function countHigh(bytes: Uint8Array): number {
  return countWhere(bytes, (byte) => byte > 127 || byte === 0)
}

function printable(bytes: Uint8Array): number {
  return countWhere(bytes, (byte) => byte >= 0x20 && byte < 0x7f)
}

/** Control characters that no text holds. Escape is among those that logs and terminals leave behind. */
function controls(bytes: Uint8Array): number {
  return countWhere(bytes, (byte) => (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f)
}

/** How much of what is not ASCII is valid UTF-8. */
function utf8Share(bytes: Uint8Array): number {
  let good = 0
  let bad = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte < 0x80) continue
    const length = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 && byte < 0xf0 ? 2 : byte >= 0xc2 && byte < 0xe0 ? 1 : 0
    let follow = 0
    while (follow < length && ((bytes[at + follow + 1] ?? 0) & 0xc0) === 0x80) follow++
    if (length > 0 && follow === length) {
      good++
      at += length
    } else if (good > 0 && at + follow + 1 >= bytes.length && length > 0) break
    else bad++
  }
  return good + bad === 0 ? 1 : good / (good + bad)
}
