import type { Span } from '../text/span.ts'
import type { HitChild, TwinPlace } from './hit.ts'
import type { ScoredChild } from './scored-child.ts'
import type { Expand } from './search-options.ts'

/** A passage in the making: the child that speaks for it, the children found in it, and what is read. */
export interface Passage extends Span {
  readonly best: ScoredChild
  /** The parent that it begins in. */
  readonly opening: ScoredChild['record']['parent']
  readonly children: readonly HitChild[]
  readonly text: string
  readonly alsoAt: readonly TwinPlace[]
}

/** What became of a child that was ranked. */
type Fate = 'passage' | 'merged' | 'duplicate'

export interface Passages {
  readonly passages: readonly Passage[]
  /** Of every child up to the one that filled the last passage, by key. */
  readonly fates: ReadonlyMap<number, Fate>
}

interface Growing {
  best: ScoredChild
  members: ScoredChild[]
  alsoAt: TwinPlace[]
}

/** Segments do not grow beyond what a section of the default tree is at most. */
const longestSegment = 2400

/** Makes passages of children in their order, the best first, as many as are asked for. */
export function makePassages(
  ranked: readonly ScoredChild[],
  { expand, limit, duplicates }: { readonly expand: Expand; readonly limit: number; readonly duplicates: 'merge' | 'keep' },
): Passages {
  const made: Growing[] = []
  const fates = new Map<number, Fate>()
  const byText = new Map<string, Growing>()
  const byParent = new Map<number, Growing>()
  const segments = expand === 'segment' ? new Segments() : undefined
  for (const child of ranked) {
    const { key, parent } = child.record
    const home = expand === 'parent' ? byParent.get(parent.key) : undefined
    if (home !== undefined || segments?.take(child, made) === true) {
      home?.members.push(child)
      continue
    }
    const text = unitText(child, expand).trim().replace(/\s+/g, ' ')
    const twin = duplicates === 'merge' ? byText.get(text) : undefined
    if (twin !== undefined) {
      twin.alsoAt.push(twinPlace(child))
      fates.set(key, 'duplicate')
      continue
    }
    if (made.length >= limit) break
    const passage: Growing = { best: child, members: [child], alsoAt: [] }
    made.push(passage)
    byText.set(text, passage)
    byParent.set(parent.key, passage)
    segments?.add(passage)
  }
  for (const { best, members } of made) {
    for (const member of members) fates.set(member.record.key, member === best ? 'passage' : 'merged')
  }
  return { passages: made.map((passage) => finish(passage, expand)), fates }
}

/** The child alone: what is left of a passage that is too long. */
export function childPassage({ best }: Passage): Passage {
  return finish({ best, members: [best], alsoAt: [] }, 'child')
}

/** What a child is read as: a chunk that stands for itself is never expanded. */
function unitText(child: ScoredChild, expand: Expand): string {
  return expand === 'parent' && child.record.kind === 'child' ? child.record.parent.text : child.own.text
}

function finish({ best, members, alsoAt }: Growing, expand: Expand): Passage {
  const { parent, kind } = best.record
  const children = members.map(toHitChild)
  if (expand === 'parent' && kind === 'child')
    return { best, opening: parent, children, start: parent.start, end: parent.end, text: parent.text, alsoAt }
  // Own parts follow one another without a gap.
  const inOrder = members.toSorted((left, right) => left.own.start - right.own.start)
  const [first = best] = inOrder
  const { end } = (inOrder.at(-1) ?? best).own
  const text = inOrder.map(({ own }) => own.text).join('')
  return { best, opening: first.record.parent, children, start: first.own.start, end, text, alsoAt }
}

function toHitChild({ record: { id, index }, own: { start, end }, score }: ScoredChild): HitChild {
  return { id, index, start, end, score }
}

function twinPlace({ record: { workspace, document, id }, own: { start, end } }: ScoredChild): TwinPlace {
  return { workspace, document: document.id, child: id, start, end }
}

/** Segments by the places where they could go on. */
class Segments {
  readonly #ends = new Map<string, Growing>()

  add(passage: Growing): void {
    for (const { record } of passage.members) this.#ends.set(placeKey(record), passage)
  }

  /** Puts a child into the segment it stands next to; where it stands between two, they become one. False where there is none. */
  take(child: ScoredChild, made: Growing[]): boolean {
    const { record } = child
    const before = this.#ends.get(placeKey(record, -1))
    const after = this.#ends.get(placeKey(record, 1))
    const fits = (...parts: (Growing | undefined)[]): boolean =>
      parts.reduce((sum, part) => sum + (part === undefined ? 0 : lengthOf(part)), child.own.text.length) <= longestSegment
    const isBridge = before !== undefined && after !== undefined && before !== after && fits(before, after)
    const home = isBridge
      ? made.find((passage) => passage === before || passage === after)
      : [before, after].find((passage) => passage !== undefined && fits(passage))
    if (home === undefined) return false
    home.members.push(child)
    const other = home === before ? after : before
    if (isBridge && other !== undefined) {
      home.members.push(...other.members)
      home.alsoAt.push(...other.alsoAt)
      made.splice(made.indexOf(other), 1)
    }
    this.add(home)
    return true
  }
}

function placeKey({ workspace, document, index }: ScoredChild['record'], step = 0): string {
  return JSON.stringify([workspace, document.id, index + step])
}

function lengthOf({ members }: Growing): number {
  return members.reduce((sum, { own }) => sum + own.text.length, 0)
}
