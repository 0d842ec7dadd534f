/** Encodings that have no mark of their own and are told apart by how they read. */
export type GuessedEncoding = 'windows-1252' | 'shift_jis' | 'gb18030' | 'utf-16le' | 'utf-16be'

/**
 * How much bytes read like something a person wrote if they are in an encoding: about 1 for text, at most 0 for what cannot be.
 *
 * Multi-byte encodings give themselves away by which rows of their table are used: everyday characters stand in a small part of it, and
 * bytes of another encoding are spread over all of it.
 */
export function encodingScore(encoding: GuessedEncoding, bytes: Uint8Array): number {
  switch (encoding) {
    case 'windows-1252':
      return windows1252(bytes)
    case 'shift_jis':
      return shiftJis(bytes)
    case 'gb18030':
      return gb18030(bytes)
    default:
      return utf16(bytes, encoding === 'utf-16le' ? 1 : 0)
  }
}

function isAsciiLetter(byte: number | undefined): boolean {
  return byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

/** Accented letters stand beside letters, quotes and dashes beside words; runs of high bytes are another encoding. */
function windows1252(bytes: Uint8Array): number {
  let high = 0
  let points = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte < 0x80) continue
    // Five bytes are not assigned.
    if (byte === 0x81 || byte === 0x8d || byte === 0x8f || byte === 0x90 || byte === 0x9d) return 0
    high++
    const before = bytes[at - 1]
    const after = bytes[at + 1]
    const beside = (before ?? 0) >= 0x80 && (after ?? 0) >= 0x80
    if (beside) points -= 1
    else if (isLatinLetter(byte)) {
      if (isAsciiLetter(before) || isAsciiLetter(after)) points += 1
      // "à" and "é" are words.
      else if ((before === undefined || before <= 0x20) && (after === undefined || after <= 0x2e)) points += 0.6
    } else if (byte >= 0x91 && byte <= 0x97) points += 1
    else if (byte === 0xa0 || byte === 0xab || byte === 0xbb || byte === 0x85 || byte === 0xb7 || byte === 0xb0 || byte === 0xa7)
      points += 0.9
    else if (byte === 0x80 || byte === 0xa3 || byte === 0xa9 || byte === 0xae || byte === 0xa1 || byte === 0xbf) points += 0.9
    else points += 0.3
  }
  return high === 0 ? 0 : points / high
}

function isLatinLetter(byte: number): boolean {
  return (
    (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) ||
    byte === 0x8a ||
    byte === 0x9a ||
    byte === 0x8c ||
    byte === 0x9c ||
    byte === 0x8e ||
    byte === 0x9e
  )
}

/** Kana and everyday kanji; single bytes of katakana are rare in whole texts and are what other encodings look like here. */
function shiftJis(bytes: Uint8Array): number {
  let characters = 0
  let points = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    characters++
    if (lead >= 0xa1 && lead <= 0xdf) {
      points -= 0.2
      continue
    }
    const trail = bytes[at + 1]
    if (trail === undefined) break
    if (lead === 0x80 || lead === 0xa0 || lead > 0xfc || trail < 0x40 || trail === 0x7f || trail > 0xfc) return 0
    at++
    if (lead === 0x82 || lead === 0x83) points += 1.1
    else if (lead === 0x81) points += 0.9
    else if (lead >= 0x88 && lead <= 0x98) points += 0.9
    else if (lead >= 0xf0) points -= 1
  }
  return characters === 0 ? 0 : Math.min(1, points / characters)
}

/** Everyday characters and punctuation of GB 2312 within the larger table. */
function gb18030(bytes: Uint8Array): number {
  let characters = 0
  let points = 0
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] as number
    if (lead < 0x80) continue
    characters++
    const trail = bytes[at + 1]
    if (trail === undefined) break
    if (lead === 0x80 || lead === 0xff) return 0
    if (trail >= 0x30 && trail <= 0x39) {
      const third = bytes[at + 2] ?? 0x81
      if (third < 0x81 || third > 0xfe) return 0
      at += 3
      points += 0.2
      continue
    }
    if (trail < 0x40 || trail === 0x7f || trail === 0xff) return 0
    at++
    if (trail < 0xa1) points += 0.1
    else if (lead >= 0xb0 && lead <= 0xd7) points += 1
    else if (lead === 0xa1 || lead === 0xa3) points += 1
    else if (lead >= 0xd8 && lead <= 0xf7) points += 0.3
  }
  return characters === 0 ? 0 : points / characters
}

/** Letters of few scripts, spaces where they belong, no private or unassigned characters, surrogates in pairs. */
function utf16(bytes: Uint8Array, high: 0 | 1): number {
  const units = bytes.length / 2
  if (units === 0) return 0
  let points = 0
  const blocks = new Map<number, number>()
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const top = bytes[at + high] as number
    const unit = top * 256 + (bytes[at + 1 - high] as number)
    if (top >= 0xdc && top <= 0xdf) return 0
    if (top >= 0xd8 && top <= 0xdb) {
      if (at + 3 >= bytes.length) break
      const next = bytes[at + 2 + high] as number
      if (next < 0xdc || next > 0xdf) return 0
      points += 1.6
      at += 2
      continue
    }
    if (unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09) points += 1
    else if (unit < 0x20 || (unit >= 0x7f && unit < 0xa0) || unit >= 0xfff0 || (top >= 0xe0 && top <= 0xf8)) points -= 2
    else {
      if (top <= 0x06 || top === 0x09 || top === 0x0e || (top >= 0x1e && top <= 0x20) || top === 0x30 || top === 0xff) points += 1
      else if (top >= 0x4e && top <= 0x9f) points += 0.8
      else if (top >= 0xac && top <= 0xd7) points += 0.7
      else points -= 0.3
      const block = top >= 0x4e && top <= 0x9f ? 0x4e : top >= 0xac && top <= 0xd7 ? 0xac : top
      blocks.set(block, (blocks.get(block) ?? 0) + 1)
    }
  }
  // A text keeps to two or three blocks; bytes of something else are spread over all.
  const most = [...blocks.values()].sort((one, other) => other - one)
  const kept = (most[0] ?? 0) + (most[1] ?? 0) + (most[2] ?? 0)
  const written = most.reduce((sum, value) => sum + value, 0)
  // Without one space, line end or Latin sign it is hardly a text of some length.
  const bare = units > 40 && !bytes.includes(0) ? 0.6 : 0.95
  return (points / units) * (written === 0 ? 1 : kept / written) * bare
}
