/**
 * The laws command: `npm run laws -- [seams | tree | --peers] [--runs N] [--seed N] [--json] [--quick]`.
 *
 * Builds the library, puts the laws to it (or to the published splitters), writes `bench/results/`, and exits with 1 when
 * a law is broken.
 */
import { parseArgs } from 'node:util'
import type { BenchResult } from '../harness/bench.ts'
import { buildLibrary } from '../harness/build-library.ts'
import { openProgress } from '../harness/progress.ts'
import { report } from '../harness/report.ts'
import type { LawOptions } from './laws.ts'

const help = `Usage: npm run laws -- [seams | tree | --peers] [--runs N] [--seed N] [--json] [--quick]

  (nothing)   laws 1-6 on generated texts, every format and counter, and on every text file under node_modules and in
              the evaluation data
  seams       every window by brute force: no cut at a weaker seam, no unit cut that fits, overlap at a sentence
  tree        the laws of the tree on generated texts and the evaluation data, and what five changed words change
  --peers     the same laws for the published splitters; writes docs/peers-and-laws.md

  --runs N    generated texts for each format (2,000; 300 with --quick; for the tree 5,000 in all)
  --seed N    where the generator starts (20261115); printed with the result
  --json      print one JSON document { command, commit, figures } instead of the table
  --quick     fewer texts, within a minute
  --no-build  put the laws to packages/ashlar/dist as it is`

const suites: Record<
  string,
  { readonly file: string; readonly runs?: number; readonly load: () => Promise<(options: LawOptions) => Promise<BenchResult>> }
> = {
  laws: { file: 'laws', load: async () => (await import('./laws.ts')).laws },
  seams: { file: 'laws-seams', load: async () => (await import('./seams.ts')).seams },
  tree: { file: 'laws-tree', runs: 5000, load: async () => (await import('./tree.ts')).tree },
  peers: { file: 'laws-peers', load: async () => (await import('./peer-laws.ts')).peerLaws },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seed: { type: 'string', default: '20261115' },
    peers: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
    'no-build': { type: 'boolean', default: false },
  },
})
const name = values.peers ? 'peers' : (positionals[0] ?? 'laws')
const suite = suites[name]

if (values.help) console.log(help)
else if (suite === undefined) {
  console.error(`No suite is called ${name}; there are: ${Object.keys(suites).join(', ')}`)
  process.exitCode = 2
} else {
  if (!values['no-build']) buildLibrary()
  const progress = openProgress()
  const run = await suite.load()
  const runs = values.runs === undefined ? (values.quick ? 300 : (suite.runs ?? 2000)) : Number(values.runs)
  const result = await run({ runs, seed: Number(values.seed), quick: values.quick, progress })
  progress.end()
  const argument = name === 'peers' ? ' --peers' : name === 'laws' ? '' : ` ${name}`
  const command = `npm run laws --${argument} --runs ${runs} --seed ${values.seed}${values.quick ? ' --quick' : ''}`
  report(result, { command, name: suite.file, quick: values.quick, json: values.json })
}
