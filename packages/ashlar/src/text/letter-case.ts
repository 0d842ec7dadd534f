export const letterCase = { none: 0, lower: 1, upper: 2 } as const

/**
 * The case of a letter, `none` for letters without case and everything else.
 *
 * Only scripts whose case has been settled for decades are asked, so that every runtime answers alike; Georgian, whose
 * small letters begin sentences, counts as without case.
 */
export function letterCaseOf(code: number): number {
  if (code < 0x80)
    return code >= 0x61 && code <= 0x7a ? letterCase.lower : code >= 0x41 && code <= 0x5a ? letterCase.upper : letterCase.none
  if (!isCasedScript(code)) return letterCase.none
  const letter = String.fromCharCode(code)
  if (letter.toLowerCase() !== letter) return letterCase.upper
  return letter.toUpperCase() === letter ? letterCase.none : letterCase.lower
}

/** Latin, Greek, Cyrillic, Armenian, and the fullwidth forms of Latin. */
function isCasedScript(code: number): boolean {
  if (code < 0x588) return (code >= 0xc0 && code < 0x250) || code >= 0x370
  return (code >= 0x1e00 && code < 0x2000) || (code >= 0xff21 && code <= 0xff5a)
}
