import { isBlank, skipBlanks } from './markdown-line.ts'

const blockNames = new Set(
  (
    'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu ' +
    'menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr track ul'
  ).split(' '),
)
const rawNames = new Set(['pre', 'script', 'style', 'textarea'])
const longestName = 10

/**
 * Which of CommonMark's seven kinds of HTML block begins with the `<` at `from`, or 0.
 *
 * The seventh, any complete tag alone on its line, does not interrupt a paragraph.
 */
export function htmlKind(text: string, from: number, to: number, interrupting: boolean): number {
  const code = from + 1 < to ? text.charCodeAt(from + 1) : 0
  if (code === 63) return 3
  if (code === 33) {
    if (text.startsWith('--', from + 2) && from + 4 <= to) return 2
    if (text.startsWith('[CDATA[', from + 2) && from + 9 <= to) return 5
    return from + 2 < to && isLetter(text.charCodeAt(from + 2)) ? 4 : 0
  }
  const closing = code === 47
  const start = closing ? from + 2 : from + 1
  if (start >= to || !isLetter(text.charCodeAt(start))) return 0
  let end = start + 1
  while (end < to && isNamePart(text.charCodeAt(end))) end++
  const after = end < to ? text.charCodeAt(end) : 62
  if (after !== 62 && after !== 47 && !isBlank(after)) return 0
  if (end - start <= longestName) {
    const name = text.slice(start, end).toLowerCase()
    if (after !== 47 && !closing && rawNames.has(name)) return 1
    if (blockNames.has(name)) return after !== 47 || (end + 1 < to && text.charCodeAt(end + 1) === 62) ? 6 : 0
  }
  if (interrupting) return 0
  const tagEnd = closing ? skipBlanks(text, end, to) : attributesEnd(text, end, to)
  return tagEnd < to && text.charCodeAt(tagEnd) === 62 && skipBlanks(text, tagEnd + 1, to) === to ? 7 : 0
}

/** Whether an HTML block of kind 1 to 5 ends on the line `[from, to)`. */
export function htmlEnds(text: string, from: number, to: number, kind: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 62) {
      if (kind === 4) return true
      if (at === from) continue
      const before = text.charCodeAt(at - 1)
      if (kind === 3 && before === 63) return true
      if (at - from < 2 || before !== text.charCodeAt(at - 2)) continue
      if ((kind === 2 && before === 45) || (kind === 5 && before === 93)) return true
    } else if (kind === 1 && code === 60 && at + 1 < to && text.charCodeAt(at + 1) === 47 && isRawEnd(text, at + 2, to)) {
      return true
    }
  }
  return false
}

function isRawEnd(text: string, from: number, to: number): boolean {
  let end = from
  while (end < to && end - from <= longestName && isLetter(text.charCodeAt(end))) end++
  return end < to && text.charCodeAt(end) === 62 && rawNames.has(text.slice(from, end).toLowerCase())
}

/** The index of the `>` that should end an opening tag whose name ends at `from`; `to` when its attributes are not well-formed. */
function attributesEnd(text: string, from: number, to: number): number {
  let at = from
  for (;;) {
    const spaced = skipBlanks(text, at, to)
    if (spaced === to) return to
    const code = text.charCodeAt(spaced)
    if (code === 62) return spaced
    if (code === 47) return spaced + 1
    if (!isAttributeStart(code)) return to
    at = spaced + 1
    while (at < to && isAttributePart(text.charCodeAt(at))) at++
    const equals = skipBlanks(text, at, to)
    if (equals === to || text.charCodeAt(equals) !== 61) continue
    at = valueEnd(text, skipBlanks(text, equals + 1, to), to)
    if (at === to) return to
  }
}

/** The index behind the attribute value at `from`; `to` when there is none. */
function valueEnd(text: string, from: number, to: number): number {
  if (from === to) return to
  const quote = text.charCodeAt(from)
  let at = from
  if (quote === 34 || quote === 39) {
    for (at++; at < to && text.charCodeAt(at) !== quote; ) at++
    if (at + 1 >= to) return to
    const after = text.charCodeAt(at + 1)
    return after === 47 || after === 62 || isBlank(after) ? at + 1 : to
  }
  while (at < to && !isValueStop(text.charCodeAt(at))) at++
  return at === from ? to : at
}

function isValueStop(code: number): boolean {
  return isBlank(code) || code === 34 || code === 39 || code === 47 || (code >= 60 && code <= 62) || code === 96
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

function isNamePart(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 45
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === 58 || code === 95
}

function isAttributePart(code: number): boolean {
  return isNamePart(code) || code === 46 || code === 58 || code === 95
}
