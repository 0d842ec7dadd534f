/**
 * Where cuts fall, by brute force: `npm run laws -- seams`.
 *
 * Every position of every window is looked at for a seam that would have been stronger, every overlap for a sentence it
 * could have started at, every list, table, fence, formula and row for a cut although it fits.
 */
import { checkSeams, type SeamReport, textArbitrary } from 'ashlar/testing'
import fc from 'fast-check'
import { type BenchResult, figure } from '../harness/bench.ts'
import { lawDocuments } from './law-documents.ts'
import { formatOfFile, lawFormats } from './law-formats.ts'
import type { LawOptions } from './laws.ts'

/** Brute force looks at each window some thousand times; files are cut off here. */
const mostOfFile = 60_000

interface Tally {
  texts: number
  cuts: number
  overlaps: number
  units: number
  weaker: number
  overlapsOffSentence: number
  unitsCut: number
}

export async function seams({ runs, seed, quick, progress }: LawOptions): Promise<BenchResult> {
  const tallies = new Map<string, Tally>()
  const findings: string[] = []
  const add = (name: string, report: SeamReport, where: () => string): void => {
    const tally = tallies.get(name) ?? {
      texts: 0,
      cuts: 0,
      overlaps: 0,
      units: 0,
      weaker: 0,
      overlapsOffSentence: 0,
      unitsCut: 0,
    }
    tallies.set(name, tally)
    tally.texts++
    tally.cuts += report.cuts
    tally.overlaps += report.overlaps
    tally.units += report.units
    for (const kind of ['weaker', 'overlapsOffSentence', 'unitsCut'] as const) {
      tally[kind] += report[kind].length
      if (report[kind].length > 0) findings.push(`${name}, ${where()}: ${report[kind][0]}`)
    }
  }
  const formats = lawFormats.filter(({ options }) => Object.keys(options).length === 0)
  for (const [index, { name, format, markup }] of formats.entries()) {
    progress.step(`generated texts, ${name}`, index, formats.length)
    const cases = fc.tuple(textArbitrary(markup), fc.integer({ min: 8, max: 600 }), fc.integer({ min: 0, max: 50 }), fc.boolean())
    for (const [text, size, share, trim] of fc.sample(cases, { numRuns: runs, seed })) {
      add(name, checkSeams(text, format, { size, overlap: Math.floor((size * share) / 100), trim }), () =>
        JSON.stringify({ text, size, share, trim }),
      )
    }
  }
  let done = 0
  for (const { path, text } of lawDocuments()) {
    if (done++ % 50 === 0) progress.step(`files: ${done}`)
    if (quick && done > 100) break
    const { name, format } = formatOfFile(path)
    for (const size of [400, 1500])
      add(`${name}, files`, checkSeams(text.slice(0, mostOfFile), format, { size, overlap: size / 5 }), () => path)
  }
  const rows = [...tallies].map(([name, tally]) => [name, ...Object.values(tally)])
  const figures = [...tallies].flatMap(([name, tally]) => [
    figure(`cuts at a weaker seam, ${name}`, tally.weaker, '', '= 0'),
    figure(`overlaps off a sentence, ${name}`, tally.overlapsOffSentence, '', '= 0'),
    figure(`units cut that fit, ${name}`, tally.unitsCut, '', '= 0'),
  ])
  return {
    figures,
    table: { columns: ['put to', 'texts', 'cuts', 'overlaps', 'units that fit', 'weaker', 'off a sentence', 'units cut'], rows },
    notes: [`seed ${seed}; files are read up to ${mostOfFile} characters`, ...findings.slice(0, 10)],
  }
}
