import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Embedder } from 'ashlar/models'
import { staticEmbedder } from 'ashlar/static'
import { potion } from 'ashlar-potion'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesInMarkdown } from '../../../ashlar/test/house/example.ts'
import { compile, layOut, run } from '../../../ashlar/test/house/run-examples.ts'
import { browser, isMissing, print, printInBrowser, runtimes } from '../../../ashlar/test/house/runtimes.ts'
import { similarityPairs } from '../../../ashlar/test/text/shared-data.ts'
import { missingFiles, modelFolder, packedFiles, packedFolder, papers } from '../../scripts/model-folder.ts'
import { packWeights } from '../../scripts/pack-weights.ts'

const home = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const source = modelFolder()
const scratch = mkdtempSync(join(tmpdir(), 'ashlar-potion-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }))

const isThere = existsSync(source)
if (!isThere) console.warn(`NOT TESTED: the packed model, because there is none in ${source}. Set ASHLAR_MODELS.`)

function sha256(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

describe.skipIf(!isThere)('the packed model', () => {
  let packed: Embedder
  let original: Embedder
  beforeAll(async () => {
    packed = await potion()
    const [tokenizer, weights] = ['tokenizer.json', 'model.safetensors'].map((name) => readFileSync(join(source, name)))
    original = staticEmbedder({ tokenizer: tokenizer!.toString(), weights: weights! })
  })

  test('has the same bytes for the same model, on every machine', () => {
    const weights = readFileSync(join(source, 'model.safetensors'))
    expect(Buffer.compare(packWeights(weights), readFileSync(join(packedFolder, 'model.safetensors')))).toBe(0)
    // The model as it was when this was written; another one may be packed, with another identity.
    if (sha256(join(source, 'model.safetensors')) !== '3955b8a3acf2d48c6a88e980c002eb842336cafee896ee39e15007e05ee16229') return
    expect(sha256(join(packedFolder, 'model.safetensors'))).toBe(
      '4b67f17682e43696abf2677bd28bf6b092fd9377031fc371b88e2262efb6b8b9',
    )
    expect(sha256(join(packedFolder, 'tokenizer.json'))).toBe('7276a618332980438d86109294a7bff98844ea96b1c12f1e0c287cf3123d6950')
  })

  test('says what it is', () => {
    expect(packed.identity).toMatchObject({
      ...{ model: 'static/potion-base-8M', dimensions: 256, pooling: 'mean', normalized: true, maxTokens: undefined },
      options: { weights: 'int8' },
    })
    expect(packed.givesTokens).toBe(true)
  })

  test('gives nearly the vectors of the original, and judges sentences as it does', async () => {
    const pairs = similarityPairs()
    const texts = pairs.length > 0 ? pairs.flatMap(({ s1, s2 }) => [s1, s2]) : ['A stone wall.', 'Ein Satz.', '石は一つ']
    const [small, large] = await Promise.all(
      [packed, original].map(async (one) => (await one.embed(texts, { as: 'document' })).vectors),
    )
    const likeness = texts.map((_, at) => dot(small![at]!, large![at]!))
    expect(Math.min(...likeness)).toBeGreaterThan(0.9998)
    if (pairs.length === 0) return
    const scores = pairs.map(({ score }) => score)
    const [ofSmall, ofLarge] = [small!, large!].map((vectors) =>
      spearman(
        pairs.map((_, at) => dot(vectors[2 * at]!, vectors[2 * at + 1]!)),
        scores,
      ),
    )
    console.log(
      `STS-B test, Spearman: ${(100 * ofLarge!).toFixed(3)} in 16 bits, ${(100 * ofSmall!).toFixed(3)} in 8; ` +
        `cosine to the original at least ${Math.min(...likeness).toFixed(6)}`,
    )
    expect(ofLarge! - ofSmall!).toBeLessThan(0.001)
    expect(ofSmall!).toBeGreaterThan(0.735)
  })

  test('carries the model’s papers unchanged', () => {
    for (const name of papers) expect(readFileSync(join(packedFolder, name)), name).toEqual(readFileSync(join(source, name)))
    for (const name of ['tokenizer.json', 'config.json'])
      expect(JSON.parse(readFileSync(join(packedFolder, name), 'utf8'))).toEqual(
        JSON.parse(readFileSync(join(source, name), 'utf8')),
      )
  })

  test('is published whole and in at most 8.6 MB', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: home, encoding: 'utf8' })
    const [pack] = Object.values(JSON.parse(stdout)) as [{ files: { path: string }[]; size: number; unpackedSize: number }]
    console.log(`ashlar-potion: ${pack.size} bytes packed, ${pack.unpackedSize} unpacked`)
    expect(pack.unpackedSize).toBeLessThanOrEqual(8_600_000)
    expect(pack.files.map(({ path }) => path).toSorted()).toEqual(
      [
        ...['LICENSE', 'NOTICE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'],
        ...packedFiles.map((name) => `model/${name}`),
      ].toSorted(),
    )
  })

  test('is read once', async () => {
    expect(await potion()).toBe(packed)
    const [one, two] = await Promise.all([potion(), potion({ signal: new AbortController().signal })])
    expect(one).toBe(two)
  })

  test('is read from another folder where one is given', async () => {
    for (const folder of [pathToFileURL(packedFolder), `${pathToFileURL(packedFolder)}/`]) {
      const other = await potion({ folder })
      expect(other).not.toBe(packed)
      expect(other.identity).toEqual(packed.identity)
    }
  })

  test('the README is true', () => {
    const examples = examplesInMarkdown('packages/potion/README.md', readFileSync(join(home, 'README.md'), 'utf8'))
    expect(examples.filter(({ notRun }) => notRun === undefined)).toHaveLength(1)
    const folder = layOut(examples)
    try {
      expect(compile(folder)).toBe('')
      for (const example of examples.filter(({ notRun }) => notRun === undefined)) expect(run(example, folder)).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  describe('gives the same vectors, bit by bit', () => {
    const program = fileURLToPath(new URL('print-vectors.mjs', import.meta.url))
    let expected: string
    beforeAll(() => {
      expected = print(program, scratch)
    })

    test('under Node, and none is missing', () => {
      const { vectors, tokens } = JSON.parse(expected)
      expect(vectors).toHaveLength(9)
      // Of Thai, which is written without spaces, it knows single letters only: a whole phrase is one unknown word.
      const empty = tokens.flatMap(([ids]: [number[]], at: number) => (ids.length === 0 ? [at] : []))
      expect(empty).toEqual([4, 7])
    })

    for (const runtime of runtimes)
      test.skipIf(isMissing(runtime))(`under ${runtime.name}`, () => {
        expect(print(program, scratch, runtime, runtime.name === 'Deno' ? ['--allow-read'] : [])).toBe(expected)
      })

    test.skipIf(isMissing(browser))('in a Chromium page, without a bundler', async () => {
      const imports = {
        ashlar: '/ashlar/index.js',
        'ashlar/static': '/ashlar/static.js',
        'ashlar-potion': '/potion/dist/index.js',
      }
      const fileOf = (path: string): string | undefined => {
        const [, place, rest = ''] = /^\/(ashlar|potion)\/((?:(?:dist|model)\/)?[\w.-]+)$/.exec(path) ?? []
        if (place === 'ashlar') return join(home, '../ashlar/dist', rest)
        if (place === 'potion') return join(home, rest)
        return path === '/vectors.mjs' ? join(here, 'vectors.mjs') : undefined
      }
      const printed = await printInBrowser(page(imports, '/vectors.mjs'), fileOf, join(scratch, 'bare'))
      expect(printed.text).toBe(expected)
      expect(printed.troubles).toEqual([])
      expect(printed.elsewhere).toEqual([])
    })

    test.skipIf(isMissing(browser))('in a Chromium page, bundled by Vite', async () => {
      const entry = fileURLToPath(new URL('print-in-page.mjs', import.meta.url))
      const outDir = join(scratch, 'bundle')
      await build({
        root: here,
        configFile: false,
        logLevel: 'error',
        build: { outDir, emptyOutDir: true, rolldownOptions: { input: entry, output: { entryFileNames: 'page.js' } } },
      })
      expect(readdirSync(join(outDir, 'assets')).filter((name) => /\.(safetensors|json)$/.test(name))).toHaveLength(2)
      const html = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>`
      const printed = await printInBrowser(html, (path) => join(outDir, path), join(scratch, 'bundled'))
      expect(printed.text).toBe(expected)
      expect(printed.troubles).toEqual([])
      expect(printed.elsewhere).toEqual([])
    })
  })
})

describe('without the model', () => {
  test('a folder without it is named in the error, and an abort comes first', async () => {
    const empty = pathToFileURL(join(scratch, 'empty'))
    await expect(potion({ folder: empty })).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' })
    for (const folder of ['not a url', './model', 'data:text/plain,'])
      await expect(potion({ folder })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
    const reason = new Error('enough')
    await expect(potion({ folder: empty, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const waiting = potion({ folder: empty, signal: controller.signal })
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
  })

  test('an answer other than the file is an error, with its status', async () => {
    const server = createServer((_, response) => response.writeHead(404).end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const error = await potion({ folder: `http://127.0.0.1:${port}/model` }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', cause: new Error('The server answered with status 404.') })
    server.close()
    server.closeAllConnections()
  })

  test('the build succeeds and says so, and packing is refused', () => {
    const copy = join(scratch, 'packages/potion')
    mkdirSync(join(copy, 'dist'), { recursive: true })
    cpSync(join(home, 'scripts'), join(copy, 'scripts'), { recursive: true })
    writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }')
    symlinkSync(join(home, '../ashlar'), join(scratch, 'packages/ashlar'), 'junction')
    const script = (name: string, env: Record<string, string> = {}) =>
      spawnSync(process.execPath, ['--experimental-strip-types', '--no-warnings', join(copy, 'scripts', name)], {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', ...env },
      })
    const built = script('build-model.ts', { ASHLAR_MODELS: join(scratch, 'nowhere') })
    expect(built.status).toBe(0)
    expect(built.stderr).toContain('none is packed')
    expect(missingFiles(join(copy, 'model'))).toEqual(packedFiles)
    expect(script('check-model.ts').stderr).toContain('no dist/index.js')
    writeFileSync(join(copy, 'dist/index.js'), '')
    const checked = script('check-model.ts')
    expect(checked.status).toBe(1)
    expect(checked.stderr).toContain('The model is not all there (model.safetensors, tokenizer.json')
  })
})

/** A page that loads the packages the way a browser does: by address, one file after the other. */
function page(imports: Readonly<Record<string, string>>, program: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
import { potion } from 'ashlar-potion'
import { embedAll } from '${program}'
const pre = document.createElement('pre')
pre.textContent = await embedAll(potion)
document.body.append(pre)
</script>
`
}

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, at) => sum + value * right[at]!, 0)
}

/** Pearson's correlation of ranks, equal values sharing theirs. */
function spearman(left: readonly number[], right: readonly number[]): number {
  const [a, b] = [left, right].map(ranks) as [number[], number[]]
  const middle = (left.length - 1) / 2
  const product = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, at) => sum + (value - middle) * (y[at]! - middle), 0)
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b))
}

function ranks(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).toSorted((x, y) => values[x]! - values[y]!)
  const found = new Array<number>(values.length)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (const at of order.slice(from, to)) found[at] = (from + to - 1) / 2
  }
  return found
}
