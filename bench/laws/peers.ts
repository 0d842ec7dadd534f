/**
 * The laws, put to the published splitters: `npm run laws -- --peers`.
 *
 * Laws 1 to 4 by fast-check over Unicode text, sizes and overlaps, each failure shrunk to the smallest input that still
 * fails; law 5 by texts that grow; law 6 by running twice and by editing a document. Each splitter runs in a process of
 * its own with a time limit.
 */
import type { Counter } from 'ashlar'
import { textArbitrary } from 'ashlar/testing'
import fc from 'fast-check'
import { type Isolate, openIsolate } from '../harness/isolate.ts'
import { openProgress, type Progress } from '../harness/progress.ts'
import { exchangeFiveWords } from '../inputs/edit.ts'
import { englishText } from '../inputs/english-text.ts'
import { openCl100k, type PeerChunk, type PeerSplitter, peerSplitters } from '../peers/splitters.ts'
import { ashlarSplitter } from './ashlar-splitter.ts'
import { judges, show, toAscii } from './judge.ts'
import type { PeerAnswer, PeerJob } from './peer-case.ts'

/** What became of one law with one splitter. */
export interface Verdict {
  readonly law: 'slice' | 'cover' | 'fit' | 'unicode' | 'progress' | 'stability'
  readonly kept: boolean
  /** How it is broken, or what was tried. */
  readonly finding: string
  /** The smallest input found that breaks it, as JavaScript. */
  readonly input?: string
}

export interface PeerReport {
  readonly peer: PeerSplitter
  readonly verdicts: readonly Verdict[]
}

export interface PeerLawOptions {
  /** Generated cases for each splitter and law. */
  readonly runs: number
  readonly seed: number
  /** Ids of the splitters to run; all when left out. */
  readonly only?: readonly string[]
  readonly progress?: Progress
}

const timeLimit = 10_000
/** Eight times the text takes a linear splitter 8 times as long, a quadratic one 64 times. */
const steepest = 24

/** Runs every law against every splitter. */
export async function checkPeers(options: PeerLawOptions): Promise<PeerReport[]> {
  const progress = options.progress ?? openProgress()
  const chosen = [ashlarSplitter, ...peerSplitters].filter(({ id }) => options.only === undefined || options.only.includes(id))
  const tokens = await openCl100k()
  const reports: PeerReport[] = []
  for (const [i, peer] of chosen.entries()) {
    const isolate = openIsolate<PeerJob, PeerAnswer>(new URL('./peer-case.ts', import.meta.url))
    const step = (law: string): void => progress.step(`${peer.id}: ${law}`, i, chosen.length)
    const counter = counterOf(peer, tokens.countTokens)
    // Loading the package must not count as a hang of the first case.
    await isolate.run({ peer: peer.id, options: { size: 100, overlap: 0 }, text: 'warm' }, 120_000)
    const ask = openAsk(peer, isolate)
    const verdicts: Verdict[] = []
    for (const law of ['slice', 'cover', 'fit', 'unicode'] as const) {
      step(law)
      verdicts.push(await findSmallest(peer, law, counter, ask, options))
    }
    step('progress')
    verdicts.push(await checkProgress(peer, isolate))
    step('stability')
    verdicts.push(await checkStability(peer, isolate))
    isolate.close()
    reports.push({ peer, verdicts })
  }
  progress.end()
  return reports
}

function counterOf({ unit }: PeerSplitter, countTokens: (text: string) => number): Counter {
  const counts: Record<PeerSplitter['unit'], (text: string) => number> = {
    'cl100k tokens': countTokens,
    bytes: (text) => Buffer.byteLength(text),
    'code points': (text) => Array.from(text).length,
    characters: (text) => text.length,
    none: (text) => text.length,
  }
  return Object.assign((text: string) => counts[unit](text), { id: unit, accuracy: 'exact' as const })
}

type Ask = (text: string, options: { size: number; overlap: number }) => Promise<readonly PeerChunk[] | string>

/** Remembers answers: the four laws are put to the same generated texts. A string says why there are no chunks. */
function openAsk(peer: PeerSplitter, isolate: Isolate<PeerJob, PeerAnswer>): Ask {
  const known = new Map<string, readonly PeerChunk[] | string>()
  return async (text, options) => {
    const key = `${options.size} ${options.overlap} ${text}`
    let answer = known.get(key)
    if (answer === undefined) {
      const outcome = await isolate.run({ peer: peer.id, options, text }, timeLimit)
      answer =
        outcome.type === 'done'
          ? outcome.value.chunks
          : outcome.type === 'hung'
            ? `not done after ${outcome.seconds} s`
            : outcome.message
      known.set(key, answer)
    }
    return answer
  }
}

async function findSmallest(
  peer: PeerSplitter,
  law: 'slice' | 'cover' | 'fit' | 'unicode',
  counter: Counter,
  ask: Ask,
  { runs, seed }: PeerLawOptions,
): Promise<Verdict> {
  let finding = ''
  let tried = 0
  // Texts made of familiar pieces first: what they find is easier to read than what all of Unicode finds.
  for (const source of [naturalTexts(), textArbitrary()]) {
    const property = fc.asyncProperty(source, settings(peer), async (text, options) => {
      const chunks = await ask(text, options)
      // A throw or a hang is law 5's finding.
      const broken = typeof chunks === 'string' ? null : judges[law]({ text, ...options, counter }, chunks)
      if (broken !== null) finding = toAscii(broken)
      return broken === null
    })
    const result = await fc.check(property, {
      numRuns: runs,
      seed,
      interruptAfterTimeLimit: 60_000,
      markInterruptAsFailure: false,
    })
    tried += result.numRuns
    if (!result.failed || result.counterexample === null) continue
    const [text, { size, overlap }] = result.counterexample
    return { law, kept: false, finding, input: `${show(text, 400)}, size ${size}${peer.noOverlap ? '' : `, overlap ${overlap}`}` }
  }
  return { law, kept: true, finding: `${tried} generated texts` }
}

