import { isBlank, runEnd, skipBlanks } from './markdown-line.ts'

const PIPE = 124

/** How many cells the line has when it is read as the header row of a table; 0 when it is nothing but one pipe. */
export function headerCells(text: string, from: number, to: number): number {
  let cells = text.charCodeAt(from) === PIPE ? 0 : 1
  let pipes = 0
  // A pipe opens a cell only when something follows it.
  let open = false
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    if (open) {
      cells++
      open = false
    }
    if (code === PIPE) {
      pipes++
      open = true
    } else if (code === 92 && at + 1 < to) {
      const escaped = text.charCodeAt(at + 1)
      if (escaped === 92 || escaped === PIPE) at++
    }
  }
  return cells === 0 && pipes === 1 ? 0 : cells
}

/** How many cells the line has when it is read as the delimiter row under a header; 0 when it is none. */
export function delimiterCells(text: string, from: number, to: number): number {
  let cells = 0
  let marked = false
  let at = from
  while (at < to) {
    if (text.charCodeAt(at) === PIPE) {
      marked = true
      at = skipBlanks(text, at + 1, to)
      if (at === to) break
    } else if (at > from) return 0
    if (text.charCodeAt(at) === 58) {
      marked = true
      at++
    }
    const end = runEnd(text, at, to, 45)
    if (end === at) return 0
    at = end
    if (at < to && text.charCodeAt(at) === 58) {
      marked = true
      at++
    }
    cells++
    at = skipBlanks(text, at, to)
  }
  return marked ? cells : 0
}
