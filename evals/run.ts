/**
 * The evaluation command: `npm run eval -- <name> [--json] [--quick] [--system <name>] [--part dev|test]`.
 *
 * Builds the library, runs one evaluation, prints a table (or one JSON document), writes `evals/results/`, and exits with 1 when a bar
 * is missed.
 */
import type { BenchOptions } from '../bench/harness/bench.ts'
import { runCommand } from '../bench/harness/run-command.ts'
import { knownSets } from './known-sets.ts'
import type { SetName } from './sets/sets.ts'

await runCommand({
  script: 'eval',
  noun: 'evaluation',
  folder: 'evals',
  options: ['system', 'part'],
  suites: {
    ...Object.fromEntries(
      Object.entries(knownSets).map(([name, { title, measures }]) => [
        name,
        {
          summary: `${title}: ${Object.keys(measures).join(', ')}`,
          load: async () => {
            const { judgeSet } = await import('./judge-set.ts')
            return (options: BenchOptions) => judgeSet(name as SetName, options)
          },
        },
      ]),
    ),
    all: {
      summary: 'every system on every set, then docs/benchmarks.md anew; the first run embeds for an hour or more',
      load: async () => (await import('./benchmarks/benchmarks.ts')).runAll,
    },
    benchmarks: {
      summary: 'docs/benchmarks.md and its plots anew from evals/results, and on how many sets each peer is behind',
      load: async () => (await import('./benchmarks/benchmarks.ts')).rebuild,
    },
    nominate: {
      summary: 'search on the memory store against the figures of the design: Chroma, LoCoMo, Anthropic code, BEAM 100K',
      load: async () => (await import('./nominate/nominate.ts')).nominate.run,
    },
    parents: {
      summary: 'evidence in the text handed over by equally many hits: children, parents, segments; tokens and CPU beside',
      load: async () => (await import('./parents/parents.ts')).parents.run,
    },
    ranking: {
      summary: 'branches of the ranking on development parts: without each leg, other weights, company, context',
      load: async () => (await import('./ranking/ranking.ts')).ranking.run,
    },
    relevance: {
      summary: 'whether relevance is the share of hits that hold evidence, and nothing right about questions from elsewhere',
      load: async () => (await import('./relevance/relevance.ts')).relevance.run,
    },
  },
  help: `  --json      print one JSON document { command, commit, figures } instead of the table
  --quick     a part of each set, within a minute; no bars
  --system    of a set: ashlar (the default: all-MiniLM-L6-v2), ashlar+bge, ashlar+potion, ashlar+words, ashlar+cross-encoder,
              ashlar+base (no token states), or a peer; a name that there is not prints all of them
  --part      of a set: dev, or test (the default), whose every run is logged to evals/results/test-runs.jsonl
  --no-build  search with packages/ashlar/dist as it is

A run writes evals/results/<name>.json (<name>.quick.json with --quick) and exits with 1 when a bar is missed.
Sets are read from the folder in ASHLAR_EVAL, else from ../shared/eval; models from ASHLAR_MODELS, else ../shared/models.
What was embedded is kept in the folder in ASHLAR_EVAL_CACHE, else in .cache, so that the next run takes a fraction of the time.`,
})
