import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider, ProviderLogEntry } from 'ashlar/testing/provider'
import { type BenchOptions, type BenchResult, figure } from '../harness/bench.ts'
import { openRandom, type Random } from '../inputs/random.ts'
import { clientFiles, endOf, readCameOut, readReport, readVectors, startClient } from '../provider/client.ts'
import { jobFor, openProvider, type Tempo, terms } from '../provider/open-provider.ts'
import { providerTexts } from '../provider/provider-texts.ts'
import { vectorsOf } from '../provider/static-model.ts'

/** Faster than the provider bench, which is about limits, so that fifty runs take minutes. */
const tempo: Tempo = {
  requestsPerSecond: 400,
  tokensPerSecond: 1_000_000,
  latency: 5,
  timeout: 1000,
  drip: 4000,
  retryAfter: 50,
}
const maxBatch = 16
const seed = 20_261_115

/** What one kill did. */
interface Trial {
  /** Requests that had arrived when the client was killed. */
  readonly at: number
  /** Texts that had been answered in full by then. */
  readonly before: number
  /** Requests of before the kill with texts that were answered again after it, and how many texts. */
  readonly batchesAgain: number
  readonly textsAgain: number
  /** Texts that had come out of `embedAll` before the kill and were asked for again all the same. */
  readonly cameOutAgain: number
  readonly different: number
  readonly failed: number
}

