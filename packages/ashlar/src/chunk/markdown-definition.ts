import { isBlank, isLabelEscape, maxLabel, skipBlanks } from './markdown-line.ts'

/** The lines of a paragraph that begins with a bracket, since it may turn out to begin with definitions. */
export interface ParagraphLines {
  /** Where each line begins, */
  readonly at: number[]
  /** where its text begins, behind the signs of containers and the indentation, */
  readonly from: number[]
  /** and where it ends, without the line break. */
  readonly to: number[]
  /** When there are so many lines, definitions among them are looked for before the paragraph ends. */
  enough: number
}

/**
 * The number of the line behind the link reference definition that begins with line `first`, or -1 when none does.
 *
 * A definition may run over several lines (label, address and title), but ends with its last line.
 */
export function definitionEnd(text: string, lines: ParagraphLines, first: number): number {
  const count = lines.from.length
  let line = first
  let to = lines.to[line] as number
  let at = skipBlanks(text, lines.from[line] as number, to)
  if (at === to || text.charCodeAt(at) !== 91) return -1
  at++
  let size = 0
  let filled = false
  for (;;) {
    if (at === to) {
      if (++line === count) return -1
      at = lines.from[line] as number
      to = lines.to[line] as number
      continue
    }
    const code = text.charCodeAt(at)
    if (code === 93) break
    if (code === 91 || ++size > maxLabel) return -1
    at++
    if (!isBlank(code)) filled = true
    if (code === 92 && at < to && isLabelEscape(text.charCodeAt(at))) {
      at++
      size++
    }
  }
  if (!filled || size > maxLabel || at + 1 === to || text.charCodeAt(at + 1) !== 58) return -1
  at = skipBlanks(text, at + 2, to)
  if (at === to) {
    if (++line === count) return -1
    to = lines.to[line] as number
    at = skipBlanks(text, lines.from[line] as number, to)
  }
  const address = addressEnd(text, at, to)
  if (address < 0) return -1
  at = skipBlanks(text, address, to)
  if (at < to) return at === address ? -1 : titleEnd(text, lines, line, at)
  // The title may stand on the next line; when that is no title, the definition is complete without it.
  if (line + 1 < count) {
    const next = line + 1
    const titled = titleEnd(text, lines, next, skipBlanks(text, lines.from[next] as number, lines.to[next] as number))
    if (titled > 0) return titled
  }
  return line + 1
}

/** The index behind the address at `from`, or -1. */
function addressEnd(text: string, from: number, to: number): number {
  let at = from
  if (at < to && text.charCodeAt(at) === 60) {
    for (at++; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code === 62) return at + 1
      if (code === 60) return -1
      if (code === 92 && at + 1 < to && isAngleEscape(text.charCodeAt(at + 1))) at++
    }
    return -1
  }
  let open = 0
  for (; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) break
    if ((code < 32 && code !== 0) || code === 127) return -1
    if (code === 40) open++
    else if (code === 41 && --open < 0) return -1
    else if (code === 92 && at + 1 < to && isRoundEscape(text.charCodeAt(at + 1))) at++
  }
  return open > 0 || at === from ? -1 : at
}

/** The number of the line behind the title at `at` in line `line`, or -1 when it is none or is not alone up to the line's end. */
function titleEnd(text: string, lines: ParagraphLines, line: number, at: number): number {
  let to = lines.to[line] as number
  const opening = text.charCodeAt(at)
  if (at === to || (opening !== 34 && opening !== 39 && opening !== 40)) return -1
  const closing = opening === 40 ? 41 : opening
  for (at++; ; at++) {
    while (at >= to) {
      if (++line === lines.from.length) return -1
      at = lines.from[line] as number
      to = lines.to[line] as number
    }
    const code = text.charCodeAt(at)
    if (code === closing) return skipBlanks(text, at + 1, to) === to ? line + 1 : -1
    if (code === 92 && at + 1 < to) {
      const escaped = text.charCodeAt(at + 1)
      if (escaped === closing || escaped === 92) at++
    }
  }
}

function isAngleEscape(code: number): boolean {
  return code === 60 || code === 62 || code === 92
}

function isRoundEscape(code: number): boolean {
  return code === 40 || code === 41 || code === 92
}
