import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AshlarErrorCode } from '../../src/error/ashlar-error.ts'
import { doors } from './implied-imports.ts'

const home = fileURLToPath(new URL('../..', import.meta.url))
const root = fileURLToPath(new URL('../../../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))

/** Written out by hand: whatever changes here changes for every user. */
describe('pinned', () => {
  test('the export map', () => {
    expect(manifest.exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './cache': { types: './dist/cache.d.ts', default: './dist/cache.js' },
      './enrich': { types: './dist/enrich.d.ts', default: './dist/enrich.js' },
      './html': { types: './dist/html.d.ts', default: './dist/html.js' },
      './local': { types: './dist/local.d.ts', default: './dist/local.js' },
      './models': { types: './dist/models.d.ts', default: './dist/models.js' },
      './postgres': { types: './dist/postgres.d.ts', default: './dist/postgres.js' },
      './search': { types: './dist/search.d.ts', default: './dist/search.js' },
      './sqlite': { types: './dist/sqlite.d.ts', default: './dist/sqlite.js' },
      './static': { types: './dist/static.d.ts', default: './dist/static.js' },
      './stores': { types: './dist/stores.d.ts', default: './dist/stores.js' },
      './testing': { types: './dist/testing.d.ts', default: './dist/testing.js' },
      './testing/provider': { types: './dist/testing-provider.d.ts', default: './dist/testing-provider.js' },
      './tokenizer': { types: './dist/tokenizer.d.ts', default: './dist/tokenizer.js' },
      './tokens': { types: './dist/tokens.d.ts', default: './dist/tokens.js' },
      './tokens/cl100k': { types: './dist/tokens-cl100k.d.ts', default: './dist/tokens-cl100k.js' },
      './tokens/o200k': { types: './dist/tokens-o200k.d.ts', default: './dist/tokens-o200k.js' },
      './vectors': { types: './dist/vectors.d.ts', default: './dist/vectors.js' },
      './tree': { types: './dist/tree.d.ts', default: './dist/tree.js' },
      './package.json': './package.json',
    })
  })

  test('one door in src/ for each subpath', () => {
    const subpaths = Object.keys(manifest.exports).filter((subpath) => subpath !== './package.json')
    const open = doors().map(({ specifier }) => specifier.replace('ashlar', '.'))
    expect(open.toSorted()).toEqual(subpaths.toSorted())
  })

  test('what the package asks of its user', () => {
    expect(manifest.engines).toEqual({ node: '>=22.12' })
    expect(manifest.dependencies).toBeUndefined()
    expect(manifest.optionalDependencies).toBeUndefined()
    expect(manifest.peerDependencies).toEqual({
      '@huggingface/transformers': '^4.3.1',
      'fast-check': '^4.0.0',
      'gpt-tokenizer': '^4.0.0',
      parse5: '^8.1.1',
      pg: '^8.16.0',
      unpdf: '^1.8.0',
    })
    for (const name of Object.keys(manifest.peerDependencies))
      expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true })
  })

  test('what each door exports', () => {
    expect(Object.fromEntries(doors().map(({ specifier, names }) => [specifier, names.toSorted()]))).toEqual(exported)
  })

  test('the values among them are there at run time', async () => {
    for (const { specifier, names } of doors()) {
      const values = names.filter((name) => !name.startsWith('type '))
      expect(Object.keys(await import(specifier)).toSorted(), specifier).toEqual(values.toSorted())
    }
  })

  test('what is published', () => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json'], { cwd: home, encoding: 'utf8' })
    const [packed] = Object.values(JSON.parse(stdout)) as [{ files: { path: string }[] }]
    const paths = packed.files.map(({ path }) => path)
    const papers = paths.filter((path) => !path.startsWith('dist/'))
    expect(papers.toSorted()).toEqual(['LICENSE', 'NOTICE', 'README.md', 'package.json'])
    expect(paths.filter((path) => path.startsWith('dist/')).toSorted()).toEqual(
      readdirSync(join(home, 'dist'))
        .map((name) => `dist/${name}`)
        .toSorted(),
    )
    expect(paths.filter((path) => !/\.(js|d\.ts)$/.test(path))).toEqual(['LICENSE', 'NOTICE', 'README.md', 'package.json'])
  })

  test('the error codes', () => {
    const source = readFileSync(join(home, 'src/error/ashlar-error.ts'), 'utf8')
    const union = /type AshlarErrorCode =([^;]*?)\n\n/.exec(source)?.[1] ?? ''
    expect([...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)).toEqual(Object.keys(codes))
  })

  test('a paragraph for each error code, and no others', () => {
    const sections = readFileSync(join(root, 'docs/errors.md'), 'utf8').split(/^## /m).slice(1)
    expect(sections.map((section) => section.split('\n', 1)[0])).toEqual(Object.keys(codes))
    for (const section of sections) expect(section.length, section).toBeGreaterThan(120)
  })

  test('each error code is thrown somewhere', () => {
    const sources = readdirSync(join(home, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('ashlar-error.ts'))
      .map((name) => readFileSync(join(home, 'src', name), 'utf8'))
    expect(Object.keys(codes).filter((code) => !sources.some((source) => source.includes(`'${code}'`)))).toEqual([])
  })
})

