import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { type OutputChunk, rolldown } from 'rolldown'
import { describe, expect, test } from 'vitest'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

/** Bundles and minifies what a user's bundler would take from a door for the given imports. */
async function bundle(
  imports: string,
  door = 'index',
): Promise<{ readonly chunks: readonly OutputChunk[]; readonly bytes: number }> {
  const build = await rolldown({
    input: 'user',
    platform: 'browser',
    external: (id) => !/^(user$|[./\\]|[A-Za-z]:)/.test(id),
    plugins: [
      {
        name: 'user',
        resolveId: (id) => (id === 'user' ? id : null),
        load: (id) => (id === 'user' ? `export ${imports} from ${JSON.stringify(`${dist}${door}.js`)}` : null),
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
    expectNoPlatform(chunks)
    const code = chunks.map((chunk) => chunk.code).join('\n')
    for (const name of [/\bparse5\b/, /gpt-tokenizer/, /@huggingface/, /fast-check/]) expect(code, String(name)).not.toMatch(name)
  })
})

describe('the door to static vectors', () => {
  test('is at most 8 kB, minified and compressed, imports nothing and needs no platform', async () => {
    const { chunks, bytes } = await bundle('*', 'static')
    console.log(`ashlar/static, minified + gzip: ${bytes} bytes`)
    expect(bytes).toBeLessThanOrEqual(8_000)
    expectNoPlatform(chunks)
  })
})

function expectNoPlatform(chunks: readonly OutputChunk[]): void {
  expect(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])).toEqual([])
  const code = chunks.map((chunk) => chunk.code).join('\n')
  for (const name of [/\bnode:/, /\bprocess\./, /\bBuffer\b/, /\brequire\(/]) expect(code, String(name)).not.toMatch(name)
}
