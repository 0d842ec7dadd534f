import { CommandError } from './command-error.ts'
import { importPackage } from './import-package.ts'
import { nearestName } from './nearest-name.ts'

/** Packages of the AI SDK by the name of the provider, with what makes models in them and where the key is looked for. */
const providers: Readonly<Record<string, { readonly package: string; readonly make: string; readonly key: string }>> = {
  anthropic: { package: '@ai-sdk/anthropic', make: 'anthropic', key: 'ANTHROPIC_API_KEY' },
  cohere: { package: '@ai-sdk/cohere', make: 'cohere', key: 'COHERE_API_KEY' },
  google: { package: '@ai-sdk/google', make: 'google', key: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  mistral: { package: '@ai-sdk/mistral', make: 'mistral', key: 'MISTRAL_API_KEY' },
  openai: { package: '@ai-sdk/openai', make: 'openai', key: 'OPENAI_API_KEY' },
  voyage: { package: 'voyage-ai-provider', make: 'voyage', key: 'VOYAGE_API_KEY' },
}

/** Takes `openai:text-embedding-3-small` apart. */
export function splitModelName(name: string, setting: string): { readonly provider: string; readonly model: string } {
  const colon = name.indexOf(':')
  const provider = colon < 0 ? name : name.slice(0, colon)
  const model = colon < 0 ? '' : name.slice(colon + 1)
  const known = Object.keys(providers)
  if (!Object.hasOwn(providers, provider)) {
    const near = nearestName(provider, [...known, 'potion', 'none', 'local'])
    const also = setting === 'embedder' ? 'potion, none, local:<folder>, or ' : ''
    const guess = near === undefined ? '' : ` Did you mean ${near}?`
    throw new CommandError(
      `There is no ${setting} called ${name}.`,
      `Use ${also}<provider>:<model> with a provider of ${known.join(', ')}.${guess}`,
      'USAGE',
    )
  }
  if (model === '') throw new CommandError(`${name} does not say which model.`, `Write it as ${provider}:<model>.`, 'USAGE')
  return { provider, model }
}

/** The environment variable that a provider's package reads its key from. */
export function keyVariable(provider: string): string | undefined {
  return providers[provider]?.key
}

export function packageOf(provider: string): string | undefined {
  return providers[provider]?.package
}

/** A model of a provider's package, whatever version of the AI SDK it belongs to. */
export async function providerModel(
  provider: string,
  model: string,
  kind: 'embedding' | 'language',
  project: string,
): Promise<unknown> {
  const { package: name, make } = providers[provider] as (typeof providers)[string]
  const found = await importPackage(name, project, `${provider}:${model}`)
  const factory = found[make] as ((model: string) => unknown) & Readonly<Record<string, ((model: string) => unknown) | undefined>>
  if (kind === 'language') return factory(model)
  const makeEmbedding = factory['embeddingModel'] ?? factory['textEmbeddingModel']
  if (makeEmbedding !== undefined) return makeEmbedding(model)
  throw new CommandError(`${provider} has no embedding models.`, 'Choose another embedder: ashlar init', 'USAGE')
}
