import { type Addable, chunkMarkdown, chunkText, type LibrarySearchOptions, type OpenOptions, open } from 'ashlar'
import { ingestFields } from 'ashlar/ingest'
import { localEmbedder, localReranker } from 'ashlar/local'
import type { Embedder, Journal } from 'ashlar/models'
import type { SearchResult } from 'ashlar/search'
import { memoryStore } from 'ashlar/stores'
import { treePresets } from 'ashlar/tree'
import { modelFolder } from '../../bench/inputs/model-folder.ts'
import { openStaticModel } from '../../bench/provider/static-model.ts'
import type { EvalDocument } from '../eval-set.ts'
import type { OpenSystem, System } from '../system.ts'
import { KeptEmbedder } from './kept-embedder.ts'

/** A way of opening and asking our library. */
export interface LibraryConfiguration {
  readonly name: string
  /** What embeds. @default nothing: words alone */
  readonly model?: 'all-MiniLM-L6-v2' | 'bge-small-en-v1.5' | 'potion-base-8M'
  /** Whether a cross-encoder reads the best. @default false */
  readonly crossEncoder?: boolean
  /** What is not as `open` and `search` have it. @default nothing */
  readonly open?: Pick<OpenOptions, 'tree' | 'late'>
  readonly search?: LibrarySearchOptions
}

const crossEncoder = 'ms-marco-MiniLM-L-12-v2'

/** A collection in our library, which can also be asked for everything that a search says. */
interface OpenLibrary extends OpenSystem {
  ask(question: string, options: LibrarySearchOptions, how?: { readonly fresh?: boolean }): Promise<SearchResult>
}

/** Our library as a system. */
export interface LibrarySystem extends System {
  open(...given: Parameters<System['open']>): Promise<OpenLibrary>
}

/** Our library as a user calls it: a memory store, `add` and `search`. */
export async function librarySystem(configuration: LibraryConfiguration, journal: Journal): Promise<LibrarySystem> {
  const { name, model, open: opened, search: asked } = configuration
  await using stack = new AsyncDisposableStack()
  const embedder = model === undefined ? undefined : new KeptEmbedder(await openModel(model, stack))
  const reranker = configuration.crossEncoder ? stack.use(await localReranker(modelFolder(crossEncoder))) : undefined
  const models = stack.move()
  return {
    name,
    settings: describe(configuration),
    embeddingTime: () => embedder?.time ?? 0,
    [Symbol.asyncDispose]: () => models.disposeAsync(),
    async open(documents, { set, fresh, progress }) {
      const library = await open({
        store: memoryStore({ workspace: set.name, fields: ingestFields }),
        ...opened,
        ...(embedder === undefined ? {} : { embedder }),
        ...(reranker === undefined ? {} : { reranker }),
        ...(fresh ? {} : { journal }),
      })
      const { failures } = await library.add(documents.map(toAddable), {
        onEvent: (event) => event.type === 'progress' && event.embedded > 0 && progress(`${event.embedded} pieces embedded`),
      })
      if (failures.length > 0) throw new Error(`${failures[0]!.id} was not added: ${failures[0]!.message}`)
      const ask: OpenLibrary['ask'] = (question, options, how = {}) => {
        if (embedder !== undefined) embedder.fresh = how.fresh === true
        return library.search(question, {
          documents: set.documents,
          ...(set.scope === undefined ? {} : { scope: set.scope }),
          places: false,
          // Judges look for places: one that is told in `alsoAt` of its twin would count as missed.
          duplicates: 'keep',
          whenModelFails: 'throw',
          ...(reranker === undefined || how.fresh ? {} : { rerank: { cache: journal } }),
          ...asked,
          ...options,
        })
      }
      return {
        ask,
        async search(question, limit, how) {
          const { hits } = await ask(question, { limit }, how)
          return hits.map(({ document, start, end }) => ({ document: document.id, start, end }))
        },
        close: () => library.close(),
      }
    },
  }
}

async function openModel(model: NonNullable<LibraryConfiguration['model']>, stack: AsyncDisposableStack): Promise<Embedder> {
  if (model === 'potion-base-8M') return openStaticModel()
  // A child's late vector is the mean of its tokens, whatever the model was trained to pool: so is the question's.
  const mean = { pooling: 'mean', queryPrefix: '', documentPrefix: '' } as const
  return stack.use(await localEmbedder(modelFolder(model), mean))
}

/** The library's own door for sets that say where to cut: no piece is mixed with another, and a long one is cut further. */
function toAddable({ id, text, format, title, pieces }: EvalDocument): Addable {
  const given = { id, text, ...(title === undefined ? {} : { title }) }
  if (pieces === undefined) return { ...given, format }
  const cut = format === 'markdown' ? chunkMarkdown : chunkText
  const size = treePresets.precise.child
  const chunks = pieces.flatMap(({ start, end }) =>
    Array.from(cut(text.slice(start, end), { size, overlap: 0, trim: false }), (piece) => ({
      start: start + piece.start,
      end: start + piece.end,
    })),
  )
  return { ...given, chunks }
}

function describe({ model, crossEncoder: reranks, open: opened, search: asked }: LibraryConfiguration): string {
  const parts = [
    model === undefined ? 'words alone' : `${model}${model === 'potion-base-8M' ? '' : ' q8'}`,
    ...(reranks ? [`${crossEncoder} q8 reads the best 30`] : []),
    ...(opened === undefined ? [] : [`open ${JSON.stringify(opened)}`]),
    ...(asked === undefined ? [] : [`search ${JSON.stringify(asked)}`]),
  ]
  return parts.join('; ')
}
