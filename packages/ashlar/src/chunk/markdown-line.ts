/**
 * Recognisers of single lines: each looks at `[from, to)`, a line behind its containers and indentation and without its
 * line break, and reads it at most once.
 */

export const TAB = 9
const SPACE = 32

/** What a code unit at the start of a line may begin: 1 a container, 2 a leaf other than a paragraph, 3 either. */
export const roles: Uint8Array = new Uint8Array(128)
for (const sign of '>[+0123456789') roles[sign.charCodeAt(0)] = 1
for (const sign of '#_<=`~$|:') roles[sign.charCodeAt(0)] = 2
for (const sign of '-*') roles[sign.charCodeAt(0)] = 3

/** Whether a code unit is what markdown calls a space: a blank or a tab. */
export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** The first index from `from` on that is not a space; at most `to`. */
export function skipBlanks(text: string, from: number, to: number): number {
  while (from < to && isBlank(text.charCodeAt(from))) from++
  return from
}

/** The index behind the last code unit before `to` that is not a space; at least `from`. */
function skipBlanksBack(text: string, from: number, to: number): number {
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return to
}

/** The index behind the run of one repeated code unit. */
export function runEnd(text: string, from: number, to: number, code: number): number {
  while (from < to && text.charCodeAt(from) === code) from++
  return from
}

/** `to` when the line is a thematic break of the sign it begins with; else the index of what speaks against it. */
export function thematicBreakEnd(text: string, from: number, to: number): number {
  const sign = text.charCodeAt(from)
  let count = 0
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === sign) count++
    else if (!isBlank(code)) return at
  }
  return count >= 3 ? to : from
}

/** The level of the ATX heading on this line, or 0. */
export function atxLevel(text: string, from: number, to: number): number {
  const end = runEnd(text, from, Math.min(to, from + 7), 35)
  return end - from <= 6 && (end === to || isBlank(text.charCodeAt(end))) ? end - from : 0
}

/** Where the text of an ATX heading stands that has `level` opening signs: without the closing ones. */
export function atxTitle(text: string, from: number, to: number, level: number): readonly [number, number] {
  const start = skipBlanks(text, from + level, to)
  const end = skipBlanksBack(text, start, to)
  let signs = end
  while (signs > start && text.charCodeAt(signs - 1) === 35) signs--
  if (signs === start) return [start, start]
  return signs < end && isBlank(text.charCodeAt(signs - 1)) ? [start, skipBlanksBack(text, start, signs)] : [start, end]
}

/** 1 for a line of `=`, 2 for a line of `-`: what would make the paragraph above it a heading; else 0. */
export function underlineLevel(text: string, from: number, to: number): number {
  const sign = text.charCodeAt(from)
  if (sign !== 61 && sign !== 45) return 0
  return skipBlanks(text, runEnd(text, from, to, sign), to) === to ? (sign === 61 ? 1 : 2) : 0
}

/** How many signs open the code fence or formula on this line, or 0. */
export function fenceSize(text: string, from: number, to: number): number {
  const sign = text.charCodeAt(from)
  const size = runEnd(text, from, to, sign) - from
  if (size < (sign === 36 ? 2 : 3)) return 0
  if (sign !== 126) for (let at = from + size; at < to; at++) if (text.charCodeAt(at) === sign) return 0
  return size
}

/** Whether the line closes a fence that was opened by `size` times `sign`. */
export function closesFence(text: string, from: number, to: number, sign: number, size: number): boolean {
  const end = runEnd(text, from, to, sign)
  return end - from >= size && skipBlanks(text, end, to) === to
}

/** The index behind the `[^label]:` that begins on this line, or -1. */
export function footnoteEnd(text: string, from: number, to: number): number {
  if (text.charCodeAt(from + 1) !== 94) return -1
  const limit = Math.min(to, from + 2 + maxLabel + 1)
  let at = from + 2
  for (; at < limit; at++) {
    const code = text.charCodeAt(at)
    if (code === 93) break
    if (code === 91 || isBlank(code)) return -1
    if (code === 92 && at + 1 < limit && isLabelEscape(text.charCodeAt(at + 1))) at++
  }
  return at > from + 2 && at + 1 < to && text.charCodeAt(at) === 93 && text.charCodeAt(at + 1) === 58 ? at + 2 : -1
}

/** The most code units a label may have, by CommonMark; it keeps unclosed brackets cheap. */
export const maxLabel = 999

/** Whether a backslash makes this code unit a plain part of a label. */
export function isLabelEscape(code: number): boolean {
  return code === 91 || code === 92 || code === 93
}
