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
  const all = output.filter((one) => one.type === 'chunk')
  const chunks = loadedFirst(all)
  return { chunks, bytes: gzipSync(chunks.map(({ code }) => code).join('\n'), { level: 9 }).length }
}

/** What is loaded before anything is called: the entry and what it imports, without what functions import when they run. */
function loadedFirst(all: readonly OutputChunk[]): OutputChunk[] {
  const byName = new Map(all.map((chunk) => [chunk.fileName, chunk]))
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name) || !byName.has(name)) return
    loaded.add(name)
    for (const imported of byName.get(name)?.imports ?? []) load(imported)
  }
  for (const { fileName, isEntry } of all) if (isEntry) load(fileName)
  return all.filter(({ fileName }) => loaded.has(fileName))
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
  const own = new Set(chunks.map(({ fileName }) => fileName))
  expect(chunks.flatMap(({ imports }) => imports).filter((name) => !own.has(name))).toEqual([])
  const code = chunks.map((chunk) => chunk.code).join('\n')
  for (const name of [/\bnode:/, /\bprocess\./, /\bBuffer\b/, /\brequire\(/]) expect(code, String(name)).not.toMatch(name)
}
