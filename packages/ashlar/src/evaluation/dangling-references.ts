import type { Tree, TreePiece } from '../tree/tree.ts'

/**
 * What a piece points to and does not hold.
 *
 * - `pronoun`: it begins with a word for something that was said before
 * - `before`: it refers to something above: "as mentioned above", "the previous table"
 * - `after`: it ends by announcing what comes next: "the following steps:"
 * - `figure`: it names a figure or a table whose caption stands elsewhere
 */
export type DanglingKind = 'pronoun' | 'before' | 'after' | 'figure'

export interface DanglingReference {
  readonly piece: number
  readonly kind: DanglingKind
  /** The words that point. */
  readonly words: string
  /** Whether the parent holds what the piece lacks: who reads parents is not in doubt. */
  readonly inParent: boolean
}

/** Sentences begin so in English, Spanish, German and French when they go on about something. */
const pronoun =
  /^(?:(?:He|She|They|Them|His|Their|Its|It|This|That|These|Those|Such|Both|The (?:former|latter|same))|(?:Esto|Eso|Ello|Él|Ella|Ellos|Ellas)|(?:Er|Dies|Diese[rs]?|Solche)|(?:Cela|Ceci|Ils|Elles?))(?=[ ’'])[ ’'][\p{L}]+/u

/** What looks like it and points to nothing, or to the text itself. */
const selfContained =
  /^(?:It(?: is|'s|’s| was) (?:also |not |often |usually |sometimes |therefore |always )?(?:important|possible|impossible|necessary|recommended|advisable|clear|likely|unlikely|worth|common|customary|best|better|easy|easier|hard|difficult|true|known|useful|helpful|good|safe|enough)|It (?:seems|appears|takes|follows|depends|turns)|(?:This|These) (?:section|chapter|document|guide|page|article|paper|book|manual|tutorial|file|package|library|module|report|agreement|policy|website|site|version|release|program|software|licen[cs]e|repository|project|example|table|figure|list|work|study)s?)\b/iu

const before =
  /\b(?:(?:see|mentioned|described|shown|noted|discussed|explained|defined|listed|given|stated|introduced|as) (?:above|earlier|before|previously)\b|(?:the|an?) (?:above|preceding|previous|earlier) (?:section|chapter|table|figure|example|paragraph|list|step|code|snippet|command)s?|(?:table|figure|example|list|code|snippet|paragraph|section) above\b|(?:véase|como se (?:ha )?\w+) (?:arriba|más arriba|anteriormente)|siehe oben|wie oben (?:\w+)|voir (?:ci-dessus|plus haut))/iu

/** At the end of a piece. */
const after =
  /(?:\b(?:the |as )?follow(?:s|ing)\b[^.!?\n]{0,80}|\b(?:shown|listed|described|given|see|table|figure|list|example) below\b[^.!?\n]{0,40}|\b(?:siguientes?|a continuación|wie folgt|folgende[rsnm]?|suivante?s?|ci-dessous)\b[^.!?\n]{0,80})[:：]\s*$/iu

const figure =
  /\b(Figures?|Figs?\.|Tables?|Tab\.|Abbildung|Abb\.|Tabelle|Figuras?|Tablas?|Tableau|Listing|Exhibit|Chart)\s+(\d{1,3}(?:[.-]\d{1,3})?[a-z]?)\b/giu
/** A caption begins its line. */
const caption =
  /^[ \t>*_#|-]{0,8}(Figures?|Figs?\.|Tables?|Tab\.|Abbildung|Abb\.|Tabelle|Figuras?|Tablas?|Tableau|Listing|Exhibit|Chart)\s+(\d{1,3}(?:[.-]\d{1,3})?[a-z]?)\s*(?:[.:|–—)*_-]|$)/gimu

/** Characters before "as mentioned above" that may well be what is meant. */
const enoughBefore = 250

/** References that their own piece does not resolve. */
export function* danglingReferences({ children, parents, text }: Tree): Generator<DanglingReference, undefined> {
  const captions = new Map<string, number[]>()
  for (const found of text.matchAll(caption)) {
    const name = figureName(found[1] as string, found[2] as string)
    captions.set(name, [...(captions.get(name) ?? []), found.index])
  }
  for (const [piece, child] of children.entries()) {
    const parent = parents[child.above] as TreePiece
    const own = child.text.trimStart()
    const at = child.end - own.length
    const starts = pronoun.exec(own)?.[0]
    // A piece that opens its parent has nothing before it there.
    const hasBefore = text.slice(parent.start, at).trim() !== ''
    if (starts !== undefined && at > 0 && !selfContained.test(own)) {
      yield { piece, kind: 'pronoun', words: starts, inParent: hasBefore }
    }
    const above = before.exec(child.text)
    if (above !== null && above.index < enoughBefore) {
      yield { piece, kind: 'before', words: above[0], inParent: child.start + above.index - parent.start >= enoughBefore }
    }
    const next = after.exec(child.text)?.[0].trim()
    if (next !== undefined && text.slice(child.end).trim() !== '') {
      yield { piece, kind: 'after', words: next, inParent: text.slice(child.end, parent.end).trim() !== '' }
    }
    yield* figuresElsewhere(child, parent, piece, captions)
  }
}

function* figuresElsewhere(
  child: TreePiece,
  parent: TreePiece,
  piece: number,
  captions: ReadonlyMap<string, readonly number[]>,
): Generator<DanglingReference, undefined> {
  const seen = new Set<string>()
  for (const found of child.text.matchAll(figure)) {
    const name = figureName(found[1] as string, found[2] as string)
    const places = captions.get(name)
    if (places === undefined || seen.has(name)) continue
    seen.add(name)
    const within = ({ start, end }: TreePiece): boolean => places.some((place) => place >= start && place < end)
    if (!within(child)) yield { piece, kind: 'figure', words: found[0], inParent: within(parent) }
  }
}

/** `Fig. 3` and `Figures 3` are the same. */
function figureName(word: string, number: string): string {
  return `${word.slice(0, 3).toLowerCase()} ${number.toLowerCase()}`
}
