import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Provider, Trouble } from 'ashlar/testing/provider'
import { type Bench, type BenchResult, figure, type Table } from './harness/bench.ts'
import { type ClientReport, clientFiles, endOf, readReport, readVectors, startClient } from './provider/client.ts'
import { jobFor, openProvider, type Tempo, terms, troublesAt } from './provider/open-provider.ts'
import { providerTexts } from './provider/provider-texts.ts'
import { vectorsOf } from './provider/static-model.ts'

const tempo: Tempo = {
  requestsPerSecond: 50,
  tokensPerSecond: 80_000,
  latency: 30,
  timeout: 3000,
  drip: 12_000,
  retryAfter: 1000,
}
const troubles = troublesAt(tempo)

/** Many chunks through OpenAI's format and package while every kind of thing goes wrong. */
export const provider: Bench = {
  summary: '10,000 chunks through the OpenAI format with 5 % faulty responses of every kind: lost, mixed up, calls, limits',
  async run({ quick, progress }) {
    const { texts, source } = providerTexts(quick ? 2000 : 10_000)
    const maxBatch = quick ? 4 : 16
    const folder = mkdtempSync(join(tmpdir(), 'ashlar-provider-'))
    await using server = await openProvider(tempo, 20_261_115)
    const timer = setInterval(() => progress.step('embedding', countAnswered(server), texts.length), 500)
    try {
      writeFileSync(join(folder, clientFiles.texts), JSON.stringify(texts))
      await endOf(startClient(jobFor(server, folder, tempo, maxBatch)))
      const vectors = readVectors(folder, terms.dimensions)
      return judge(server, texts, vectors, await vectorsOf(texts), maxBatch, readReport(folder), source)
    } finally {
      clearInterval(timer)
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function judge(
  server: Provider,
  texts: readonly string[],
  vectors: readonly Float32Array[],
  expected: readonly Float32Array[],
  maxBatch: number,
  client: ClientReport,
  source: string,
): BenchResult {
  const ideal = Math.ceil(texts.length / maxBatch)
  const lost = vectors.filter((vector) => vector.every((value) => value === 0)).length
  const mixedUp = vectors.filter((vector, at) => !isSame(vector, expected[at])).length - lost
  const faulty = server.log.filter(({ trouble }) => trouble !== undefined)
  const kinds = new Set(faulty.map(({ trouble }) => nameOf(trouble)))
  const twice = countAnswered(server) - new Set(answeredTexts(server)).size
  const table: Table = {
    title: `${texts.length} chunks in batches of ${maxBatch}, ${(100 * terms.share).toFixed(0)} % of all responses faulty`,
    columns: ['trouble', 'responses'],
    rows: troubles.map((trouble) => [
      nameOf(trouble),
      faulty.filter((entry) => nameOf(entry.trouble) === nameOf(trouble)).length,
    ]),
  }
  return {
    figures: [
      figure('lost', lost, 'chunks', '= 0'),
      figure('mixed up or wrong', mixedUp, 'chunks', '= 0'),
      figure('reported as failed', client.failed, 'chunks', '= 0'),
      figure('calls to the ideal', server.requests / ideal, 'x', '<= 1.1'),
      figure('calls', server.requests, 'requests'),
      figure('busiest second', server.peakPerSecond.requests, 'requests', `<= ${tempo.requestsPerSecond}`),
      figure('busiest second, tokens', server.peakPerSecond.tokens, 'tokens', `<= ${tempo.tokensPerSecond}`),
      figure('refused for the limit', server.limited, 'requests', '= 0'),
      figure('faulty responses', (100 * faulty.length) / server.requests, '%', '>= 4.5'),
      figure('kinds of trouble met', kinds.size, 'kinds', `= ${troubles.length}`),
      figure('chunks answered twice', twice, 'chunks'),
      figure('time', client.seconds, 's'),
      figure(
        'time at the limits alone',
        Math.max(ideal / tempo.requestsPerSecond, tokensOf(server) / tempo.tokensPerSecond),
        's',
      ),
    ],
    table: [table, retryTable(client), sumTable(server, client, ideal)],
    notes: [
      `Texts: ${source}. The client is a process of its own with @ai-sdk/openai through embedderFrom, embedAll and a SQLite cache; the provider's vectors are those of potion-base-8M, and every vector was compared with what that model gives for its text here, to the bit.`,
      'Slow answers drip for 12 s and end at the timeout of 3 s. Answers in another order carry numbers that say so, and are no failure.',
    ],
  }
}

function sumTable(server: Provider, { seconds, spent }: ClientReport, ideal: number): Table {
  const atLimits = Math.max(ideal / tempo.requestsPerSecond, tokensOf(server) / tempo.tokensPerSecond)
  return {
    columns: ['calls', 'ideal', 'tokens billed', 'presumed', 'seconds', 'at the limits'],
    rows: [[server.requests, ideal, spent.usage.inputTokens, spent.presumed.inputTokens, round(seconds), round(atLimits)]],
  }
}

function round(seconds: number): number {
  return Number(seconds.toFixed(1))
}

function retryTable({ retries }: ClientReport): Table {
  return { title: 'Why the client asked again', columns: ['reason', 'times'], rows: Object.entries(retries).sort() }
}

function answeredTexts(server: Provider): string[] {
  return server.log.flatMap(({ answered, request }) => (answered && request.kind === 'embed' ? request.texts : []))
}

function countAnswered(server: Provider): number {
  return answeredTexts(server).length
}

function tokensOf(server: Provider): number {
  return server.log.reduce((sum, { answered, request }) => sum + (answered ? request.tokens : 0), 0)
}

function nameOf(trouble: Trouble | undefined): string {
  if (trouble === undefined) return 'none'
  const { kind, ...more } = trouble
  return [kind, ...Object.entries(more).map(([name, value]) => `${name} ${value}`)].join(', ')
}

function isSame(left: Float32Array, right: Float32Array | undefined): boolean {
  return right !== undefined && left.length === right.length && left.every((value, at) => Object.is(value, right[at]))
}
