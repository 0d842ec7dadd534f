import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Caller, createCaller, type Embedder, embedderFrom, type Price, type ProviderEmbeddingModel } from 'ashlar/models'
import { CommandError } from './command-error.ts'
import { importPackage } from './import-package.ts'
import { providerModel, splitModelName } from './provider-models.ts'

/** An embedder by its name, and what comes with it. */
export interface OpenedEmbedder {
  readonly embedder: Embedder
  /** There where calls cost money or are limited. */
  readonly caller?: Caller
  readonly price?: Price
  readonly closes?: readonly AsyncDisposable[]
}

export interface EmbedderUse {
  readonly price: Price | undefined
  readonly budget: number | undefined
  readonly signal: AbortSignal
}

/** Whether texts are sent to somebody who may take money for it. */
export function isPaid(name: string): boolean {
  return name !== 'potion' && name !== 'none' && !name.startsWith('local:')
}

/** Opens an embedder by its name: `potion`, `none`, `local:<folder or name on the hub>`, `<provider>:<model>`. */
export async function openEmbedder(name: string, project: string, use: EmbedderUse): Promise<OpenedEmbedder | undefined> {
  if (name === 'none') return undefined
  if (name === 'potion') {
    const { potion } = await import('ashlar-potion')
    return { embedder: await potion({ signal: use.signal }) }
  }
  if (name.startsWith('local:')) return openLocal(name.slice('local:'.length), project, use.signal)
  const { provider, model } = splitModelName(name, 'embedder')
  const found = await providerModel(provider, model, 'embedding', project)
  const { price, budget } = use
  if (budget !== undefined && price === undefined) {
    throw new CommandError(
      'A budget means nothing as long as the price is not known.',
      'Give what a million tokens cost: --price 0.02',
      'USAGE',
    )
  }
  return {
    embedder: embedderFrom(found as ProviderEmbeddingModel),
    caller: createCaller({
      ...(budget === undefined ? {} : { budget: { money: budget } }),
      ...(price === undefined ? {} : { price }),
    }),
    ...(price === undefined ? {} : { price }),
  }
}

async function openLocal(name: string, project: string, signal: AbortSignal): Promise<OpenedEmbedder> {
  await importPackage('@huggingface/transformers', project, `The embedder local:${name}`)
  const { localEmbedder } = await import('ashlar/local')
  const folder = resolve(project, name)
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const embedder = await localEmbedder(isFolder ? folder : name, { download: !isFolder, signal })
  return { embedder, closes: [embedder] }
}