/** A record and not a list, so that the type checker asks for every code. */
const codes: Readonly<Record<AshlarErrorCode, true>> = {
  INVALID_SIZE: true,
  INVALID_OVERLAP: true,
  INVALID_WINDOW: true,
  INVALID_COUNTER: true,
  INVALID_SEAM: true,
  UNSUPPORTED_TOKENIZER: true,
  INVALID_OPTION: true,
  INVALID_MODEL: true,
  MODEL_NOT_FOUND: true,
  MISSING_PACKAGE: true,
  TEXT_TOO_LONG: true,
  MODEL_FAILED: true,
  INVALID_RESPONSE: true,
  REFUSED: true,
  BUDGET_SPENT: true,
  INVALID_TEMPLATE: true,
  INVALID_TOKENS: true,
  INVALID_WORKSPACE: true,
  INVALID_DOCUMENT: true,
  INVALID_FILTER: true,
  EMBEDDING_MISMATCH: true,
  STORE_CLOSED: true,
  STORE_FAILED: true,
  DAMAGED_STORE: true,
  UNSUPPORTED_FILE: true,
  DAMAGED_FILE: true,
  ENCRYPTED_FILE: true,
  FILE_TOO_LARGE: true,
  LOADER_TIMED_OUT: true,
  LOADER_DIED: true,
}

