import type { Chunk } from '../chunk/chunk.ts'
import { AshlarError } from '../error/ashlar-error.ts'
import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'
import type { StructuralContext } from '../tree/structural-context.ts'
import type { Enrichment, EnrichmentKind } from './enrichment.ts'

/** How generated text is joined with a chunk. */
export interface EnrichedTextOptions {
  /** Which kinds are joined, the most important first: where room is short, the last go first. @default context, questions, keywords */
  readonly kinds?: readonly EnrichmentKind[]
  /**
   * What is known without a model, as `structuralContext` gives it for a child of a tree, or in words of one's own; it is put first
   * and is given up last. @default ''
   */
  readonly structure?: string | StructuralContext
  /** Put right before the context. @default '' */
  readonly prefix?: string
  /** The most that the result may count to. @default no limit */
  readonly limit?: number
  /** The unit of `limit`. @default characters */
  readonly counter?: Counter
}

/** A chunk's text joined with what stands beside it, for an embedder, a lexical index or a reader. */
export interface EnrichedText {
  readonly text: string
  /** Where the chunk's verbatim text stands in it. */
  readonly start: number
  readonly end: number
  /** What did not fit, or not all of it. */
  readonly omitted: readonly (EnrichmentKind | 'structure')[]
}

type Parts = { structure: string; context: string; questions: readonly string[]; keywords: readonly string[] }

const everyKind: readonly EnrichmentKind[] = ['context', 'questions', 'keywords']

/**
 * Joins a chunk with what was written about it: structure and context before the verbatim text, questions and keywords after it.
 *
 * Never exceeds `limit`: what does not fit is left out and named in `omitted`, questions and keywords one by one, from the last;
 * the verbatim text is always whole, and one that is over the limit alone is refused with `TEXT_TOO_LONG`.
 *
 * @example
 * const written = { context: 'ACME, revenue of 2025.', keywords: ['growth'] }
 * console.log(enrichedText({ text: 'It rose by 3 %.' }, written).text)
 * // => ACME, revenue of 2025.
 * // =>
 * // => It rose by 3 %.
 * // =>
 * // => growth
 */
export function enrichedText(
  chunk: Pick<Chunk, 'text'>,
  enrichment: Pick<Enrichment, EnrichmentKind>,
  options: EnrichedTextOptions = {},
): EnrichedText {
  const { kinds = everyKind, prefix = '', limit = Number.POSITIVE_INFINITY, counter = characters } = options
  const fits = (parts: Parts): boolean =>
    limit === Number.POSITIVE_INFINITY || counter(join(chunk.text, parts, prefix).text) <= limit
  let taken: Parts = { structure: '', context: '', questions: [], keywords: [] }
  if (!fits(taken)) {
    throw new AshlarError('TEXT_TOO_LONG', `The chunk alone is longer than the limit of ${limit} (${counter.id}).`, {
      details: { limit, length: counter(chunk.text), counter: counter.id },
    })
  }
  const structure = structureText(options.structure)
  const omitted: (EnrichmentKind | 'structure')[] = []
  const take = (kind: EnrichmentKind | 'structure', parts: Parts): boolean => {
    if (fits(parts)) {
      taken = parts
      return true
    }
    omitted.push(kind)
    return false
  }
  if (structure !== '') take('structure', { ...taken, structure })
  for (const kind of kinds) {
    const own = enrichment[kind]
    if (own === undefined || own.length === 0) continue
    if (typeof own === 'string') take(kind, { ...taken, [kind]: own })
    else own.every((_, last) => take(kind, { ...taken, [kind]: own.slice(0, last + 1) }))
  }
  return { ...join(chunk.text, taken, prefix), omitted }
}

function structureText(structure: string | StructuralContext = ''): string {
  if (typeof structure === 'string') return structure
  const { path, caption, header } = structure
  return [path.join(' > '), caption, header].filter((part) => part !== '').join('\n\n')
}

function join(
  text: string,
  parts: Parts,
  prefix: string,
): { readonly text: string; readonly start: number; readonly end: number } {
  const context = parts.context === '' ? '' : prefix + parts.context
  const before = [parts.structure, context].filter((part) => part !== '').map((part) => `${part}\n\n`)
  const after = [parts.questions.join('\n'), parts.keywords.join('; ')].filter((part) => part !== '').map((part) => `\n\n${part}`)
  const start = before.join('').length
  return { text: [...before, text, ...after].join(''), start, end: start + text.length }
}
