import { characterKind, characterKinds, isKind } from './character-kind.ts'

const { space, stop, closer, opener, word } = characterKind

const footnote = /^\[\d{1,3}\]/

/** Emoji by their surrogates, signs of the older blocks, joiners and selectors. */
const emoji = /^(?:[\ud83c-\ud83e][\udc00-\udfff]|[\u2600-\u27bf]|\ufe0f|\u200d)+/

/** Whether marks stand on both sides of the one at `at`: "?!?", ". . .". */
export function isInsideRun(text: string, at: number, from: number, to: number): boolean {
  if (at - 2 < from || at + 2 >= to) return false
  const isStop = (index: number): boolean => isKind(text.charCodeAt(index), stop) || isSpaceBetweenDots(text, index)
  return isStop(at - 1) && isStop(at + 1)
}

/** The first of the marks that stand together with the one at `at`: "?!", ". . ."; closing signs may be among them. */
export function runStart(text: string, at: number, from: number): number {
  let first = at
  for (let index = at - 1; index >= from; index--) {
    const code = text.charCodeAt(index)
    const kind = characterKinds[code] as number
    if ((kind & stop) !== 0) first = index
    else if ((kind & closer) === 0 && !(index > from && isSpaceBetweenDots(text, index))) break
  }
  return first
}

/** The index after the marks and closing signs that follow `at` without white space. */
export function runEnd(text: string, at: number, to: number): number {
  let end = at + 1
  for (; end < to; end++) {
    const code = text.charCodeAt(end)
    const kind = characterKinds[code] as number
    if ((kind & stop) !== 0) continue
    if ((kind & closer) !== 0) {
      // “ and « close in some languages and open in others; before a letter they open.
      if ((kind & opener) !== 0 && code > 0x7f && end + 1 < to && isKind(text.charCodeAt(end + 1), word | opener)) break
    } else if (code === 0x5b) {
      const note = footnote.exec(text.slice(end, Math.min(to, end + 5)))
      if (note === null) break
      end += note[0].length - 1
    } else if (end + 1 >= to || !isSpaceBetweenDots(text, end)) break
  }
  return end
}

/** The index after what belongs to the sentence although white space stands before it, "Oui. »" or emoji; otherwise `at`. */
export function detachedEnd(text: string, at: number, to: number): number {
  const code = text.charCodeAt(at)
  let end = at
  // Emphasis signs after white space begin something.
  if (isKind(code, closer)) end += '*_~`'.includes(text.charAt(at)) ? 0 : 1
  else if (code > 0x7f) end += emoji.exec(text.slice(at, to))?.[0].length ?? 0
  return end === text.length || (end < to && isKind(text.charCodeAt(end), space)) ? end : at
}

/** The dots of a run, an ellipsis sign as three; 0 when it holds another mark. */
export function countDots(text: string, start: number, end: number): number {
  let dots = 0
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x2e) dots++
    else if (code === 0x2026 || code === 0x22ef) dots += 3
    else if (code === 0x2025) dots += 2
    else if (isKind(code, stop)) return 0
  }
  return dots
}

/** Whether a run, which begins with a mark, closes a quotation. */
export function holdsQuote(text: string, start: number, end: number): boolean {
  for (let index = start + 1; index < end; index++) if ('"\'”’»›“«‹‘」』'.includes(text.charAt(index))) return true
  return false
}

function isSpaceBetweenDots(text: string, at: number): boolean {
  return text.charCodeAt(at) === 0x20 && text.charCodeAt(at - 1) === 0x2e && text.charCodeAt(at + 1) === 0x2e
}
