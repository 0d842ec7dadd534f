import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'

const entry = fileURLToPath(new URL('../../dist/index.js', import.meta.url))

/** Bundles and minifies what a user's bundler would take from the root entry for the given imports. */
async function bundle(imports: string): Promise<{ readonly chunks: readonly OutputChunk[]; readonly bytes: number }> {
  const build = await rolldown({
    input: 'user',
    platform: 'browser',
    external: (id) => !/^(user$|[./\\]|[A-Za-z]:)/.test(id),
    plugins: [
      {
        name: 'user',
        resolveId: (id) => (id === 'user' ? id : null),
        load: (id) => (id === 'user' ? `export ${imports} from ${JSON.stringify(entry)}` : null),
      },
    ],
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  const chunks = output.filter((one) => one.type === 'chunk')
  return { chunks, bytes: gzipSync(chunks.map(({ code }) => code).join('\n'), { level: 9 }).length }
}

describe('the root entry', () => {
  test('is at most 30 kB, minified and compressed', async () => {
    const all = await bundle('*')
    const plain = await bundle('{ chunkText }')
    console.log(`root entry, minified + gzip: ${all.bytes} bytes; chunkText alone: ${plain.bytes} bytes`)
    expect(all.bytes).toBeLessThanOrEqual(30_000)
    expect(plain.bytes).toBeLessThan(all.bytes)
  })

  test('imports nothing and needs no platform', async () => {
    const { chunks } = await bundle('*')
    expect(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])).toEqual([])
    const code = chunks.map((chunk) => chunk.code).join('\n')
    for (const name of [
      /\bnode:/,
      /\bparse5\b/,
      /gpt-tokenizer/,
      /@huggingface/,
      /fast-check/,
      /\bprocess\./,
      /\bBuffer\b/,
      /\brequire\(/,
    ])
      expect(code, String(name)).not.toMatch(name)
  })
})