function settings({ unit, noOverlap }: PeerSplitter): fc.Arbitrary<{ size: number; overlap: number }> {
  const size = unit === 'cl100k tokens' ? fc.integer({ min: 8, max: 40 }) : fc.integer({ min: 16, max: 100 })
  return size.chain((size) =>
    fc.record({ size: fc.constant(size), overlap: noOverlap ? fc.constant(0) : fc.integer({ min: 0, max: size >> 2 }) }),
  )
}

/** What real texts are made of, simplest first, since shrinking goes in that direction. */
const pieces = [
  ...[
    'a',
    ' ',
    '.',
    '\n',
    'word ',
    'Sentence one. ',
    '\n\n',
    '\r\n',
    '# Title\n\n',
    '- item\n',
    '| a | b |\n',
    '```\ncode\n```\n',
  ],
  ...['é', 'e\u0301', 'ß', '中', '文字', '。', 'かな', '한글', '\u1112\u1161\u11ab', 'ไทย', 'नमस्ते', 'क्षि', 'مرحبا ', 'שלום '],
  ...['😀', '👍🏽', '👩‍👩‍👧', '🇩🇪', '❤️', '𝒳', '\u00a0', '\u200b', '\ufeff', '\t'],
]

function naturalTexts(): fc.Arbitrary<string> {
  const mixed = fc.array(fc.constantFrom(...pieces), { maxLength: 120, size: 'max' }).map((parts) => parts.join(''))
  const runOfOne = fc
    .tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 150 }))
    .map(([piece, times]) => piece.repeat(times))
  return fc.oneof(mixed, runOfOne)
}

const hostile = ['full stops', 'words without spaces', 'tiny lines', 'one letter', 'CJK without punctuation']

/** Texts that grow by eight: what takes more than 24 times as long is not linear; a throw or a hang ends it. */
async function checkProgress(peer: PeerSplitter, isolate: Isolate<PeerJob, PeerAnswer>): Promise<Verdict> {
  const usual = peer.unit === 'cl100k tokens' ? 256 : 400
  for (const [name, limit] of [...hostile.map((name) => [name, usual] as const), ['tiny lines', 8] as const]) {
    const options = { size: limit, overlap: 0 }
    let before = Number.POSITIVE_INFINITY
    for (const size of [4_000, 32_000, 256_000, 2_048_000]) {
      const input = `${name}, ${size.toLocaleString('en')} units, size ${options.size}`
      let cpu = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 3; attempt++) {
        const outcome = await isolate.run({ peer: peer.id, options, text: { name, size } }, timeLimit)
        if (outcome.type === 'hung')
          return { law: 'progress', kept: false, finding: `not done after ${outcome.seconds} s`, input }
        if (outcome.type !== 'done') return { law: 'progress', kept: false, finding: outcome.message, input }
        cpu = Math.min(cpu, outcome.value.cpu)
        // Only a suspicion is worth measuring again.
        if (cpu < 300 || cpu / before <= steepest) break
      }
      if (cpu >= 300 && cpu / before > steepest) {
        const finding = `${Math.round(cpu)} ms, ${Math.round(cpu / before)} times as long as for an eighth of it`
        return { law: 'progress', kept: false, finding, input }
      }
      before = cpu
    }
  }
  return { law: 'progress', kept: true, finding: 'five hostile texts up to 2 MB' }
}

/** Twice the same, then five words changed at three places of 57 kB: at most six chunks may be new. */
async function checkStability(peer: PeerSplitter, isolate: Isolate<PeerJob, PeerAnswer>): Promise<Verdict> {
  const options = peer.unit === 'cl100k tokens' ? { size: 200, overlap: 0 } : { size: 800, overlap: 0 }
  const text = englishText(57_000).text
  const cut = async (text: string): Promise<readonly PeerChunk[] | null> => {
    const outcome = await isolate.run({ peer: peer.id, options, text }, timeLimit * 3)
    return outcome.type === 'done' ? outcome.value.chunks : null
  }
  const [first, second] = [await cut(text), await cut(text)]
  if (first === null || second === null) return { law: 'stability', kept: false, finding: 'did not finish 57 kB of prose' }
  if (JSON.stringify(first) !== JSON.stringify(second))
    return { law: 'stability', kept: false, finding: 'the same text was cut in two ways' }
  const known = new Set(first.map((chunk) => chunk.text))
  const changes: number[] = []
  for (const share of [0.08, 0.5, 0.92]) {
    const after = await cut(exchangeFiveWords(text, share))
    if (after === null) return { law: 'stability', kept: false, finding: 'did not finish 57 kB of prose' }
    changes.push(after.filter((chunk) => !known.has(chunk.text)).length)
  }
  const finding = `five words changed at 8, 50 and 92 % of 57 kB: ${changes.join(', ')} of ${first.length} chunks are new`
  return {
    law: 'stability',
    kept: Math.max(...changes) <= 6,
    finding,
    ...(Math.max(...changes) <= 6 ? {} : { input: '57 kB of English prose' }),
  }
}
