/**
 * The evaluation command: `npm run eval -- <name> [--json] [--quick]`.
 *
 * Builds the library, runs one evaluation, prints a table (or one JSON document), writes `evals/results/`, and exits with 1 when a bar
 * is missed.
 */
import { parseArgs } from 'node:util'
import type { Bench } from '../bench/harness/bench.ts'
import { buildLibrary } from '../bench/harness/build-library.ts'
import { openProgress } from '../bench/harness/progress.ts'
import { report } from '../bench/harness/report.ts'

const evals: Record<string, { readonly summary: string; readonly load: () => Promise<Bench> }> = {
  nominate: {
    summary: 'search on the memory store against the figures of the design: Chroma, LoCoMo, Anthropic code, BEAM 100K',
    load: async () => (await import('./nominate/nominate.ts')).nominate,
  },
}

const help = `Usage: npm run eval -- <name> [--json] [--quick]

${Object.entries(evals)
  .map(([name, one]) => `  ${name.padEnd(12)} ${one.summary}`)
  .join('\n')}

  --json      print one JSON document { command, commit, figures } instead of the table
  --quick     a part of each set, within a minute; no bars
  --no-build  search with packages/ashlar/dist as it is

A run writes evals/results/<name>.json (<name>.quick.json with --quick) and exits with 1 when a bar is missed.
Sets are read from the folder in ASHLAR_EVAL, else from ../shared/eval; models from ASHLAR_MODELS, else ../shared/models.
What was embedded is kept in .cache, so that the next run takes a fraction of the time.`

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
else if (rest.length > 0 || evals[name] === undefined) {
  console.error(
    `${rest.length > 0 ? 'One evaluation at a time' : `No evaluation is called ${name}`}; there are: ${Object.keys(evals).join(', ')}`,
  )
  process.exitCode = 2
} else {
  if (!values['no-build']) buildLibrary()
  const progress = openProgress()
  const result = await (await evals[name].load()).run({ quick: values.quick, progress })
  progress.end()
  const command = `npm run eval -- ${name}${values.quick ? ' --quick' : ''}`
  report(result, { command, name, quick: values.quick, json: values.json, folder: 'evals' })
}
