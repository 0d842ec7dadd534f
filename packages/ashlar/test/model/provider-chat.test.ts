import { describe, expect, test } from 'vitest'

import type { Prompt } from '../../src/model/generator.ts'
import { generatorFrom } from '../../src/model/generator-from.ts'
import { prose } from '../../src/testing/chunker-contract.ts'
import { type Provider, type ProviderServerOptions, startProvider } from '../../src/testing/provider-server.ts'
import { approximateTokens } from '../../src/text/approximate-tokens.ts'
import { languagePackages } from './provider-packages.ts'

const caches = { openai: 'automatic', google: 'automatic', anthropic: 'marked', cohere: 'none' } as const

// Cohere's package joins the parts of a message without anything between them.
const document = `${prose(12_000)}\n\n`

function promptAbout(part: string): Prompt {
  return { system: 'Say where the part belongs.', parts: [{ text: document, cache: true }, { text: part }] }
}

async function withProvider(options: ProviderServerOptions, use: (provider: Provider) => Promise<void>): Promise<void> {
  await using provider = await startProvider(options)
  await use(provider)
}

describe.each(languagePackages)('$name', ({ provider: sold, make }) => {
  const promptCache = caches[sold]

  test('answers what the model behind says, and counts what it counted', () =>
    withProvider({ answer: (parts) => `You asked: ${parts.at(-1)?.text.slice(-29)}` }, async (provider) => {
      const generator = generatorFrom(make(provider))
      expect(generator.promptCache).toBe(promptCache)
      const first = await generator.generate(promptAbout('The keystone closes the arch.'))
      const second = await generator.generate(promptAbout('The lintel spans the opening.'))
      for (const [index, generated] of [first, second].entries()) {
        const { answer, usage } = provider.log[index] ?? {}
        expect(generated).toEqual({ text: answer, finish: 'stop', usage })
      }
      expect(first.text).toBe('You asked: The keystone closes the arch.')
      expect(second.text).toBe('You asked: The lintel spans the opening.')
      const shared = approximateTokens(document)
      if (promptCache === 'marked') {
        expect(first.usage.cacheWriteTokens).toBeGreaterThanOrEqual(shared)
        expect(second.usage.cachedTokens).toBe(first.usage.cacheWriteTokens)
        expect(second.usage.cacheWriteTokens).toBe(0)
      } else if (promptCache === 'automatic') {
        expect(first.usage.cachedTokens).toBe(0)
        expect(second.usage.cachedTokens).toBeGreaterThan(0.9 * shared)
      } else expect(second.usage.cachedTokens).toBe(0)
    }))

  test('keeps the answer within the limit it was given, and says so', () =>
    withProvider({}, async (provider) => {
      const generated = await generatorFrom(make(provider)).generate(
        { parts: [{ text: 'Ashlar masonry is laid in courses.' }] },
        { maxTokens: 3 },
      )
      expect(generated.finish).toBe('length')
      expect(generated.usage.outputTokens).toBe(3)
    }))

  test('gives a refusal as a refusal', () =>
    withProvider({ trouble: () => ({ kind: 'refusal' }) }, async (provider) => {
      const generated = await generatorFrom(make(provider)).generate({ parts: [{ text: 'Tell.' }] })
      expect(generated.finish).toBe('refused')
    }))
})