const exported = {
  ashlar: [
    'AshlarError',
    'ByteMap',
    'LineMap',
    'anthropicTokens',
    'approximateTokens',
    'cachedCounter',
    'characters',
    'chunk',
    'chunkCsv',
    'chunkDocuments',
    'chunkJson',
    'chunkJsonLines',
    'chunkMarkdown',
    'chunkText',
    'count',
    'countMessages',
    'countNear',
    'csv',
    'cutVersion',
    'geminiTokens',
    'graphemes',
    'identify',
    'isAshlarError',
    'isGraphemeBoundary',
    'isWithin',
    'json',
    'jsonLines',
    'markdown',
    'openaiOverhead',
    'plain',
    'presets',
    'recommendedCounter',
    'recommendedCounters',
    'recursiveSeparators',
    'sentences',
    'separators',
    'strength',
    'type Accuracy',
    'type AshlarErrorCode',
    'type Chunk',
    'type ChunkDocumentsOptions',
    'type ChunkMetadata',
    'type ChunkOptions',
    'type Chunker',
    'type Content',
    'type ConversationCount',
    'type Count',
    'type CountedMessage',
    'type Counter',
    'type CounterRecommendation',
    'type CsvOptions',
    'type Fallback',
    'type Format',
    'type IdentifyOptions',
    'type Inside',
    'type LineColumn',
    'type Measure',
    'type MessageOverhead',
    'type Seam',
    'type SourceDocument',
    'type Span',
    'unicodeVersion',
    'wordSpans',
    'words',
  ],
  'ashlar/cache': ['sqliteCache', 'type ModelCache', 'type SqliteCacheOptions'],
  'ashlar/enrich': [
    'contextualChunks',
    'corpusKeywords',
    'enrich',
    'enrichedText',
    'enrichmentRoom',
    'planEnrichment',
    'templates',
    'termStatistics',
    'type AnyChunker',
    'type ChildKeywords',
    'type ContextualChunk',
    'type ContextualChunksOptions',
    'type ContextualDocument',
    'type CorpusKeywordsOptions',
    'type EnrichOptions',
    'type EnrichedText',
    'type EnrichedTextOptions',
    'type Enrichment',
    'type EnrichmentKind',
    'type EnrichmentOptions',
    'type EnrichmentOutcome',
    'type EnrichmentPiece',
    'type EnrichmentPlan',
    'type EnrichmentPlanOptions',
    'type EnrichmentSource',
    'type EnrichmentTemplate',
    'type Provenance',
    'type TermStatistics',
  ],
  'ashlar/html': ['chunkHtml', 'html'],
  'ashlar/local': [
    'localEmbedder',
    'localReranker',
    'type LocalEmbedderOptions',
    'type LocalRerankerOptions',
    'type ModelSource',
    'type WeightType',
  ],
  'ashlar/models': [
    'addUsage',
    'averaged',
    'costOf',
    'createCaller',
    'embedAll',
    'embedderFrom',
    'generateAll',
    'generatorFrom',
    'identityKey',
    'memoryCache',
    'noUsage',
    'rerankAll',
    'rerankerFrom',
    'type AveragedOptions',
    'type Budget',
    'type Call',
    'type CallEvent',
    'type CallKind',
    'type Caller',
    'type CallerOptions',
    'type EmbedAllOptions',
    'type EmbedOptions',
    'type EmbedOutcome',
    'type Embedded',
    'type Embedder',
    'type EmbedderFromOptions',
    'type EmbedderIdentity',
    'type GenerateAllOptions',
    'type GenerateItem',
    'type GenerateOptions',
    'type GenerateOutcome',
    'type Generated',
    'type Generator',
    'type GeneratorFromOptions',
    'type GeneratorIdentity',
    'type MemoryCacheOptions',
    'type ModelCache',
    'type Price',
    'type Prompt',
    'type PromptPart',
    'type ProviderEmbeddingModel',
    'type ProviderLanguageModel',
    'type ProviderModel',
    'type ProviderOptions',
    'type ProviderRerankingModel',
    'type RerankAllOptions',
    'type RerankOutcome',
    'type Reranked',
    'type Reranker',
    'type RerankerFromOptions',
    'type RerankerIdentity',
    'type Spent',
    'type TextItem',
    'type TokenStates',
    'type Usage',
    'type WorkEvent',
    'type WorkOptions',
  ],
  'ashlar/postgres': [
    'postgresChunks',
    'postgresStore',
    'rolesSql',
    'schemaSql',
    'type FlatColumns',
    'type FlatTable',
    'type PostgresChunksOptions',
    'type PostgresConnection',
    'type PostgresPool',
    'type PostgresStatement',
    'type PostgresStoreOptions',
    'type RoleNames',
  ],
  'ashlar/search': [
    'nominationLimits',
    'search',
    'type Hit',
    'type LegScores',
    'type NominationLimits',
    'type SearchEmbedding',
    'type SearchOptions',
  ],
  'ashlar/sqlite': ['schemaSql', 'sqliteChunks', 'sqliteStore', 'type FlatColumns', 'type FlatTable', 'type SqliteStoreOptions'],
  'ashlar/static': ['staticEmbedder', 'type StaticEmbedderOptions'],
  'ashlar/stores': [
    'adoptChunks',
    'analyseQuery',
    'analyserVersion',
    'memoryData',
    'memoryStore',
    'type AdoptOptions',
    'type AdoptProgress',
    'type AdoptReport',
    'type ChildAddress',
    'type ChildNote',
    'type ChildRecord',
    'type ChildRecords',
    'type ChildrenOptions',
    'type DocumentEmbedding',
    'type DocumentRecord',
    'type DocumentSummary',
    'type EmbeddingState',
    'type GetOptions',
    'type FieldType',
    'type FieldTypes',
    'type FieldValue',
    'type Filter',
    'type FlatChunk',
    'type FlatChunks',
    'type LexicalScores',
    'type ListOptions',
    'type MaintainOptions',
    'type MemoryData',
    'type MemoryStoreOptions',
    'type Metadata',
    'type Neighbour',
    'type NominatedChild',
    'type NominationQuery',
    'type Nominations',
    'type Page',
    'type PutReceipt',
    'type QueryTerm',
    'type RefusedChunk',
    'type RemoveOptions',
    'type RemoveReceipt',
    'type Store',
    'type StoreScope',
    'type StoreSupports',
    'type StoredDocument',
    'type StoredEmbedding',
    'type StoredWindow',
    'type WindowPlace',
  ],
  'ashlar/testing': [
    'checkLaws',
    'checkSeams',
    'checkTree',
    'chunkerContract',
    'cutAndCheck',
    'embedderContract',
    'generatorContract',
    'prose',
    'rerankerContract',
    'settingsArbitrary',
    'storeContract',
    'textArbitrary',
    'treeContract',
    'treeSettingsArbitrary',
    'type ChunkerContractOptions',
    'type ChunkerUnderTest',
    'type ContractTest',
    'type CutSettings',
    'type EmbedderContractOptions',
    'type GeneratorContractOptions',
    'type Law',
    'type LawChunk',
    'type ModelContractOptions',
    'type RerankerContractOptions',
    'type SeamReport',
    'type StoreContractOptions',
    'type TreeContractOptions',
    'type TreeSettings',
    'type TreeViolation',
    'type Violation',
  ],
  'ashlar/testing/provider': [
    'chatTroubles',
    'embeddingTroubles',
    'startProvider',
    'troubleShare',
    'type PromptCacheOptions',
    'type Provider',
    'type ProviderLogEntry',
    'type ProviderName',
    'type ProviderRequest',
    'type ProviderServerOptions',
    'type RateLimits',
    'type RatePeak',
    'type ServedPart',
    'type Trouble',
    'type TroubleShareOptions',
    'type WireLimits',
  ],
  'ashlar/tokenizer': [
    'tokenizerCounter',
    'type Encoding',
    'type TokenizerCounterOptions',
    'type TokenizerEngine',
    'wordPieceEncoder',
  ],
  'ashlar/tokens': ['cl100k', 'o200k'],
  'ashlar/tokens/cl100k': ['cl100k'],
  'ashlar/tokens/o200k': ['o200k'],
  'ashlar/tree': [
    'buildTree',
    'embeddingText',
    'standardTree',
    'structuralContext',
    'treePresets',
    'type EmbeddingTextOptions',
    'type StructuralContext',
    'type Tree',
    'type TreeLevels',
    'type TreeOptions',
    'type TreePiece',
  ],
  'ashlar/vectors': [
    'chunkSemantic',
    'embedLate',
    'englishStopWords',
    'floatCodec',
    'idCodec',
    'lateIdentity',
    'lateQuery',
    'levelLength',
    'maxSim',
    'noStopWords',
    'pieceWeight',
    'planLate',
    'readTokenBlob',
    'semanticFormat',
    'signCodec',
    'type EmbedLateOptions',
    'type EmbeddedWindow',
    'type LateOptions',
    'type LateQuery',
    'type LateQueryOptions',
    'type LateWindow',
    'type MaxSimCandidate',
    'type MaxSimOptions',
    'type PlannedWindow',
    'type SemanticOptions',
    'type StopWords',
    'type TokenBlob',
    'type TokenCodec',
    'type TokenQuery',
    'type TokenRows',
    'type TokenRun',
    'type TokenScorer',
    'type TokenTable',
  ],
}
