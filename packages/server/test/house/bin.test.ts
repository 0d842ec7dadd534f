import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProvider } from 'ashlar/testing/provider'
import { expect, test } from 'vitest'
import { handbook, temporaryFolder } from '../temporary-folder.ts'
import { runBin } from './run-bin.ts'
import { wordEmbedder } from './word-embedder.ts'

const model = fileURLToPath(new URL('../../../potion/model/model.safetensors', import.meta.url))

test('the built command adds, searches and ends with the right codes', async () => {
  await using folder = await temporaryFolder(handbook)
  expect(await runBin(folder.path, ['add', 'docs'])).toMatchObject({ exit: 0, err: '' })
  const found = await runBin(folder.path, ['search', 'honey', '--json'])
  expect(found).toMatchObject({ exit: 0, err: '' })
  expect(JSON.parse(found.out).hits[0].document).toEqual({ id: 'docs/bees.txt', title: '', format: 'plain', metadata: {} })
  expect((await runBin(folder.path, ['search', 'honey', '--limit', '0'])).exit).toBe(2)
  expect((await runBin(folder.path, ['get', 'nothing'])).exit).toBe(1)
})

test('colours go by NO_COLOR and FORCE_COLOR', async () => {
  expect((await runBin('/', ['--help'])).out).not.toContain('\u001b')
  expect((await runBin('/', ['--help'], { FORCE_COLOR: '1' })).out).toContain('\u001b[1m')
  expect((await runBin('/', ['--help'], { FORCE_COLOR: '1', NO_COLOR: '1' })).out).not.toContain('\u001b')
})

test('a reader that has read enough makes no noise', async () => {
  await using folder = await temporaryFolder({ 'long.txt': 'Stone upon stone. '.repeat(200_000) })
  await runBin(folder.path, ['add', 'long.txt'])
  expect(await runBin(folder.path, ['get', 'long.txt'], {}, { closeOutput: true })).toMatchObject({ exit: 0, err: '' })
})

test.skipIf(!existsSync(model))('the packed model finds what is said in other words', async () => {
  await using folder = await temporaryFolder(handbook)
  const env = { ASHLAR_EMBEDDER: 'potion' }
  expect((await runBin(folder.path, ['add', 'docs'], env)).exit).toBe(0)
  const { out } = await runBin(folder.path, ['search', 'when do I get my money back', '--json'], env)
  expect(JSON.parse(out).hits[0].document.id).toBe('docs/refunds.md')
  const book = JSON.stringify({ nbformat: 4, cells: [{ cell_type: 'markdown', source: ['Slate is hung with copper nails.'] }] })
  await writeFile(join(folder.path, 'roofs.ipynb'), book)
  expect(await runBin(folder.path, ['add', 'roofs.ipynb'], env)).toMatchObject({ exit: 0, err: '' })
  // A library that has vectors of one model is not searched with none of it in silence.
  expect((await runBin(folder.path, ['status'], env)).out).toContain('potion-base-8M')
})

test('a provider is called by its name: estimate, question, budget, answer with citations', async () => {
  await using provider = await startProvider({ embedder: wordEmbedder })
  await using folder = await temporaryFolder(handbook)
  const env = {
    ASHLAR_EMBEDDER: 'openai:text-embedding-3-small',
    OPENAI_API_KEY: 'test',
    OPENAI_BASE_URL: provider.baseURL.openai,
  }
  const asked = await runBin(folder.path, ['add', 'docs', '--price', '0.02'], env)
  expect(asked.exit).toBe(1)
  expect(asked.err).toMatch(/This sends \d+ pieces? \(about [\d,]+ tokens, about [\d.e-]+\) to openai:text-embedding-3-small/)
  expect(asked.err).toContain('--yes')
  const piped = await runBin(folder.path, ['add', '-', '--price', '0.02'], env, { input: 'Some text.' })
  expect(piped.err).toContain('This sends 1 piece')
  expect(provider.log).toHaveLength(0)
  const added = await runBin(folder.path, ['add', 'docs', '--price', '0.02', '--yes'], env)
  expect(added).toMatchObject({ exit: 0 })
  expect(added.out).toMatch(/tokens, [\d.e-]+ spent/)
  expect((await runBin(folder.path, ['add', 'docs', '--budget', '1', '--yes'], env)).exit).toBe(2)
  const answer = await runBin(folder.path, ['ask', 'how long do refunds take', '--model', 'openai:gpt-4o-mini', '--json'], env)
  expect(answer.exit).toBe(0)
  expect(JSON.parse(answer.out)).toMatchObject({ question: 'how long do refunds take' })
})

test('what is installed in the project is found by a command that is installed elsewhere', async () => {
  await using folder = await temporaryFolder({
    ...handbook,
    'node_modules/voyage-ai-provider/package.json': '{ "name": "voyage-ai-provider", "type": "module", "exports": "./index.js" }',
    'node_modules/voyage-ai-provider/index.js': 'export const voyage = () => { throw new Error("found in the project") }',
  })
  const { err } = await runBin(folder.path, ['add', 'docs', '--embedder', 'voyage:voyage-3'])
  expect(err).toContain('voyage has no embedding models')
  const missing = await runBin(folder.path, ['add', 'docs', '--embedder', 'mistral:mistral-embed'])
  expect(missing.err).toContain('npm install @ai-sdk/mistral')
})