/** Kills the client of the provider bench at random instants and lets it run again. */
export async function embed({ quick, progress }: BenchOptions): Promise<BenchResult> {
  const { texts, source } = providerTexts(quick ? 2000 : 10_000)
  const kills = quick ? 5 : 50
  const random = openRandom(seed)
  const home = mkdtempSync(join(tmpdir(), 'ashlar-faults-'))
  try {
    writeFileSync(join(home, clientFiles.texts), JSON.stringify(texts))
    progress.step('the undisturbed run')
    const undisturbed = await runUndisturbed(home, texts)
    const expected = await vectorsOf(texts)
    const wrong = undisturbed.filter((vector, at) => !isSame(vector, expected[at])).length
    const trials: Trial[] = []
    for (let kill = 0; kill < kills; kill++) {
      progress.step('killed and resumed', kill, kills)
      trials.push(await killAndResume(home, texts, undisturbed, random, kill))
    }
    return judge(trials, wrong, texts.length, source)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

async function runUndisturbed(home: string, texts: readonly string[]): Promise<readonly Float32Array[]> {
  return inFolder(home, async (folder) => {
    await using server = await openProvider(tempo, seed)
    await endOf(startClient(jobFor(server, folder, tempo, maxBatch)))
    const { failed, firstError } = readReport(folder)
    if (failed > 0) throw new Error(`${failed} of ${texts.length} texts failed undisturbed: ${firstError}`)
    return readVectors(folder, terms.dimensions)
  })
}

function killAndResume(
  home: string,
  texts: readonly string[],
  undisturbed: readonly Float32Array[],
  random: Random,
  kill: number,
): Promise<Trial> {
  // Counted in requests and not in seconds, so that a busy machine does not move all kills to one end of the run.
  const at = Math.floor(random() * (texts.length / maxBatch))
  const delay = random() * 25
  return inFolder(home, async (folder) => {
    await using server = await openProvider(tempo, seed + kill)
    const job = jobFor(server, folder, tempo, maxBatch)
    const client = startClient(job)
    await untilArrived(server, at, () => client.exitCode !== null)
    await new Promise((resolve) => setTimeout(resolve, delay))
    client.kill('SIGKILL')
    await endOf(client)
    await untilQuiet(server)
    const cameOut = new Set(readCameOut(folder).map((index) => texts[index] as string))
    const before = [...server.log]
    const arrived = server.requests
    await endOf(startClient(job))
    const after = server.log.slice(before.length)
    const vectors = readVectors(folder, terms.dimensions)
    return {
      at: arrived,
      before: answered(before).length,
      ...again(before, after),
      cameOutAgain: new Set(after.flatMap(textsOf).filter((text) => cameOut.has(text))).size,
      different: vectors.filter((vector, index) => !isSame(vector, undisturbed[index])).length,
      failed: readReport(folder).failed,
    }
  })
}

/** Texts answered both before and after, and in how many requests of before. */
function again(
  before: readonly ProviderLogEntry[],
  after: readonly ProviderLogEntry[],
): Pick<Trial, 'batchesAgain' | 'textsAgain'> {
  const later = new Set(answered(after))
  const repeated = before.filter((entry) => entry.answered && textsOf(entry).some((text) => later.has(text)))
  return { batchesAgain: repeated.length, textsAgain: repeated.flatMap(textsOf).filter((text) => later.has(text)).length }
}

function judge(trials: readonly Trial[], wrong: number, texts: number, source: string): BenchResult {
  const sum = (value: (trial: Trial) => number): number => trials.reduce((total, trial) => total + value(trial), 0)
  const most = (value: (trial: Trial) => number): number => Math.max(...trials.map(value))
  const midway = trials.filter(({ before }) => before > 0 && before < texts).length
  return {
    figures: [
      figure('kills', trials.length, 'kills'),
      figure('kills in the middle of the work', midway, 'kills', `>= ${Math.ceil(trials.length * 0.8)}`),
      figure(
        'vectors that differ from the undisturbed run',
        sum(({ different }) => different),
        'vectors',
        '= 0',
      ),
      figure(
        'texts that failed after a kill',
        sum(({ failed }) => failed),
        'texts',
        '= 0',
      ),
      figure(
        'texts that had come out and were asked for again',
        sum(({ cameOutAgain }) => cameOutAgain),
        'texts',
        '= 0',
      ),
      figure(
        'batches answered twice, most in one kill',
        most(({ batchesAgain }) => batchesAgain),
        'batches',
        `<= ${terms.concurrency}`,
      ),
      figure('batches answered twice, mean of a kill', sum(({ batchesAgain }) => batchesAgain) / trials.length, 'batches'),
      figure('texts answered twice, share of all', (100 * sum(({ textsAgain }) => textsAgain)) / (texts * trials.length), '%'),
      figure('wrong vectors in the undisturbed run', wrong, 'vectors', '= 0'),
    ],
    table: {
      title: `${texts} chunks, batches of ${maxBatch}, ${terms.concurrency} calls under way at most, 5 % of all responses faulty, seed ${seed}`,
      columns: [
        'kill',
        'requests before',
        'texts answered',
        'batches twice',
        'texts twice',
        'came out, asked again',
        'different',
      ],
      rows: trials.map((trial, kill) => [
        kill + 1,
        trial.at,
        trial.before,
        trial.batchesAgain,
        trial.textsAgain,
        trial.cameOutAgain,
        trial.different,
      ]),
    },
    notes: [
      `Texts: ${source}. Each kill is SIGKILL to the client process of the provider bench, a random number of requests and up to 25 ms into a fresh run; the same command then runs again with the cache that is left.`,
      'Answered twice is what the provider answered in full before the kill and again after it: at most the calls that were under way.',
    ],
  }
}

async function inFolder<Result>(home: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(home, 'run-'))
  copyFileSync(join(home, clientFiles.texts), join(folder, clientFiles.texts))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function untilArrived(server: Provider, requests: number, hasEnded: () => boolean): Promise<void> {
  while (server.requests < requests && !hasEnded()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** Until the provider has noticed that its client is gone: what it had begun to answer is answered or dropped. */
async function untilQuiet(server: Provider): Promise<void> {
  for (let seen = -1; seen < server.log.length; ) {
    seen = server.log.length
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function answered(log: readonly ProviderLogEntry[]): string[] {
  return log.filter((entry) => entry.answered).flatMap(textsOf)
}

function textsOf({ request }: ProviderLogEntry): readonly string[] {
  return request.kind === 'embed' ? request.texts : []
}

function isSame(left: Float32Array, right: Float32Array | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((value, at) => Object.is(value, right[at]))
}
