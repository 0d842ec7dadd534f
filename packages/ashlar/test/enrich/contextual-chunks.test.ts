import { createOpenAI } from '@ai-sdk/openai'
import { describe, expect, test } from 'vitest'
import { chunkMarkdown, chunkText } from '../../src/chunk/chunkers.ts'
import { markdown } from '../../src/chunk/markdown.ts'
import { type ContextualChunk, type ContextualChunksOptions, contextualChunks } from '../../src/enrich/contextual-chunks.ts'
import { createCaller } from '../../src/model/caller.ts'
import { generatorFrom } from '../../src/model/generator-from.ts'
import { memoryCache } from '../../src/model/memory-cache.ts'
import { type Provider, type ProviderServerOptions, startProvider } from '../../src/testing/provider-server.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { chunkSemantic } from '../../src/vector/chunk-semantic.ts'
import { hashedEmbedder } from '../model/hashed-embedder.ts'
import { chunkIn } from './line-answer.ts'
import { numberedText, smallSource } from './small-source.ts'

const text = numberedText(3, 3_000)

async function withOptions(
  work: (options: ContextualChunksOptions, provider: Provider) => Promise<void>,
  server: ProviderServerOptions = {},
): Promise<void> {
  await using provider = await startProvider({ answer: (parts) => `It stands at ${chunkIn(parts).length}.`, ...server })
  const model = createOpenAI({ baseURL: provider.baseURL.openai, apiKey: 'key' })('gpt-4.1-mini')
  await work({ generator: generatorFrom(model), caller: createCaller({ firstWait: 1 }) }, provider)
}

async function collect(
  documents: Parameters<typeof contextualChunks>[0],
  options: ContextualChunksOptions,
): Promise<ContextualChunk[]> {
  const chunks: ContextualChunk[] = []
  for await (const chunk of contextualChunks(documents, options)) chunks.push(chunk)
  return chunks
}

describe('contextualChunks', () => {
  test('cuts as the chunker does, keeps the text, and puts the context before it', async () => {
    await withOptions(async (options) => {
      const chunks = await collect(text, { ...options, chunk: { size: 500, overlap: 100 } })
      const plain = [...chunkText(text, { size: 500, overlap: 100 })]
      expect(chunks.map(({ start, end, lead, text: own }) => ({ start, end, lead, text: own }))).toEqual(
        plain.map(({ start, end, lead, text: own }) => ({ start, end, lead, text: own })),
      )
      for (const [index, chunk] of chunks.entries()) {
        const context = `It stands at ${chunk.text.length}.`
        expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text)
        expect(chunk.contextualText).toBe(`[Context] ${context}\n\n${chunk.text}`)
        expect(chunk.metadata).toEqual({ chunker: 'contextual', context, index, total: plain.length })
        expect(chunk.enrichment?.provenance.model).toBe('openai/gpt-4.1-mini')
      }
    })
  })

  test('wraps any chunker, also one that waits, and any prompt with {document} and {chunk}', async () => {
    await withOptions(
      async (options, provider) => {
        const slow: ContextualChunksOptions['chunker'] = async function* (whole) {
          await Promise.resolve()
          yield* chunkMarkdown(whole, { size: 400, overlap: 0 })
        }
        const template = 'Documento:\n{document}\n\nFragmento:\n{chunk}\n\nSitúa el fragmento.'
        const chunks = await collect({ id: 'muro', text }, { ...options, chunker: slow, template, prefix: 'Contexto: ' })
        expect(chunks).toHaveLength([...chunkMarkdown(text, { size: 400, overlap: 0 })].length)
        for (const chunk of chunks) expect(chunk.contextualText).toBe(`Contexto: Trata del muro.\n\n${chunk.text}`)
        const request = provider.log[0]?.request
        expect(request?.kind === 'chat' && request.parts.map((part) => part.text).join('')).toBe(
          `Documento:\n${text}\n\nFragmento:\n${chunks[0]?.text}\n\nSitúa el fragmento.`,
        )
      },
      { answer: () => 'Trata del muro.' },
    )
  })

  test('documents keep their metadata; equal ones are told apart', async () => {
    await withOptions(async (options) => {
      const short = 'One stone.'
      const documents = [1, 2].map((n) => ({ text: short, metadata: { source: `${n}.txt` } }))
      const chunks = await collect(documents, options)
      expect(chunks.map(({ metadata }) => metadata['source'])).toEqual(['1.txt', '2.txt'])
    })
  })

  test('contextual over semantic: topics are found by vectors, and then situated', async () => {
    const topics = ['Lime sets slowly in the cold. Lime mortar needs weeks.', 'The cat sleeps. A cat sleeps all day long.']
    const embedder = hashedEmbedder()
    await withOptions(async (options) => {
      const whole = topics.join(' ')
      const semantic: ContextualChunksOptions['chunker'] = (given) => chunkSemantic(given, { embedder, overlap: 0 })
      const chunks = await collect({ id: 'topics', text: whole }, { ...options, chunker: semantic })
      expect(chunks.map(({ text: own }) => own)).toEqual(
        (await chunkSemantic(whole, { embedder, overlap: 0 })).map(({ text: own }) => own),
      )
      for (const chunk of chunks) expect(chunk.metadata.context).toBe(`It stands at ${chunk.text.length}.`)
    })
  })

  test('a tree, or any cut document, is taken as it is', async () => {
    await withOptions(async (options) => {
      const tree = buildTree(text, { format: markdown, document: 'wall', title: 'Wall' })
      const chunks = await collect(tree, options)
      expect(chunks.map(({ id }) => id)).toEqual(tree.children.map(({ id }) => id))
      const source = smallSource(text)
      expect((await collect([source, tree], options)).map(({ id }) => id)).toEqual(
        [...source.children, ...tree.children].map(({ id }) => id),
      )
    })
  })

  test('a chunk whose context failed comes without one, and says why', async () => {
    await withOptions(
      async (options) => {
        const cache = memoryCache()
        const chunks = await collect({ id: 'a', text }, { ...options, cache, chunk: { size: 500 } })
        const failed = chunks.filter(({ error }) => error !== undefined)
        expect(failed).toHaveLength(1)
        expect(failed[0]).toMatchObject({ index: 1, error: { code: 'REFUSED' }, metadata: { context: undefined } })
        expect(failed[0]?.contextualText).toBe(failed[0]?.text)
      },
      {
        trouble: (request) =>
          request.kind === 'chat' && chunkIn(request.parts).includes('Paragraph 0-4') && !chunkIn(request.parts).includes('0-1 ')
            ? { kind: 'refusal' }
            : undefined,
      },
    )
  })
})
