import { contentKey } from '../model/content-key.ts'
import type { Prompt } from '../model/generator.ts'
import { identityKey } from '../model/identity-key.ts'
import type { ModelCache } from '../model/model-cache.ts'
import { type DocumentView, type DocumentViewOptions, documentViews } from './document-view.ts'
import type { EnrichmentPiece, EnrichmentSource } from './enrichment.ts'
import type { ResolvedEnrichment } from './enrichment-options.ts'
import { fill } from './template.ts'

/** What is to be asked about one chunk. */
export interface EnrichmentRequest {
  readonly source: EnrichmentSource
  readonly child: EnrichmentPiece
  /** The child's place among the document's children. */
  readonly index: number
  /** The part of the prompt that is the same for all chunks of the document, or of a stretch of it. */
  readonly shared: string
  /** Under which the answer is kept. */
  readonly key: string
  /** Whether the answer is in the cache already. */
  readonly known: boolean
  /** Whether it is the first that will be sent with its shared part. */
  readonly first: boolean
  /** Whether others will be sent with the same shared part, so that it is worth caching. */
  readonly sharing: boolean
}

const pathSeparator = ' > '
/** Left for the template's own words, the outline and the beginning of a long document. */
const templateTokens = 2_500
/** Parts of a document have more or fewer tokens than the mean. */
const windowShare = 0.8

/** The requests of a document, chunk after chunk; those that share a part stand together. */
export async function* enrichmentRequests(
  source: EnrichmentSource,
  options: ResolvedEnrichment,
  cache: ModelCache | undefined,
): AsyncGenerator<EnrichmentRequest, undefined> {
  const scope = [
    'enrichment 1',
    identityKey(options.generator.identity),
    options.template.key,
    [options.maxTokens, options.documentLimit, options.neighbourhood].join(),
    source.document,
    source.title,
    // A document without a name could be any: only its own text tells it from others.
    options.reuse === 'document' || source.document === '' ? contentKey(source.text) : '',
  ]
  for (const view of documentViews(source, fitWindow(source, options))) {
    const shared = fill(options.template.shared, documentFilling(source, view, options))
    const children = source.children.slice(view.first, view.after)
    const keys = children.map((child) => contentKey(...scope, child.id, child.text.slice(child.lead), ...child.outline))
    const known = await lookUp(cache, keys)
    const first = known.indexOf(false)
    const sharing = known.lastIndexOf(false) > first
    for (const [at, child] of children.entries()) {
      const place = { source, child, index: view.first + at }
      yield { ...place, shared, key: keys[at] as string, known: known[at] as boolean, first: at === first, sharing }
    }
  }
}

/** The prompt of a request: the shared part first, marked for caching where that pays, and then what is the chunk's own. */
export function promptOf({ child, shared, sharing }: EnrichmentRequest, { template }: ResolvedEnrichment): Prompt {
  const own = fill(template.own, { chunk: child.text, path: child.outline.join(pathSeparator) })
  const first = shared === '' ? [] : [{ text: shared, ...(sharing && { cache: true }) }]
  return { ...(template.system !== undefined && { system: template.system }), parts: [...first, { text: own }] }
}

/** Where the model's window is known and too small for the document, less of it is shown. */
function fitWindow(source: EnrichmentSource, options: ResolvedEnrichment): DocumentViewOptions {
  const { generator, counter, maxTokens, documentLimit, neighbourhood } = options
  if (generator.maxTokens === undefined) return options
  const longest = source.children.reduce((most, { text }) => (text.length > most.length ? text : most), '')
  const room = generator.maxTokens - maxTokens - counter(longest) - templateTokens
  const shown = source.text.length <= documentLimit ? source.text : source.text.slice(0, neighbourhood)
  const tokens = counter(shown)
  if (tokens <= room) return options
  const characters = Math.max(1, Math.floor(((shown.length * Math.max(0, room)) / tokens) * windowShare))
  return { documentLimit: Math.min(documentLimit, characters), neighbourhood: Math.min(neighbourhood, characters) }
}

/** Which answers the cache has. A cache that fails has none: the calls themselves will report it. */
async function lookUp(cache: ModelCache | undefined, keys: readonly string[]): Promise<readonly boolean[]> {
  try {
    const values = await cache?.get(keys)
    return keys.map((_, at) => values?.[at] !== undefined)
  } catch {
    return keys.map(() => false)
  }
}

function documentFilling(
  { title }: EnrichmentSource,
  { text, outline, whole }: DocumentView,
  { template }: ResolvedEnrichment,
): { readonly document: string; readonly outline: string; readonly title: string } {
  // A template that shows the outline in a place of its own gets it there and not twice.
  const document = whole || template.outlineApart || outline === '' ? text : `${outline}\n\n${text}`
  return { document, outline, title }
}
