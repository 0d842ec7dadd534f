import type { Measure } from '../text/counter.ts'
import {
  codePointBoundaryBefore,
  codePointEnd,
  graphemeBoundaries,
  graphemeBoundaryBefore,
  isGraphemeBoundary,
} from '../text/grapheme.ts'
import { measureWith } from '../text/measure.ts'
import { isWhiteSpace, skipWhiteSpace, skipWhiteSpaceBack } from '../text/white-space.ts'
import type { Chunk } from './chunk.ts'
import { type ResolvedChunkOptions, resolveChunkOptions } from './chunk-options.ts'
import { plain } from './plain.ts'
import { type Format, type Inside, strength } from './seam.ts'
import { seamHash } from './seam-hash.ts'
import { SeamReader } from './seam-reader.ts'
import { StrongestSeams, strongestInside, TextSeams } from './text-seams.ts'

/** Version of the rules by which texts are cut; it rises whenever the same text and options would be cut elsewhere. */
export const cutVersion = 1

/** What the packer saw when it placed one cut; given to `onCut` for checks and explanations. */
export interface Cut {
  /** Where the chunk starts, overlap included, and where its own part starts. */
  readonly start: number
  readonly own: number
  /** The window: the first and last index at which the cut was allowed to fall. */
  readonly low: number
  readonly high: number
  /** Where the cut fell, and how strong the seam is. */
  readonly at: number
  readonly strength: number
  /** `window`: the best seam of the window; `unit`: before a unit that fits whole; `hard`: no seam was left. */
  readonly reason: 'window' | 'unit' | 'hard'
}

/**
 * The share of its own part within which a chunk's cut may fall. The wider, the sooner cuts fall back into place after an edit
 * and the smaller chunks are: `npm run bench -- edits` measures the first, and half is wide enough.
 */
const defaultWindow = 0.5

/** The least share of its own part that a chunk is cut down to when its window would cut a sentence. */
const leastShare = 0.15

/** Clusters longer than this are cut without remembering where they began; see `#clusterStart`. */
const rememberedCluster = 64

/**
 * Turns seams into chunks: the one place where size, overlap, trimming and laws 1 to 6 are kept, for every format.
 *
 * For each chunk it finds how far the limit reaches, looks for the strongest seam in the window before that, lets a hash
 * choose among equals, and moves the cut back to the start of a unit (a list, a table, a fence) that would fit whole.
 */
export function* pack(
  text: string,
  format: Format,
  options: ResolvedChunkOptions,
  onCut?: (cut: Cut) => void,
): Generator<Chunk, undefined> {
  const packer = Packer.start(text, format, options, onCut)
  for (let chunk = packer.next(); chunk !== undefined; chunk = packer.next()) yield chunk
}

class Packer {
  /**
   * One packer that lives as long as the module. Without it a full garbage collection between two texts finds no packer,
   * and V8 throws the class's layout and all code optimised for it away: the next text is cut several times slower.
   */
  static readonly #always: Packer = new Packer('', plain, resolveChunkOptions(), undefined)

  /** Starts on a text. */
  static start(text: string, format: Format, options: ResolvedChunkOptions, onCut?: (cut: Cut) => void): Packer {
    return text === '' ? Packer.#always : new Packer(text, format, options, onCut)
  }

  readonly #text: string
  readonly #options: ResolvedChunkOptions
  readonly #onCut: ((cut: Cut) => void) | undefined
  readonly #measure: Measure
  readonly #seams: SeamReader
  readonly #textSeams: TextSeams
  readonly #best = new StrongestSeams()
  /** Where the chunk before was cut; white space may lie between there and `#own`. */
  #cutAt = 0
  /** Where the next chunk's own part starts. */
  #own = 0
  /** Where the chunk before started; overlap never reaches back to it, so that starts always rise. */
  #previousStart = -1
  /**
   * A grapheme boundary at or before `#own`. The same as `#own` unless a cluster over the limit had to be cut; then it
   * is that cluster's start, so that flags (pairs of equal code points) are not paired off wrongly after it.
   */
  #clusterStart = 0
  /** The same for the chunk before, where overlap is looked for. */
  #previousClusterStart = 0
  /** Cuts after it would leave a tail shorter than any chunk should be; of equal seams, one before it is taken. */
  #ceiling = 0
  /** Where this chunk must end at the latest: the end of the text, or a seam that is always cut at. */
  #stop = 0
  /** Whether the chunk before ended where it had to; its end is then not repeated. */
  #afresh = true
  #index = 0

