import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { AshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import { embedAll } from '../model/embed-all.ts'
import type { Embedder } from '../model/embedder.ts'
import { type SemanticBreakRules, semanticBreaks } from './semantic-breaks.ts'
import { semanticEdges } from './semantic-edges.ts'
import { reweighed } from './semantic-seams.ts'
import { neighbourCosines, relativeSimilarities, type SemanticVectors } from './semantic-similarity.ts'
import { type SemanticUnit, semanticUnits } from './semantic-units.ts'

/** How topics are told apart. `caller`, `cache`, `price`, `onEvent` and `signal` are for the calls to the embedder. */
export interface SemanticOptions extends WorkOptions {
  /** Embeds the sentences; all of one document go to it in one batch, as far as it takes so many. */
  readonly embedder: Embedder
  /** What the text is made of besides sentences: its lists, tables and code stay whole, its headings with what they head. @default plain */
  readonly format?: Format
  /**
   * A new chunk begins where the similarity of what stands before and after falls below this. A higher threshold gives more and
   * smaller chunks, a lower one fewer and larger. What the number means depends on `similarity`.
   * @default 0.75
   */
  readonly threshold?: number
  /**
   * How similarity is measured.
   *
   * - `relative`: on a scale on which 1 is usual in this part of the text and each .25 below it is one standard deviation; of
   *   neighbouring places below the threshold only the lowest is taken. One threshold then means the same for every embedder:
   *   .75 is a place one deviation less similar than is usual.
   * - `cosine`: by the cosine alone, wherever it is below the threshold. Since neighbouring sentences of one topic have cosines of
   *   about .3 with most embedders, .75 then makes nearly every sentence a chunk; the right threshold differs from model to model.
   *
   * @default 'relative'
   */
  readonly similarity?: 'relative' | 'cosine'
  /**
   * How many sentences before a place are compared with as many after it. It decides how long a topic is: 2 finds paragraphs and
   * turns of a conversation, 20 the items on the agenda of a meeting. So many sentences at either end of a text are never cut off.
   * @default 2, and 1 for cosines
   */
  readonly breadth?: number
  /** The least sentences between two such places. Only `size` can cut a chunk smaller. @default 1 */
  readonly minSentences?: number
  /** The most sentences of a chunk. A longer run is cut where it is least similar. @default 50 */
  readonly maxSentences?: number
}

/** What is usual is judged over this many times the breadth, to either side. */
const surroundings = 8

/**
 * A format for one text whose seams know its topics: chunks end where the topic changes, and a chunk that would still be too long
 * is cut at its least similar sentence. Pass it to anything that takes a format, with that same text: `chunk`, `buildTree`.
 *
 * Costs one embedding of each sentence. Of a sentence longer than 1,000 characters or than the embedder reads, only the beginning
 * and the end are embedded: a seam is judged by what stands next to it. Cuts are as reproducible as the vectors are.
 *
 * @throws AshlarError `INVALID_OPTION` for a threshold or numbers of sentences that make no sense.
 */
export async function semanticFormat(text: string, options: SemanticOptions): Promise<Format> {
  const { embedder, format = plain, similarity = 'relative', signal } = options
  const rules = semanticRules(options)
  signal?.throwIfAborted()
  const own = [...format.seams(text)]
  const units = semanticUnits(text, own)
  const vectors = units.length < 2 ? [] : await embedUnits(text, units, embedder, options)
  const cosines = neighbourCosines(vectors, rules.breadth)
  const similarities = similarity === 'cosine' ? cosines : relativeSimilarities(cosines, surroundings * rules.breadth)
  const seams = reweighed(text, own, units, similarities, semanticBreaks(similarities, rules))
  const id = format.id === plain.id ? 'semantic' : `semantic-${format.id}`
  return { id, seams: (given) => (given === text ? seams : refuseOtherText(id)) }
}

function semanticRules(options: SemanticOptions): SemanticBreakRules & { readonly breadth: number } {
  const { threshold = 0.75, similarity = 'relative', minSentences = 1, maxSentences = 50 } = options
  const { breadth = similarity === 'cosine' ? 1 : 2 } = options
  if (!Number.isFinite(threshold)) refuse('threshold', threshold, 'a number')
  if (similarity !== 'relative' && similarity !== 'cosine') refuse('similarity', similarity, "'relative' or 'cosine'")
  if (!isCount(breadth)) refuse('breadth', breadth, 'a whole number of at least 1')
  if (!isCount(minSentences)) refuse('minSentences', minSentences, 'a whole number of at least 1')
  if (!isCount(maxSentences) || maxSentences < minSentences)
    refuse('maxSentences', maxSentences, `a whole number of at least minSentences (${minSentences})`)
  return { threshold, minSentences, maxSentences, breadth, apart: similarity === 'cosine' ? 0 : Math.max(1, breadth >>> 1) }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1
}

function refuse(option: string, value: unknown, wanted: string): never {
  throw new AshlarError('INVALID_OPTION', `${option} must be ${wanted}, not ${String(value)}.`, { details: { option, value } })
}

function refuseOtherText(format: string): never {
  throw new AshlarError(
    'INVALID_OPTION',
    `The format "${format}" was made for one text and was given another. Make one for each.`,
    {
      details: { format },
    },
  )
}

async function embedUnits(
  text: string,
  units: readonly SemanticUnit[],
  embedder: Embedder,
  options: SemanticOptions,
): Promise<SemanticVectors[]> {
  const edges = semanticEdges(text, units, embedder)
  const items = edges.flatMap(({ head, tail }, index) => {
    const id = `${units[index]?.start}-${units[index]?.end}`
    return head === tail
      ? [{ id, text: head }]
      : [
          { id, text: head },
          { id, text: tail },
        ]
  })
  const vectors: Float32Array[] = []
  for await (const outcome of embedAll(embedder, items, options)) {
    if (outcome.error !== undefined) throw outcome.error
    vectors.push(outcome.vector)
  }
  let next = 0
  return edges.map(({ head, tail }) => {
    const before = vectors[next++] as Float32Array
    return { head: before, tail: head === tail ? before : (vectors[next++] as Float32Array) }
  })
}
