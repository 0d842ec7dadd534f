import { type Format, type Seam, strength } from './seam.ts'

/**
 * JSON as a format: cut between members and elements, the outermost first; a member keeps its key and value together.
 *
 * It reads what it is given without judging it: comments, several values in a row and a missing end are fine, and text that
 * is no JSON falls back to lines and sentences. Nesting deeper than 64 is not cut apart, and a value longer than 262,144
 * code units is no unit, since no chunk would hold it; this keeps memory bounded and reading lazy.
 */
export const json: Format = {
  id: 'json',
  seams: (text) => valueSeams(text, 0, text.length, strength.section, strength.block),
}

type Draft = { -readonly [Key in keyof Seam]: Seam[Key] }

const deepest = 64
const horizon = 262_144
const batch = 128

/** A string from this length on holds running text and is cut at sentences. */
const longString = 200

const literal = /^(?:true|false|null|-?\d[\d.eE+-]*)$/

/**
 * The seams of the JSON values in `[from, to)`. Values that stand alone get `outer` (0: no seam), members and elements
 * `inner` and 4 less with each level.
 */
export function* valueSeams(text: string, from: number, to: number, outer: number, inner: number): Generator<Seam, undefined> {
  let queue: Draft[] = []
  // Places in the queue of the items that are open at each depth; -1 where the end is of no interest any more.
  const open: number[] = [-1]
  const objects: boolean[] = [false]
  let depth = 0
  let lastEnd = from
  let check = batch
  // Whether the next token begins an item, whether it is the first of its container, and where a comment above it began.
  let fresh = true
  let first = true
  let start = -1
  let lineSeen = true
  let index = from

  function begin(at: number): void {
    fresh = false
    if (depth > deepest || (depth === 0 && outer === 0)) return
    const level = Math.max(strength.line + 1, inner - 4 * (depth - 1))
    open[depth] = queue.length
    queue.push({
      at: start < 0 ? at : start,
      strength: depth === 0 ? outer : first ? strength.glue : level,
      kind: objects[depth] === true ? 'member' : 'element',
      inside: 'words',
    })
  }

  function finish(): void {
    const place = depth > deepest ? -1 : (open[depth] ?? -1)
    if (place >= 0) (queue[place] as Draft).end = lastEnd
    if (depth <= deepest) open[depth] = -1
    if (depth === 0) expect(false)
  }

  function expect(isFirst: boolean): void {
    fresh = true
    first = isFirst
    start = -1
    lineSeen = isFirst
  }

  while (index < to) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code === 0xfeff) {
      if (isLineBreak(code)) lineSeen = true
      index++
      continue
    }
    if (code === 0x2f && isComment(text, index)) {
      if (fresh && lineSeen && start < 0) start = index
      index = commentEnd(text, index, to)
      continue
    }
    if (code === 0x2c || code === 0x3a) {
      if (code === 0x2c) {
        finish()
        expect(false)
      }
      index++
    } else if (code === 0x7d || code === 0x5d) {
      index++
      if (depth > 0) {
        if (!fresh) finish()
        depth--
        fresh = false
      }
      lastEnd = index
      if (depth === 0) finish()
    } else if (code === 0x7b || code === 0x5b) {
      if (fresh) begin(index)
      index++
      depth++
      if (depth <= deepest) {
        open[depth] = -1
        objects[depth] = code === 0x7b
      }
      lastEnd = index
      expect(true)
    } else if (code === 0x22) {
      if (fresh) begin(index)
      const end = stringEnd(text, index, to)
      if (end - index >= longString) pushString(queue, text, index, end)
      index = lastEnd = end
      if (depth === 0) finish()
    } else {
      const end = scalarEnd(text, index, to)
      if (depth === 0 && (end - index > 32 || !literal.test(text.slice(index, end)))) {
        yield* queue
        yield { at: start < 0 ? index : start, strength: lineSeen ? strength.line : strength.word, kind: 'text', inside: 'text' }
        return
      }
      if (fresh) begin(index)
      index = lastEnd = end
      if (depth === 0) finish()
    }
    if (queue.length < check) continue
    const limit = releasable(queue, open, Math.min(depth, deepest), index)
    for (let place = 0; place < limit; place++) yield queue[place] as Draft
    if (limit > 0) {
      queue = queue.slice(limit)
      for (let level = 0; level < open.length; level++) open[level] = Math.max(-1, (open[level] as number) - limit)
    }
    check = queue.length + batch
  }
  yield* queue
}

/** How many seams at the head of the queue will not change any more; items that have grown past the horizon are let go. */
function releasable(queue: readonly Seam[], open: number[], depth: number, index: number): number {
  for (let level = 0; level <= depth; level++) {
    const place = open[level] as number
    if (place < 0) continue
    if (index - (queue[0] as Seam).at <= horizon) return place
    // All that are half as old go as well, so that the queue is not moved once for each level.
    if (index - (queue[place] as Seam).at <= horizon / 2) return place
    open[level] = -1
  }
  return queue.length
}

/** A long string is prose; its escaped line breaks are seams, since no reader of the source would see them. */
function pushString(queue: Draft[], text: string, at: number, end: number): void {
  queue.push({ at, strength: strength.glue, kind: 'string', inside: 'prose' })
  let breaks = 0
  for (let index = at + 1; index < end - 1; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x5c) {
      index++
      const escaped = text.charCodeAt(index)
      if (escaped === 0x6e) breaks++
      else if (escaped !== 0x72) breaks = 0
      continue
    }
    if (breaks === 0 || code <= 0x20) continue
    const small = code >= 0x61 && code <= 0x7a
    const value = breaks > 1 ? strength.line : small ? strength.wrap : strength.sentence + 5
    queue.push({ at: index, strength: value, kind: 'line', inside: 'prose' })
    breaks = 0
  }
}

/** The index after the string that begins at `at`; a line break ends a string that was not closed. */
function stringEnd(text: string, at: number, to: number): number {
  for (let index = at + 1; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index + 1
    if (isLineBreak(code)) return index
    if (code === 0x5c && !isLineBreak(text.charCodeAt(index + 1))) index++
  }
  return to
}

/** The index after the word or number at `at`: up to white space or a sign of JSON. */
function scalarEnd(text: string, at: number, to: number): number {
  let index = at + 1
  for (; index < to; index++) {
    const code = text.charCodeAt(index)
    if (code <= 0x22 && code !== 0x21) break
    if (code === 0x2c || code === 0x3a || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d) break
  }
  return index
}

function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d
}

function isComment(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1)
  return next === 0x2f || next === 0x2a
}

/** The index after the comment at `at`, or `to` when it has no end. */
function commentEnd(text: string, at: number, to: number): number {
  const block = text.charCodeAt(at + 1) === 0x2a
  for (let index = at + 2; index < to; index++) {
    const code = text.charCodeAt(index)
    if (block ? code === 0x2f && index > at + 2 && text.charCodeAt(index - 1) === 0x2a : isLineBreak(code)) {
      return block ? index + 1 : index
    }
  }
  return to
}
