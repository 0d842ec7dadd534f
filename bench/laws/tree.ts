/**
 * The laws of the tree: `npm run laws -- tree`.
 *
 * Generated texts over all of Unicode with sizes, overlaps and counters as they come; every text of the evaluation data; and what five
 * other words at a random place change, in documents such as people write and in the evaluation data.
 */
import { type Format, markdown, plain } from 'ashlar'
import { checkTree, textArbitrary, treeSettingsArbitrary } from 'ashlar/testing'
import { buildTree } from 'ashlar/tree'
import fc from 'fast-check'
import { type BenchResult, type Figure, figure } from '../harness/bench.ts'
import { percentile } from '../harness/interleave.ts'
import type { Progress } from '../harness/progress.ts'
import { exchangeFiveWords } from '../inputs/edit.ts'
import { generateDocument } from '../inputs/generated-document.ts'
import { openRandom, type Random } from '../inputs/random.ts'
import { lawCounters } from './law-counters.ts'
import { lawDocuments } from './law-documents.ts'
import { formatOfFile, lawFormats } from './law-formats.ts'
import type { LawOptions } from './laws.ts'

const defaults = { child: 250, parent: 800, section: 2400 }
const levels = ['children', 'parents', 'sections'] as const

interface Changes {
  readonly children: number[]
  readonly parents: number[]
  readonly sections: number[]
}

export async function tree({ runs, seed, quick, progress }: LawOptions): Promise<BenchResult> {
  const findings: string[] = []
  const generated = checkGenerated(runs, seed, progress, findings)
  const files = checkFiles(quick, seed, progress, findings)
  const edited = editGenerated(runs, seed, progress)
  const edits: readonly (readonly [string, Changes])[] = [
    ['generated documents', edited],
    ['evaluation data', files.changes],
  ]
  return {
    figures: [
      figure(`violations in ${generated.count} generated texts`, generated.violations, '', '= 0'),
      figure(`violations in ${files.count} evaluation texts`, files.violations, '', '= 0'),
      ...edits.flatMap(([name, changes]) => editFigures(name, changes)),
    ],
    table: [
      {
        title: 'Laws',
        columns: ['put to', 'trees', 'violations'],
        rows: [
          ['generated texts', generated.count, generated.violations],
          ['evaluation data', files.count, files.violations],
        ],
      },
      {
        title: 'New ids after five words were changed',
        columns: ['in', 'level', 'edits', 'mean', '95 %', '99 %', 'most', 'within 3 / 2'],
        rows: edits.flatMap(([name, changes]) =>
          levels.map((level) => {
            const values = changes[level]
            const at = (share: number): number => percentile(values, share)
            return [
              name,
              level,
              values.length,
              mean(values).toFixed(2),
              at(0.95),
              at(0.99),
              at(1),
              shareWithin(values, limits[level]),
            ]
          }),
        ),
      },
    ],
    notes: [
      `seed ${seed}; trees of ${defaults.child}, ${defaults.parent} and ${defaults.section} characters`,
      ...findings.slice(0, 10),
    ],
  }
}

/** How many ids five words may change. */
const limits = { children: 3, parents: 2, sections: 2 }

function editFigures(name: string, changes: Changes): Figure[] {
  return (['children', 'parents'] as const).flatMap((level) => {
    const values = changes[level]
    const limit = limits[level]
    return [
      figure(`${name}: ${level} changed by five words, mean`, mean(values), 'ids'),
      figure(`${name}: edits that change at most ${limit} ${level}`, Number(shareWithin(values, limit)), '%'),
      figure(`${name}: ${level} changed by five words, 99th percentile`, percentile(values, 0.99), 'ids'),
      figure(`${name}: ${level} changed by five words, most`, percentile(values, 1), 'ids', `<= ${limit}`),
    ]
  })
}

function checkGenerated(
  runs: number,
  seed: number,
  progress: Progress,
  findings: string[],
): { count: number; violations: number } {
  let violations = 0
  let count = 0
  const formats = lawFormats.filter(({ options }) => Object.keys(options).length === 0)
  const each = Math.ceil(runs / formats.length)
  for (const [index, { name, format, markup }] of formats.entries()) {
    progress.step(`generated texts, ${name}`, index, formats.length)
    const cases = fc.tuple(textArbitrary(markup), treeSettingsArbitrary(lawCounters()))
    for (const [text, settings] of fc.sample(cases, { numRuns: each, seed })) {
      count++
      const found = checkTree(buildTree(text, { ...settings, format }), settings)
      violations += found.length
      if (found[0])
        findings.push(`${name}, ${settings.counter.id}: ${found[0].law}: ${found[0].message} in ${JSON.stringify(text)}`)
    }
  }
  return { count, violations }
}

/** Every text of the evaluation data as a whole, and five edits of each. */
function checkFiles(
  quick: boolean,
  seed: number,
  progress: Progress,
  findings: string[],
): { count: number; violations: number; changes: Changes } {
  const random = openRandom(seed)
  const changes: Changes = { children: [], parents: [], sections: [] }
  const counters = lawCounters().slice(0, 1)
  let count = 0
  let violations = 0
  for (const { path, text } of lawDocuments()) {
    if (path.includes('node_modules')) continue
    if (quick && (count >= 12 || text.length > 1_000_000)) continue
    progress.step(`evaluation data: ${path}`)
    const { format } = formatOfFile(path)
    for (const counter of counters) {
      count++
      const found = checkTree(buildTree(text, { ...defaults, counter, format }), { ...defaults, counter })
      violations += found.length
      if (found[0]) findings.push(`${path}: ${found[0].law}: ${found[0].message}`)
    }
    for (let edit = 0; edit < 5; edit++) editOnce(text, format, random, changes)
  }
  return { count, violations, changes }
}

function editGenerated(runs: number, seed: number, progress: Progress): Changes {
  const random = openRandom(seed)
  const changes: Changes = { children: [], parents: [], sections: [] }
  for (let run = 0; run < runs; run++) {
    if (run % 100 === 0) progress.step('edits of generated documents', run, runs)
    const { text, format } = generateDocument(random)
    editOnce(text, format === 'markdown' ? markdown : plain, random, changes)
  }
  return changes
}

function editOnce(text: string, format: Format, random: Random, changes: Changes): void {
  let edited: string
  try {
    edited = exchangeFiveWords(text, random() * 0.9)
  } catch {
    // No five words in a row: nothing to exchange.
    return
  }
  const before = buildTree(text, { format })
  const after = buildTree(edited, { format })
  for (const level of levels) {
    const known = new Set(before[level].map(({ id }) => id))
    changes[level].push(after[level].filter(({ id }) => !known.has(id)).length)
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function shareWithin(values: readonly number[], limit: number): string {
  return ((100 * values.filter((value) => value <= limit).length) / values.length).toFixed(1)
}
