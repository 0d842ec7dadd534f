/**
 * The bench command: `npm run bench -- <name> [--json] [--quick]`.
 *
 * Builds the library, runs one bench, prints a table (or one JSON document), writes `bench/results/`, and exits with 1
 * when a bar is missed.
 */
import { parseArgs } from 'node:util'
import type { Bench } from './harness/bench.ts'
import { buildLibrary } from './harness/build-library.ts'
import { openProgress } from './harness/progress.ts'
import { report } from './harness/report.ts'

/** Loaded one at a time: a bench needs its own peers, not those of the others. */
const benches: Record<string, { readonly summary: string; readonly load: () => Promise<Bench> }> = {
  split: {
    summary: 'plain text, 400 characters with overlap 80, beside LangChain, Mastra, chonkie, LlamaIndex and the floor',
    load: async () => (await import('./split.ts')).split,
  },
  markdown: {
    summary: "chunkMarkdown beside LangChain's markdown splitter and a full mdast parse; block boundaries beside mdast's",
    load: async () => (await import('./markdown.ts')).markdown,
  },
  tokens: {
    summary: 'cutting to 256 o200k tokens beside one encoding pass of gpt-tokenizer, and token splitters of peers',
    load: async () => (await import('./tokens.ts')).tokens,
  },
  hostile: {
    summary: 'inputs made to hurt, 1 MB and 8 MB, through every format and every counter',
    load: async () => (await import('./hostile.ts')).hostile,
  },
  growth: {
    summary: 'time and live memory from 1 MB to 150 MB: the exponent of time, the peak beyond input and output',
    load: async () => (await import('./growth.ts')).growth,
  },
  edits: {
    summary: 'how many chunk ids change when a document is edited',
    load: async () => (await import('./edits.ts')).edits,
  },
  sentences: {
    summary: 'sentence ends against frozen cases in many languages, beside Intl.Segmenter and sentencex',
    load: async () => (await import('./sentences/sentences.ts')).sentences,
  },
  tree: {
    summary: 'sections, parents and children with ids, against cutting the children alone',
    load: async () => (await import('./tree.ts')).tree,
  },
  embed: {
    summary: 'all-MiniLM-L6-v2 against its unquantised weights and the bare ONNX session; static vectors beside it; STS-B',
    load: async () => (await import('./embed/embed.ts')).embed,
  },
  enrich: {
    summary: 'enrichment through prompt caches: tokens read from them, the plan against what was counted, edits, budgets',
    load: async () => (await import('./enrich.ts')).enrichment,
  },
  provider: {
    summary: '10,000 chunks through the OpenAI format with 5 % faulty responses of every kind: lost, mixed up, calls, limits',
    load: async () => (await import('./provider.ts')).provider,
  },
  semantic: {
    summary: 'chunks that end where the topic changes: laws, topic boundaries, retrieval beside the plain cut, sentences a chunk',
    load: async () => (await import('./semantic/semantic.ts')).semantic,
  },
  'parity-lexical': {
    summary: 'one analyser in twelve languages, and the same lexical ranking from every store',
    load: async () => (await import('./lexical/parity-lexical.ts')).parityLexical,
  },
  'tokens-late': {
    summary: 'token states kept beside vectors: one pass, MaxSim, and what the compact form loses on Chroma and LoCoMo',
    load: async () => (await import('./late/tokens-late.ts')).tokensLate,
  },
  sqlite: {
    summary: 'the two legs of a SQLite store beside what SQLite has for them: codes and sqlite-vec, segments and FTS5',
    load: async () => (await import('./stores/sqlite.ts')).sqlite,
  },
}

const help = `Usage: npm run bench -- <name> [--json] [--quick]

${Object.entries(benches)
  .map(([name, bench]) => `  ${name.padEnd(12)} ${bench.summary}`)
  .join('\n')}

  --json      print one JSON document { command, commit, figures } instead of the table
              (npm before 12 prints two lines of its own before it: npm run --silent bench leaves them out)
  --quick     smaller inputs and fewer rounds, within a minute; not for quoting
  --no-build  measure packages/ashlar/dist as it is

A run writes bench/results/<name>.json and <name>.svg (<name>.quick.* with --quick) and exits with 1 when a bar is missed.
Real texts are read from the folder in ASHLAR_EVAL, else from ../shared/eval; without either, generated ones are used.
Peers are installed into bench/peers at the first need.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const [name, ...rest] = positionals

if (values.help || name === undefined) console.log(help)
else if (rest.length > 0 || benches[name] === undefined) {
  console.error(
    `${rest.length > 0 ? 'One bench at a time' : `No bench is called ${name}`}; there are: ${Object.keys(benches).join(', ')}`,
  )
  process.exitCode = 2
} else {
  if (!values['no-build']) buildLibrary()
  const progress = openProgress()
  const bench = await benches[name].load()
  const result = await bench.run({ quick: values.quick, progress })
  progress.end()
  const command = `npm run bench -- ${name}${values.quick ? ' --quick' : ''}`
  report(result, { command, name, quick: values.quick, json: values.json })
}
