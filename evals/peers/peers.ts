import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Peer } from './peer.ts'
import { bestVariant } from './sweep-file.ts'

/** One way to set a peer up. */
interface Variant {
  readonly [option: string]: unknown
}

/** A peer with its settings: those of its documentation, and others that were tried on dev parts. */
interface PeerFamily {
  /** The name of the variant that its documentation shows. */
  readonly recommended: string
  readonly variants: Readonly<Record<string, Variant>>
}

const pieces = { pieces: true }
const titledPieces = { pieces: true, titles: true }
const recursive = {
  '1000-200': { size: 1000, overlap: 200 },
  '2000': { size: 2000, overlap: 0 },
  '400': { size: 400, overlap: 0 },
  '200': { size: 200, overlap: 0 },
  pieces: { size: 1000, overlap: 200, ...pieces },
  'pieces-titles': { size: 1000, overlap: 200, ...titledPieces },
}

/** Settings of each peer; its file has the same name. Sizes are characters, those of LlamaIndex.TS tokens. */
export const families: Readonly<Record<string, PeerFamily>> = {
  'langchain-recursive': { recommended: '1000-200', variants: recursive },
  'langchain-ensemble': {
    recommended: '1000-200',
    variants: {
      ...named('', recursive, { words: 0.5 }),
      ...named('plain-', recursive, { words: 0.5, plain: true }),
    },
  },
  'langchain-parent': {
    recommended: '500-50',
    variants: {
      '500-50': { parent: 500, size: 50, overlap: 0 },
      '1000-200': { parent: 1000, size: 200, overlap: 0 },
      'pieces-200': { size: 200, overlap: 0, ...pieces },
    },
  },
  mastra: {
    recommended: '512-50',
    variants: {
      '512-50': { size: 512, overlap: 50, search: 'vector' },
      '200': { size: 200, overlap: 0, search: 'vector' },
      pieces: { size: 1000, overlap: 200, search: 'vector', ...pieces },
      'hybrid-512-50': { size: 512, overlap: 50, search: 'hybrid' },
      'hybrid-400': { size: 400, overlap: 0, search: 'hybrid' },
      'hybrid-200': { size: 200, overlap: 0, search: 'hybrid' },
      'hybrid-1000-200': { size: 1000, overlap: 200, search: 'hybrid' },
      'hybrid-2000': { size: 2000, overlap: 0, search: 'hybrid' },
      'hybrid-pieces': { size: 1000, overlap: 200, search: 'hybrid', ...pieces },
      'hybrid-pieces-titles': { size: 1000, overlap: 200, search: 'hybrid', ...titledPieces },
    },
  },
  chonkie: {
    recommended: 'recursive-512',
    variants: {
      'recursive-512': { chunker: 'recursive', size: 512, overlap: 0 },
      'recursive-200': { chunker: 'recursive', size: 200, overlap: 0 },
      'recursive-2048': { chunker: 'recursive', size: 2048, overlap: 0 },
      'semantic-512': { chunker: 'semantic', size: 512, overlap: 0 },
      pieces: { chunker: 'recursive', size: 1024, overlap: 0, ...pieces },
      'pieces-titles': { chunker: 'recursive', size: 1024, overlap: 0, ...titledPieces },
    },
  },
  llamaindex: {
    recommended: '1024-200',
    variants: {
      '1024-200': { size: 1024, overlap: 200, retriever: 'vector' },
      '256-20': { size: 256, overlap: 20, retriever: 'vector' },
      '64': { size: 64, overlap: 0, retriever: 'vector' },
      pieces: { size: 256, overlap: 20, retriever: 'vector', ...pieces },
      'bm25-1024-200': { size: 1024, overlap: 200, retriever: 'bm25' },
      'bm25-256-20': { size: 256, overlap: 20, retriever: 'bm25' },
      'bm25-64': { size: 64, overlap: 0, retriever: 'bm25' },
      'bm25-pieces': { size: 256, overlap: 20, retriever: 'bm25', ...pieces },
      'bm25-plain-1024-200': { size: 1024, overlap: 200, retriever: 'bm25', plain: true },
      'bm25-plain-64': { size: 64, overlap: 0, retriever: 'bm25', plain: true },
      'bm25-plain-pieces': { size: 256, overlap: 20, retriever: 'bm25', plain: true, ...pieces },
      'bm25-plain-pieces-titles': { size: 256, overlap: 20, retriever: 'bm25', plain: true, ...titledPieces },
      'bm25-pieces-titles': { size: 256, overlap: 20, retriever: 'bm25', ...titledPieces },
    },
  },
  'pgvector-by-hand': {
    recommended: '1000-200',
    variants: {
      '1000-200': { ...recursive['1000-200'], words: 'all', vectors: 'hnsw' },
      ...named('any-', recursive, { words: 'any', rank: 'ts_rank', vectors: 'exact' }),
    },
  },
}

/** Variants with more settings under names that say so. */
function named(prefix: string, variants: Readonly<Record<string, Variant>>, more: Variant): Readonly<Record<string, Variant>> {
  return Object.fromEntries(Object.entries(variants).map(([name, variant]) => [`${prefix}${name}`, { ...variant, ...more }]))
}

/**
 * Every peer under the names that `--system` takes: `mastra` with the settings of its documentation, `mastra-best` with the best of those
 * tried on the dev part of a set of the same kind, `mastra@hybrid-200` for one of them.
 */
export const peers: Readonly<Record<string, (set: string) => Promise<Peer>>> = Object.fromEntries(
  Object.entries(families).flatMap(([family, { recommended, variants }]) => [
    [family, () => loadPeer(family, variants[recommended]!)],
    [`${family}-best`, (set: string) => loadPeer(family, variants[bestVariant(family, set)]!)],
    ...Object.entries(variants).map(([name, variant]) => [`${family}@${name}`, () => loadPeer(family, variant)]),
  ]),
)

async function loadPeer(family: string, settings: Variant): Promise<Peer> {
  installPeers()
  // The name is made up here so that the evaluations type-check where the peers are not installed.
  const { peer } = (await import(new URL(`./${family}.ts`, import.meta.url).href)) as { peer(settings: Variant): Peer }
  return peer(settings)
}

/** Whether the packages of the peers are there. */
export function arePeersInstalled(): boolean {
  return existsSync(new URL('./node_modules/.package-lock.json', import.meta.url))
}

/** Installs what package-lock.json pins; the product's own install never sees it. */
function installPeers(): void {
  if (arePeersInstalled()) return
  process.stderr.write('Installing the peers into evals/peers (once, about 400 MB) ...\n')
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('The peers could not be installed: run npm run peers:install and read what it says')
}
