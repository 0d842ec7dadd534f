import type { EnrichmentPiece, EnrichmentSource } from './enrichment.ts'

/** What a model is shown of a document beside a run of its children: the same text for all of them. */
export interface DocumentView {
  /** The children it is for: from `first` up to, not including, `after`. */
  readonly first: number
  readonly after: number
  /** The whole document, or a stretch of it, with signs where text was left out. */
  readonly text: string
  /** The document's headings, one a line, indented by depth; empty where it has none. */
  readonly outline: string
  /** Whether `text` is the whole document. */
  readonly whole: boolean
}

/** How much of a document a model is shown. */
export interface DocumentViewOptions {
  /** Characters up to which a document is shown whole. */
  readonly documentLimit: number
  /** Characters of a longer document that are shown around a chunk. */
  readonly neighbourhood: number
}

/** The part of a stretch that lies around the children it is for, so that the first and the last of them have neighbours too. */
const margin = 0.2
const outlineLimit = 5_000
const beginningLimit = 1_000
const omission = '[…]'

/**
 * The views of a document: one of all of it, or, where it is longer than the limit, one for each run of children, of the stretch
 * they stand in.
 *
 * A longer document could also be shown as a small neighbourhood for each chunk by itself; a stretch that many chunks share costs
 * about the same, since providers cache it, and shows ten times as much.
 */
export function documentViews(source: EnrichmentSource, { documentLimit, neighbourhood }: DocumentViewOptions): DocumentView[] {
  const { text, children } = source
  if (children.length === 0) return []
  const outline = outlineText(children, outlineLimit)
  if (text.length <= documentLimit) return [{ first: 0, after: children.length, text, outline, whole: true }]
  const room = Math.min(neighbourhood, documentLimit)
  return runs(children, room * (1 - margin)).map(([first, after]) => {
    const { start, end } = stretch(children, first, after, room)
    const before = start > (children[0] as EnrichmentPiece).start ? [beginning(children, start), omission] : []
    const rest = end < (children.at(-1) as EnrichmentPiece).end ? [omission] : []
    const shown = [...before, text.slice(start, end), ...rest].filter((part) => part !== '')
    return { first, after, text: shown.join('\n\n'), outline, whole: false }
  })
}

/** Parts the children into runs of about equal length, about `most` characters each at the most. */
function runs(children: readonly EnrichmentPiece[], most: number): [number, number][] {
  const from = (children[0] as EnrichmentPiece).start
  const length = (children.at(-1) as EnrichmentPiece).end - from
  const target = length / Math.ceil(length / most)
  const parts: [number, number][] = []
  let number = -1
  for (const [index, child] of children.entries()) {
    const own = Math.floor((ownStart(child) - from) / target)
    if (own === number) (parts.at(-1) as [number, number])[1] = index + 1
    else parts.push([index, index + 1])
    number = own
  }
  return parts
}

/** Widens a run to `room` characters by whole children, evenly on both sides, or on one where the other has none left. */
function stretch(
  children: readonly EnrichmentPiece[],
  first: number,
  after: number,
  room: number,
): { readonly start: number; readonly end: number } {
  let low = first
  let high = after - 1
  const fits = (from: number, to: number): boolean =>
    (children[to] as EnrichmentPiece).end - ownStart(children[from] as EnrichmentPiece) <= room
  while (true) {
    const up = high + 1 < children.length && fits(low, high + 1)
    if (up) high++
    const down = low > 0 && fits(low - 1, high)
    if (down) low--
    if (!up && !down) break
  }
  return { start: ownStart(children[low] as EnrichmentPiece), end: (children[high] as EnrichmentPiece).end }
}

/** The document's first children, as far as they lie before `until`: what a document is says itself there. */
function beginning(children: readonly EnrichmentPiece[], until: number): string {
  const from = (children[0] as EnrichmentPiece).start
  let shown = ''
  for (const child of children) {
    if (child.end > until || child.end - from > beginningLimit) break
    shown += `${shown === '' ? '' : '\n'}${child.text.slice(child.lead)}`
  }
  return shown
}

/** All headings in their order. Where they are too many, the deepest levels are left out, then the last headings. */
function outlineText(children: readonly EnrichmentPiece[], limit: number): string {
  const headings = [...outlineHeadings(children)]
  for (let depth = headings.reduce((most, heading) => Math.max(most, heading.depth), 0); depth >= 0; depth--) {
    const lines = headings.filter((heading) => heading.depth <= depth).map(toLine)
    if (lines.reduce((length, line) => length + line.length + 1, 0) <= limit) return lines.join('\n')
  }
  const lines: string[] = []
  let length = omission.length
  for (const line of headings.filter(({ depth }) => depth === 0).map(toLine)) {
    length += line.length + 1
    if (length > limit) break
    lines.push(line)
  }
  return [...lines, omission].join('\n')
}

function toLine({ depth, title }: { readonly depth: number; readonly title: string }): string {
  return `${'  '.repeat(depth)}- ${title}`
}

function* outlineHeadings(
  children: readonly EnrichmentPiece[],
): Generator<{ readonly depth: number; readonly title: string }, undefined> {
  let before: readonly string[] = []
  for (const { outline } of children) {
    const same = outline.findIndex((title, depth) => title !== before[depth])
    if (same >= 0) for (const [offset, title] of outline.slice(same).entries()) yield { depth: same + offset, title }
    before = outline
  }
}

function ownStart({ start, lead }: EnrichmentPiece): number {
  return start + lead
}
