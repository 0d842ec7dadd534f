import type { Figure } from '../../bench/harness/bench.ts'
import { knownSets } from '../known-sets.ts'
import { defaultSystem, readTestRuns } from '../results-folder.ts'
import type { SetName } from '../sets/sets.ts'
import { drawQualityAgainstCost, drawQualityAgainstTokens } from './plots.ts'
import { costNames, readStanding, type Standing, setNames } from './standing.ts'

/** Files of `docs`, by name, that are made of the results alone. */
export function renderBenchmarks(standing: Standing = readStanding()): Readonly<Record<string, string>> {
  const plotted: readonly SetName[] = ['chroma', 'anthropic-code', 'locomo', 'beam', 'scifact', 'qmsum']
  return {
    'benchmarks.md': renderDocument(standing),
    'benchmarks/quality-cost.svg': drawQualityAgainstCost(standing, plotted),
    'benchmarks/quality-tokens.svg': drawQualityAgainstTokens(standing),
  }
}

/** Sets on which we have to be ahead of every peer, but for one. */
export const contested: readonly SetName[] = ['chroma', 'anthropic-code', 'locomo', 'beam', 'scifact']

function renderDocument(standing: Standing): string {
  const asked = setNames.filter((set) => standing.result(set, defaultSystem) !== undefined)
  const runs = Map.groupBy(readTestRuns(), ({ set }) => set)
  const total = [...runs.values()].reduce((sum, group) => sum + group.length, 0)
  return `# Benchmarks

How well things are found, at what cost, on public sets with known answers. This page is made of the files in \`evals/results\` by
\`npm run eval -- benchmarks\`, and a test checks that it says what they say. What the sets are, how they are judged and what was chosen on
what is in [evals/README.md](../evals/README.md). Every figure is of the test part; brackets hold 95 % intervals, by bootstrap over
questions, or over conversations and meetings where a set has several.

The default is \`all-MiniLM-L6-v2\` (q8, 23 MB, on this machine), no language model, no cross-encoder, \`library.search\` on a memory store.

## The default

${table(
  ['set', 'measure', 'questions', 'reached', 'bar', 'goal', 'common today, measured', 'best published'],
  asked.flatMap((set) =>
    Object.entries(knownSets[set].measures).map(([measure, { bar, goal, common = '', published = '' }]) => {
      const figure = standing.figure(set, defaultSystem, measure)
      const questions = standing.questions(set)
      const said = bar === undefined ? '' : `${asText(set, bar)}${figure !== undefined && !figure.ok ? ' (missed)' : ''}`
      return [
        knownSets[set].title,
        measure,
        String(questions),
        withInterval(set, figure),
        said,
        goal === undefined ? '' : asText(set, goal),
        common,
        published,
      ]
    }),
  ),
)}

## Other models, and without any

${table(
  ['set', 'measure', ...standing.ours.map((system) => `\`${system}\``)],
  asked.flatMap((set) =>
    Object.keys(knownSets[set].measures).map((measure) => [
      knownSets[set].title,
      measure,
      ...standing.ours.map((system) => {
        const value = standing.figure(set, system, measure)?.value
        return value === undefined ? '' : asText(set, value)
      }),
    ]),
  ),
)}

${describeSystems(standing, standing.ours)}

## Beside others

The same documents and questions, the same embedder, in one process. A peer runs with the settings that its documentation shows and, as
\`-best\`, with the best of a small sweep on development parts; its code is in \`evals/peers\`. What the default has more than each, in the
measure named, with its interval (pairs of answers to the same questions):

${table(
  ['', ...asked.map((set) => `${knownSets[set].title}: ${knownSets[set].headline}`)],
  standing.peers.map((peer) => [
    `\`${peer}\``,
    ...asked.map((set) => {
      const difference = standing.ahead(set, peer)
      const value = standing.figure(set, peer, knownSets[set].headline)?.value
      return difference === undefined || value === undefined ? '' : `${asText(set, value)}; ${difference.text}`
    }),
  ]),
)}

${describeSystems(standing, standing.peers)}

## Cost

CPU milliseconds of a search with the embedding of its question in brackets, and CPU seconds of indexing a megabyte with embedding; each
on the collections of the set, models at work and nothing kept.

${table(
  ['', ...asked.map((set) => knownSets[set].title)],
  [...standing.ours, ...standing.peers].map((system) => [
    `\`${system}\``,
    ...asked.map((set) => {
      const [search, embedding, index] = Object.values(costNames).map((name) => standing.figure(set, system, name)?.value)
      return search === undefined ? '' : `${search.toFixed(1)} (${embedding!.toFixed(1)}) ms; ${index!.toFixed(1)} s`
    }),
  ]),
)}

![Quality against cost](benchmarks/quality-cost.svg)

![Quality against retrieved tokens](benchmarks/quality-tokens.svg)

## How often test parts were looked at

${total} runs on test parts are logged in \`evals/results/test-runs.jsonl\`, with commit, configuration and what they reached:
${[...runs]
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([set, group]) => `${set} ${group.length}`)
  .join(', ')}.
`
}

function describeSystems(standing: Standing, systems: readonly string[]): string {
  return systems
    .map((system) => {
      const settings = [...new Set(standing.results.filter((one) => one.system === system).map((one) => one.settings))]
      return `- \`${system}\`: ${settings.join(' / ')}`
    })
    .join('\n')
}

function asText(set: SetName, value: number): string {
  return knownSets[set].unit === '%' ? value.toFixed(1) : value.toFixed(3).replace(/^0\./, '.')
}

function withInterval(set: SetName, figure: Figure | undefined): string {
  if (figure === undefined) return ''
  const [low, high] = figure.interval ?? [figure.value, figure.value]
  return `**${asText(set, figure.value)}** [${asText(set, low)}, ${asText(set, high)}]`
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'Nothing has been run.'
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
