/**
 * Laws 1 to 6, put to every format: `npm run laws -- --runs 20000`.
 *
 * Generated texts over all of Unicode with sizes, overlaps, counters and trimming as they come; then every text file under
 * node_modules and in the evaluation data, in the format that its name asks for.
 */
import { type Counter, characters, chunk } from 'ashlar'
import { type CutSettings, cutAndCheck, settingsArbitrary, textArbitrary, type Violation } from 'ashlar/testing'
import { o200k } from 'ashlar/tokens'
import fc from 'fast-check'
import { type BenchResult, type Figure, figure } from '../harness/bench.ts'
import type { Progress } from '../harness/progress.ts'
import { lawCounters } from './law-counters.ts'
import { lawDocuments } from './law-documents.ts'
import { formatOfFile, type LawFormat, lawFormats } from './law-formats.ts'

/** How many cases, from which seed. */
export interface LawOptions {
  readonly runs: number
  readonly seed: number
  /** Whether files are left out, for a run within a minute. */
  readonly quick: boolean
  readonly progress: Progress
}

export async function laws({ runs, seed, quick, progress }: LawOptions): Promise<BenchResult> {
  const figures: Figure[] = []
  const rows: (string | number)[][] = []
  const notes: string[] = [`seed ${seed}; repeat with --seed ${seed}`]
  for (const [index, law] of lawFormats.entries()) {
    progress.step(`generated texts, ${law.name}`, index, lawFormats.length)
    const { violations, first } = await checkGenerated(law, runs, seed)
    figures.push(figure(`violations in generated texts, ${law.name}`, violations, '', '= 0'))
    rows.push([law.name, runs, violations])
    if (first !== undefined) notes.push(`${law.name}: ${first}`)
  }
  const documents = await checkDocuments(progress, quick ? 150 : Number.POSITIVE_INFINITY)
  for (const [name, { files, cuts, violations }] of documents.byFormat) {
    figures.push(figure(`violations in files, ${name}`, violations, '', '= 0'))
    rows.push([`${name}, ${files} files`, cuts, violations])
  }
  notes.push(
    ...documents.findings.slice(0, 10),
    `counters: ${lawCounters()
      .map(({ id }) => id)
      .join(', ')}`,
  )
  return { figures, table: { columns: ['put to', 'cuts', 'violations'], rows }, notes }
}

function describe(violations: readonly Violation[]): string {
  return violations.map(({ law, message }) => `${law}: ${message}`).join('; ')
}

async function checkGenerated(
  { format, markup, options }: LawFormat,
  runs: number,
  seed: number,
): Promise<{ violations: number; first?: string }> {
  const property = fc.asyncProperty(textArbitrary(markup), settingsArbitrary(lawCounters()), async (text, settings) => {
    const violations = await cutAndCheck((source, given) => chunk(source, { ...given, ...options, format }), text, settings)
    if (violations.length > 0) throw new Error(`${describe(violations)} (counter ${settings.counter.id})`)
  })
  const result = await fc.check(property, { numRuns: runs, seed })
  if (!result.failed) return { violations: 0 }
  const cause = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  return { violations: 1, first: `${cause}; input ${JSON.stringify(result.counterexample)}` }
}

interface FormatTally {
  files: number
  cuts: number
  violations: number
}

async function checkDocuments(
  progress: Progress,
  most: number,
): Promise<{ byFormat: Map<string, FormatTally>; findings: string[] }> {
  const byFormat = new Map<string, FormatTally>()
  const findings: string[] = []
  let done = 0
  for (const { path, text } of lawDocuments()) {
    if (done++ % 50 === 0) progress.step(`files: ${done}`)
    if (done > most) break
    const { name, format } = formatOfFile(path)
    const tally = byFormat.get(name) ?? { files: 0, cuts: 0, violations: 0 }
    byFormat.set(name, tally)
    tally.files++
    const cuts: [number, Counter, boolean][] = [
      [400, characters, true],
      [120, characters, false],
      // Tokens are dear; the large files have been cut by characters twice.
      ...(text.length < 200_000 ? [[128, o200k, true] as [number, Counter, boolean]] : []),
    ]
    for (const [size, counter, trim] of cuts) {
      const settings: CutSettings = { size, overlap: Math.floor(size / 5), counter, trim }
      const violations = await cutAndCheck((source, given) => chunk(source, { ...given, format }), text, settings)
      tally.cuts++
      tally.violations += violations.length
      if (violations.length > 0) findings.push(`${path} at ${size} ${counter.id}: ${describe(violations)}`)
    }
  }
  return { byFormat, findings }
}
