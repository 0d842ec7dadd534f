/**
 * The bench command: `npm run bench -- <name> [--json] [--quick]`.
 *
 * Builds the library, runs one bench, prints a table (or one JSON document), writes `bench/results/`, and exits with 1
 * when a bar is missed.
 */
import { runCommand } from './harness/run-command.ts'

await runCommand({
  script: 'bench',
  noun: 'bench',
  suites: {
    split: {
      summary: 'plain text, 400 characters with overlap 80, beside LangChain, Mastra, chonkie, LlamaIndex and the floor',
      load: async () => (await import('./split.ts')).split.run,
    },
    markdown: {
      summary: "chunkMarkdown beside LangChain's markdown splitter and a full mdast parse; block boundaries beside mdast's",
      load: async () => (await import('./markdown.ts')).markdown.run,
    },
    tokens: {
      summary: 'cutting to 256 o200k tokens beside one encoding pass of gpt-tokenizer, and token splitters of peers',
      load: async () => (await import('./tokens.ts')).tokens.run,
    },
    hostile: {
      summary: 'inputs made to hurt, 1 MB and 8 MB, through every format and every counter',
      load: async () => (await import('./hostile.ts')).hostile.run,
    },
    growth: {
      summary: 'time and live memory from 1 MB to 150 MB: the exponent of time, the peak beyond input and output',
      load: async () => (await import('./growth.ts')).growth.run,
    },
    edits: {
      summary: 'how many chunk ids change when a document is edited',
      load: async () => (await import('./edits.ts')).edits.run,
    },
    sentences: {
      summary: 'sentence ends against frozen cases in many languages, beside Intl.Segmenter and sentencex',
      load: async () => (await import('./sentences/sentences.ts')).sentences.run,
    },
    loaders: {
      summary: 'files of LibreOffice, pandoc, Chromium and Jupyter read back: text recovered, citations at the right place',
      load: async () => (await import('./loaders/loaders.ts')).loaders.run,
    },
    tree: {
      summary: 'sections, parents and children with ids, against cutting the children alone',
      load: async () => (await import('./tree.ts')).tree.run,
    },
    embed: {
      summary: 'all-MiniLM-L6-v2 against its unquantised weights and the bare ONNX session; static vectors beside it; STS-B',
      load: async () => (await import('./embed/embed.ts')).embed.run,
    },
    enrich: {
      summary: 'enrichment through prompt caches: tokens read from them, the plan against what was counted, edits, budgets',
      load: async () => (await import('./enrich.ts')).enrichment.run,
    },
    provider: {
      summary: '10,000 chunks through the OpenAI format with 5 % faulty responses of every kind: lost, mixed up, calls, limits',
      load: async () => (await import('./provider.ts')).provider.run,
    },
    semantic: {
      summary:
        'chunks that end where the topic changes: laws, topic boundaries, retrieval beside the plain cut, sentences a chunk',
      load: async () => (await import('./semantic/semantic.ts')).semantic.run,
    },
    search: {
      summary:
        'a search with all legs at 10^5 children: SQLite, PostgreSQL beside it, what is not the engine, expansion to parents',
      load: async () => (await import('./search/search.ts')).search.run,
    },
    hybrid: {
      summary: 'library.search at 10^5 children beside the hybrid of vectors and words that a team writes on the same store',
      load: async () => (await import('./search/hybrid.ts')).hybrid.run,
    },
    parity: {
      summary: 'the same hits in the same order from memory, SQLite and PostgreSQL, and what approximate search changes',
      load: async () => (await import('./search/parity.ts')).parity.run,
    },
    'parity-lexical': {
      summary: 'one analyser in twelve languages, and the same lexical ranking from every store',
      load: async () => (await import('./lexical/parity-lexical.ts')).parityLexical.run,
    },
    'tokens-late': {
      summary: 'token states kept beside vectors: one pass, MaxSim, and what the compact form loses on Chroma and LoCoMo',
      load: async () => (await import('./late/tokens-late.ts')).tokensLate.run,
    },
    stores: {
      summary: 'what a store costs over the same work written by hand with the bare driver: SQLite and PostgreSQL',
      load: async () => (await import('./stores/stores.ts')).stores.run,
    },
    tenants: {
      summary:
        'a hundred workspaces of 1 to 50,000 children in one PostgreSQL: each finds its own nearest, with filters and without',
      load: async () => (await import('./stores/tenants.ts')).tenants.run,
    },
    'growth-stores': {
      summary:
        'every store from 10^4 to 10^6 children: what a write, a query and a child on disk cost; codes beside exact search',
      load: async () => (await import('./stores/growth-stores.ts')).growthStores.run,
    },
    ingest: {
      summary: 'a folder into a SQLite store with a static embedder, against its slowest stage alone; memory on 2 GB of files',
      load: async () => (await import('./ingest/ingest.ts')).ingest.run,
    },
    sync: {
      summary: '10,000 unchanged files against hashing them, and what one edited paragraph embeds again',
      load: async () => (await import('./ingest/sync.ts')).sync.run,
    },
    sqlite: {
      summary: 'the two legs of a SQLite store beside what SQLite has for them: codes and sqlite-vec, segments and FTS5',
      load: async () => (await import('./stores/sqlite.ts')).sqlite.run,
    },
  },
  help: `  --json      print one JSON document { command, commit, figures } instead of the table
              (npm before 12 prints two lines of its own before it: npm run --silent bench leaves them out)
  --quick     smaller inputs and fewer rounds, within a minute; not for quoting
  --no-build  measure packages/ashlar/dist as it is

A run writes bench/results/<name>.json and <name>.svg (<name>.quick.* with --quick) and exits with 1 when a bar is missed.
Real texts are read from the folder in ASHLAR_EVAL, else from ../shared/eval; without either, generated ones are used.
Peers are installed into bench/peers at the first need.`,
})
