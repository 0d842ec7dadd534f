/** What the plain loop below gives for one chunk. */
export interface FloorChunk {
  readonly start: number
  readonly end: number
  readonly text: string
}

const line = 10
const space = 32

/**
 * The floor that splitters are held against: a bounded backward search for a blank line, a line, a space, and nothing else.
 *
 * Offsets are exact and every search is bounded by half a chunk, but it knows no sentences and cuts surrogate pairs: what
 * a careful programmer would write by hand in twenty-five lines, as fast as plain JavaScript does it.
 */
export function* chunkByFloor(text: string, size: number, overlap: number): Generator<FloorChunk> {
  let start = 0
  while (text.length - start > size) {
    const half = start + (size >> 1)
    let end = 0
    let afterLine = 0
    let afterSpace = 0
    for (let at = start + size; at > half && end === 0; at--) {
      const unit = text.charCodeAt(at - 1)
      if (unit === line) {
        if (text.charCodeAt(at - 2) === line) end = at
        else if (afterLine === 0) afterLine = at
      } else if (unit === space && afterSpace === 0) afterSpace = at
    }
    if (end === 0) end = afterLine || afterSpace || start + size
    yield { start, end, text: text.slice(start, end) }
    let next = end - overlap
    while (next < end && text.charCodeAt(next - 1) !== space && text.charCodeAt(next - 1) !== line) next++
    start = next
  }
  if (start < text.length) yield { start, end: text.length, text: text.slice(start) }
}

/** One look at every code unit: no program in JavaScript that reads the text can be faster. */
export function readOnce(text: string): number {
  let sum = 0
  for (let i = 0; i < text.length; i++) sum += text.charCodeAt(i)
  return sum
}