  constructor(text: string, format: Format, options: ResolvedChunkOptions, onCut: ((cut: Cut) => void) | undefined) {
    this.#text = text
    this.#options = options
    this.#onCut = onCut
    this.#measure = measureWith(options.counter, text)
    this.#seams = new SeamReader(format, text)
    this.#textSeams = new TextSeams(text)
  }

  next(): Chunk | undefined {
    const text = this.#text
    const { size, trim } = this.#options
    if (trim) this.#skipToText()
    const own = this.#own
    if (own >= text.length) return undefined
    let start = this.#overlapStart(own)
    let reach = this.#measure.reach(start, size)
    // Overlap gives way before a cluster that fits would have to be cut.
    if (start < own && graphemeBoundaryBefore(text, reach, Math.min(this.#clusterStart, reach)) <= own) {
      start = own
      reach = this.#measure.reach(start, size)
    }
    let cut = this.#cut(start, own, reach)
    if (cut === 0) {
      start = own
      cut = this.#cut(start, own, this.#measure.reach(start, size))
    }
    const end = this.#trimmedEnd(cut, own)
    const header = this.#seams.headerAt(own)
    const outline = this.#seams.outline
    const chunk = { start, end, text: text.slice(start, end), lead: own - start, index: this.#index++, outline }
    this.#previousStart = start
    this.#previousClusterStart = start < own ? start : this.#clusterStart
    this.#cutAt = cut
    this.#afresh = cut === this.#stop
    this.#moveTo(cut)
    return header === undefined ? chunk : { ...chunk, header }
  }

  /** Moves past white space, but not into a cluster that white space begins. */
  #skipToText(): void {
    const text = this.#text
    if (this.#own >= text.length || !isWhiteSpace(text.charCodeAt(this.#own))) return
    let at = skipWhiteSpace(text, this.#own, text.length)
    if (at < text.length && !isGraphemeBoundary(text, at, this.#clusterStart)) at--
    if (at > this.#own) this.#moveTo(at)
  }

  #moveTo(at: number): void {
    const boundary = isGraphemeBoundary(this.#text, at, this.#clusterStart)
    if (boundary) this.#clusterStart = at
    else {
      const cluster = graphemeBoundaryBefore(this.#text, at, this.#clusterStart)
      this.#clusterStart = at - cluster <= rememberedCluster ? cluster : at
    }
    this.#own = at
  }

  #fits(start: number, end: number): boolean {
    const { size } = this.#options
    // Far too long is found out by reaching, whose cost the limit bounds, and not by counting it all.
    if (end - start > 16 * size) {
      const reach = this.#measure.reach(start, size)
      if (end - start > 2 * (reach - start) + 16) return false
    }
    return this.#measure.count(start, end) <= size
  }

  /** The end of a chunk cut at `cut`: before trailing white space, unless a cluster holds on to it. */
  #trimmedEnd(cut: number, own: number): number {
    if (!this.#options.trim || !isWhiteSpace(this.#text.charCodeAt(cut - 1))) return cut
    const end = skipWhiteSpaceBack(this.#text, cut, own + 1)
    return end === cut || isGraphemeBoundary(this.#text, end, this.#clusterStart) ? end : Math.min(end + 1, cut)
  }

  /** Where the chunk whose own part starts at `own` starts when it repeats the end of the one before. */
  #overlapStart(own: number): number {
    const { overlap } = this.#options
    const floor = this.#previousStart + 1
    if (overlap === 0 || this.#afresh || floor >= own) {
      this.#seams.advance(this.#cutAt, own)
      return own
    }
    const low = Math.max(floor, this.#backward(own, overlap))
    this.#seams.advance(Math.min(low, this.#cutAt), own)
    if (low >= own) return own
    const start = this.#startOfOverlap(low, own)
    // A unit that fits whole is worth more than the overlap before it.
    const unitEnd = this.#unitEnd(own)
    return unitEnd > own && !this.#fits(start, this.#trimmedEnd(unitEnd, own)) ? own : start
  }

  /** The end of the largest unit that starts with the own part and fits whole, or `own` when there is none. */
  #unitEnd(own: number): number {
    let end = own
    for (let index = 0; index < this.#seams.count; index++) {
      const seam = this.#seams.seam(index)
      if (seam.at > own) break
      if (seam.at < this.#cutAt || seam.end === undefined || seam.end <= end) continue
      if (this.#fits(own, this.#trimmedEnd(seam.end, own))) end = seam.end
    }
    return end
  }

  /** The first place in `[low, own)` to start an overlap: a sentence or better, else a word, else a grapheme. */
  #startOfOverlap(low: number, own: number): number {
    const sentence = this.#firstStart(low, own - 1, strength.sentence)
    if (sentence !== -1) return sentence
    const word = this.#firstStart(low, own - 1, strength.word)
    if (word !== -1) return word
    for (const boundary of graphemeBoundaries(this.#text, this.#previousClusterStart, own - 1)) {
      if (boundary >= low) return boundary
    }
    return own
  }

  /** The first place in `[low, high]` where a sentence or a word starts, or a seam of the format that is as strong; else -1. */
  #firstStart(low: number, high: number, least: number): number {
    const seams = this.#seams
    let inside: Inside = seams.current?.inside ?? 'text'
    let from = low
    for (let index = 0; index < seams.count; index++) {
      const seam = seams.seam(index)
      if (seam.at > high) break
      if (seam.at >= low) {
        const found = from < seam.at ? this.#firstInText(from, seam.at - 1, inside, least) : -1
        if (found !== -1) return found
        if (seam.strength >= least && isGraphemeBoundary(this.#text, seam.at, this.#previousClusterStart)) return seam.at
        from = seam.at + 1
      }
      inside = seam.inside ?? 'text'
    }
    return from <= high ? this.#firstInText(from, high, inside, least) : -1
  }

  #firstInText(from: number, to: number, inside: Inside, least: number): number {
    const floor = this.#previousClusterStart
    if (least === strength.sentence) return this.#textSeams.firstSentence(from, to, inside, floor)
    return inside === 'whole' ? -1 : this.#textSeams.firstWord(from, to, floor)
  }

  /** The furthest index before `own` from which at most `units` are counted up to it. */
  #backward(own: number, units: number): number {
    const { size } = this.#options
    const perUnit = Math.max(1, (own - this.#previousStart) / size)
    let length = Math.ceil(units * perUnit)
    while (length > 0) {
      const from = Math.max(0, own - length)
      const counted = this.#measure.count(from, own)
      if (counted <= units) return from
      length = Math.min(length - 1, Math.floor((length * units) / counted))
    }
    return own
  }

  /** Offers every seam in `[low, high]`: the format's own, and those of the text between them that could be stronger. */
  #offer(low: number, high: number, floor: number): void {
    const seams = this.#seams
    const best = this.#best
    let inside: Inside = seams.current?.inside ?? 'text'
    if (seams.count === 0) {
      this.#textSeams.offer(low, high, inside, floor, best)
      return
    }
    let index = 0
    for (; index < seams.count && seams.seam(index).at < low; index++) inside = seams.seam(index).inside ?? 'text'
    const first = index
    const before = inside
    // The format's own seams first: where one is stronger than any text seam could be, the text is not read at all.
    for (; index < seams.count && seams.seam(index).at <= high; index++) {
      const seam = seams.seam(index)
      let value = seam.strength
      while (index + 1 < seams.count && seams.seam(index + 1).at === seam.at)
        value = Math.max(value, seams.seam(++index).strength)
      if (isGraphemeBoundary(this.#text, seam.at, Math.min(floor, seam.at))) best.offer(seam.at, value)
    }
    const end = index
    let from = low
    inside = before
    for (index = first; index <= end; index++) {
      const seam = index < end ? seams.seam(index) : undefined
      const to = seam === undefined ? high : seam.at - 1
      if (from <= to && strongestInside[inside] >= best.strength) {
        this.#textSeams.offer(from, to, inside, floor, best)
      }
      if (seam === undefined) break
      from = seam.at + 1
      inside = seam.inside ?? 'text'
    }
  }

  /** Where to end the chunk that starts at `start`: after `own`, where it fits; 0 when it only would without its overlap. */
  #cut(start: number, own: number, reach: number): number {
    const text = this.#text
    const { size, trim } = this.#options
    // White space after the limit costs nothing when it is trimmed, so the seam behind it is within reach.
    const high = trim ? skipWhiteSpace(text, reach, Math.min(text.length, reach + size)) : reach
    // Read further than the limit, to see a short tail coming.
    this.#seams.readTo(high + (high - own))
    const stop = this.#boundaryAfter(own)
    this.#stop = stop
    if (high >= stop && this.#fits(start, this.#trimmedEnd(stop, own))) {
      if (stop < text.length)
        this.#onCut?.({ start, own, low: stop, high: stop, at: stop, strength: strength.always, reason: 'window' })
      return stop
    }
    const windowStart = this.#windowStart(start, own, reach)
    let low = windowStart
    let top = Math.min(high, stop)
    const unitEnd = this.#unitEnd(own)
    if (unitEnd > low && this.#fits(start, this.#trimmedEnd(unitEnd, own))) {
      low = unitEnd
      top = Math.max(top, unitEnd)
    }
    // One round, unless the counter finds the chosen piece over the limit after all (prefixes of tokens can count more).
    while (top > own) {
      let found = this.#chooseSentence(low, top)
      if (found === 0 && this.#options.window === undefined) {
        // A sentence would be cut: rather make this chunk small, if a sentence or better ends somewhat before the window.
        const lower = Math.max(unitEnd, own + 1 + Math.floor((reach - own) * leastShare))
        if (lower < low) found = this.#chooseSentence(lower, low - 1)
        if (found > 0) low = lower
      }
      if (found === 0) found = this.#choose(low, top, own, reach)
      if (found === 0) break
      const at = this.#beforeUnit(found, own)
      if (this.#fits(start, this.#trimmedEnd(at, own))) {
        this.#onCut?.({ start, own, low, high: top, at, strength: this.#best.strength, reason: at === found ? 'window' : 'unit' })
        return at
      }
      top = found - 1
      low = Math.min(low, Math.max(own + 1, top - (reach - windowStart)))
    }
    const at = this.#hardCut(start, own, reach)
    if (at > 0) this.#onCut?.({ start, own, low, high: top, at, strength: strength.grapheme, reason: 'hard' })
    return at
  }

  /** The next place where a chunk must end. */
  #boundaryAfter(own: number): number {
    for (let at = this.#seams.alwaysAfter(own); at !== undefined; at = this.#seams.alwaysAfter(at)) {
      if (isGraphemeBoundary(this.#text, at, Math.min(this.#clusterStart, at))) return at
    }
    return this.#text.length
  }

  /** The first index at which the cut may fall; where what follows would be a short tail, also how to share it out. */
  #windowStart(start: number, own: number, reach: number): number {
    const { size, window, choose } = this.#options
    this.#ceiling = this.#stop
    if (window !== undefined) return Math.max(own + 1, reach - Math.floor((window * (reach - start)) / size))
    const low = Math.max(own + 1, reach - Math.floor((reach - own) * defaultWindow))
    const least = low - own
    if (choose !== 'stable' || this.#stop - reach >= least) return low
    this.#ceiling = this.#stop - least
    return Math.max(own + 1, Math.min(low, this.#ceiling - ((reach - low) >>> 1)))
  }

  /** The chosen seam in `[low, high]`, or 0 when there is none, not even between graphemes. */
  #choose(low: number, high: number, own: number, reach: number): number {
    const best = this.#best
    best.reset()
    if (high >= low) this.#offer(low, high, this.#clusterStart)
    if (best.strength < strength.grapheme) {
      const weak = best.strength
      const weakAt = best.last()
      if (this.#options.choose === 'stable' && this.#options.window !== 0) {
        for (const boundary of graphemeBoundaries(this.#text, this.#clusterStart, Math.min(high, reach))) {
          if (boundary >= low) best.offer(boundary, strength.grapheme)
        }
      } else {
        const boundary = graphemeBoundaryBefore(this.#text, Math.min(high, reach), this.#clusterStart)
        if (boundary >= low && boundary > own) best.offer(boundary, strength.grapheme)
      }
      if (best.strength < strength.grapheme) return weak > 0 ? weakAt : 0
    }
    return this.#pick(low, high)
  }

  /** The chosen seam in `[low, high]` if it is a sentence's end or better; 0 otherwise. */
  #chooseSentence(low: number, high: number): number {
    this.#best.reset(strength.sentence)
    this.#offer(low, high, this.#clusterStart)
    return this.#best.count === 0 ? 0 : this.#pick(low, high)
  }

  /** One of the strongest seams of `[low, high]`, at or before the ceiling if one is. */
  #pick(low: number, high: number): number {
    const best = this.#best
    if (best.count === 1) return best.at[0] as number
    if (this.#options.choose === 'nearest') return best.last()
    if (this.#ceiling < high) best.keepUpTo(this.#ceiling)
    // Words and graphemes are many and none is much better than another: fill the chunk, choose near the limit.
    const last = best.last()
    const lowest = best.strength <= strength.word ? Math.min(last, low + ((high - low) >>> 1)) : low
    let chosen = 0
    let least = Number.POSITIVE_INFINITY
    for (let index = 0; index < best.count; index++) {
      const at = best.at[index] as number
      if (at < lowest) continue
      const hash = seamHash(this.#text, at)
      // Repeated text hashes alike: the later seam then makes the fuller chunk.
      if (hash < least || (hash === least && at > chosen)) {
        least = hash
        chosen = at
      }
    }
    return chosen
  }

  /** The start of the largest unit that `at` would cut although it fits whole and starts after `own`; else `at`. */
  #beforeUnit(at: number, own: number): number {
    const seams = this.#seams
    for (let index = 0; index < seams.count; index++) {
      const seam = seams.seam(index)
      if (seam.at >= at) break
      if (seam.at <= own || seam.end === undefined || seam.end <= at) continue
      if (!this.#fits(seam.at, this.#trimmedEnd(seam.end, seam.at))) continue
      if (isGraphemeBoundary(this.#text, seam.at, Math.min(this.#clusterStart, seam.at))) return seam.at
    }
    return at
  }

  /** The last resort: the furthest grapheme boundary, else code point, that fits; one code point or CRLF at least. */
  #hardCut(start: number, own: number, reach: number): number {
    const text = this.#text
    const whole = graphemeBoundaryBefore(text, Math.min(reach, text.length), Math.min(this.#clusterStart, reach))
    for (let top = whole; top > own; top = graphemeBoundaryBefore(text, top - 1, Math.min(this.#clusterStart, top - 1))) {
      if (this.#fits(start, this.#trimmedEnd(top, own))) return this.#beforeUnit(top, own)
    }
    // A counter may stop short inside a token: the first cluster can still fit.
    for (const boundary of graphemeBoundaries(text, this.#clusterStart, Math.min(text.length, reach + rememberedCluster))) {
      if (boundary <= own) continue
      if (this.#fits(start, this.#trimmedEnd(boundary, own))) return boundary
      break
    }
    for (let top = Math.min(reach, text.length); top > own; ) {
      const at = codePointBoundaryBefore(text, top, own)
      if (at <= own) break
      if (this.#fits(start, this.#trimmedEnd(at, own))) return this.#beforeUnit(at, own)
      top = at - 1
    }
    const least = codePointEnd(text, own)
    return start < own && !this.#fits(start, least) ? 0 : least
  }
}
