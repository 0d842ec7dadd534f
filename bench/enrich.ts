import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { type EnrichmentOptions, enrich, planEnrichment } from 'ashlar/enrich'
import { type Caller, costOf, createCaller, type Generator, generatorFrom, memoryCache, type Price } from 'ashlar/models'
import { type Provider, type ProviderServerOptions, startProvider } from 'ashlar/testing/provider'
import { o200k } from 'ashlar/tokens/o200k'
import { type Tree, treePresets } from 'ashlar/tree'
import { type Bench, type BenchOptions, type ChartBar, type Figure, figure, type Table } from './harness/bench.ts'
import { exchangeFiveWords } from './inputs/edit.ts'
import { type EnrichedDocument, readEnrichedDocuments } from './inputs/enriched-documents.ts'

const kinds = ['context', 'questions', 'keywords'] as const
const shares = [0.1, 0.5, 0.85]
const concurrency = 8
/** The prices for a million tokens that Anthropic lists for that model, in dollars; taken for both, so that costs compare. */
const price: Price = { input: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15 }

interface Speaker {
  readonly name: string
  readonly open: (provider: Provider) => Generator
}

const speakers: readonly Speaker[] = [
  {
    name: 'Anthropic, marked',
    open: ({ baseURL }) => generatorFrom(createAnthropic({ baseURL: baseURL.anthropic, apiKey: 'none' })('claude-sonnet-4-5')),
  },
  {
    name: 'OpenAI, automatic',
    open: ({ baseURL }) => generatorFrom(createOpenAI({ baseURL: baseURL.openai, apiKey: 'none' })('gpt-4.1-mini')),
  },
]

/** Enrichment through the providers' own packages, against a provider on this machine that counts. */
export const enrichment: Bench = {
  summary: 'context, questions and keywords through prompt caches: tokens read from them, the plan, edits and budgets',
  async run(options) {
    const count = options.quick ? 5 : 20
    const figures: Figure[] = []
    const rows: (string | number)[][] = []
    const bars: ChartBar[] = []
    for (const [preset, levels] of Object.entries(treePresets)) {
      if (options.quick && preset !== 'precise') continue
      const documents = readEnrichedDocuments(count, 30, levels)
      for (const speaker of speakers) {
        const part = await measure(speaker, documents, `${speaker.name}, ${preset} tree`, options)
        figures.push(...part.figures)
        rows.push(...part.rows)
        bars.push(...part.bars)
      }
    }
    const table: Table = {
      columns: ['run', 'calls', 'input tokens', 'from cache', 'plan off by', 'words: mean, most', 'sentence: mean, most', 'cost'],
      rows,
    }
    return {
      figures,
      table,
      chart: {
        title: `What enriching ${count} documents of 30 chunks costs`,
        axis: 'dollars at the prices of Claude Sonnet 4.5 (shorter is better)',
        bars,
      },
      notes: [
        `${count} documents of 30 chunks, all three kinds in one call a chunk, ${concurrency} calls at once; tokens are o200k's on both sides.`,
        'Edits: five words of a paragraph exchanged, or a sentence of 20 words put into it, at three places of each document, with the answers of the first run at hand.',
        'Budget: half of what the plan says, while answers are twice as long as planned.',
      ],
    }
  },
}

interface Part {
  readonly figures: readonly Figure[]
  readonly rows: readonly (string | number)[][]
  readonly bars: readonly ChartBar[]
}

async function measure(
  speaker: Speaker,
  documents: readonly EnrichedDocument[],
  name: string,
  { progress }: BenchOptions,
): Promise<Part> {
  const trees = documents.map(({ tree }) => tree)
  progress.step(`${name}: first run`)
  await using provider = await start({})
  const generator = speaker.open(provider)
  const asked = { generator, kinds, price }
  const options = { ...asked, counter: o200k }
  const plan = await planEnrichment(trees, options)
  const cache = memoryCache()
  await run(trees, { ...options, cache, caller: createCaller({ concurrency }) })
  const { usage } = provider
  const shown = sharedTokens(provider)
  const read = (usage.cachedTokens / shown) * 100
  const off = Math.abs(plan.usage.inputTokens / usage.inputTokens - 1) * 100
  const offCached = Math.abs(plan.usage.cachedTokens / usage.cachedTokens - 1) * 100
  const estimated = await planEnrichment(trees, asked)
  const offEstimated = Math.abs(estimated.usage.inputTokens / usage.inputTokens - 1) * 100
  const { words, sentences } = await edit(documents, { ...options, cache }, provider, (done, total) =>
    progress.step(`${name}: edits`, done, total),
  )
  progress.step(`${name}: budget`)
  const budget = await spend(speaker, trees, plan.cost ?? 0)
  const apart = await inThreeCalls(trees, options)
  const uncached = await planEnrichment(trees, { ...options, generator: { ...generator, promptCache: 'none' } })
  return {
    figures: [
      figure(`${name}: document tokens read from the provider's cache`, read, '%', '>= 90'),
      figure(`${name}: planned against counted input tokens, off by`, off, '%', '<= 5'),
      figure(`${name}: planned against counted tokens from the cache, off by`, offCached, '%'),
      figure(`${name}: the same plan with the estimating counter of the library, input tokens off by`, offEstimated, '%'),
      figure(
        `${name}: chunks paid for again after five words of a paragraph changed, most`,
        Math.max(...words),
        'chunks',
        '<= 3',
      ),
      figure(
        `${name}: chunks paid for again after a sentence was put into a paragraph, most`,
        Math.max(...sentences),
        'chunks',
        '<= 3',
      ),
      figure(`${name}: chunks paid for again after a sentence was put into a paragraph, mean`, mean(sentences), 'chunks'),
      figure(
        `${name}: sentences put in that paid for more than 3 chunks, of ${sentences.length}`,
        sentences.filter((calls) => calls > 3).length,
        'edits',
      ),
      figure(`${name}: beyond the budget, as a share of what the calls in flight cost`, budget.beyond, 'x', '<= 1'),
      figure(`${name}: calls after the budget was raised, beyond those that were left`, budget.paidTwice, 'calls', '= 0'),
      figure(`${name}: cost of one call for each kind against one for all`, apart / (plan.cost ?? 1), 'x'),
      figure(`${name}: cost without a prompt cache against with it`, (uncached.cost ?? 0) / (plan.cost ?? 1), 'x'),
    ],
    bars: [
      bar(name, plan.cost ?? 0, true),
      bar(`${name.split(',')[0]}, one call for each kind`, apart, false),
      bar(`${name.split(',')[0]}, no prompt cache`, uncached.cost ?? 0, false),
    ],
    rows: [
      [
        name,
        plan.calls,
        usage.inputTokens,
        `${read.toFixed(1)} %`,
        `${off.toFixed(2)} %`,
        `${mean(words).toFixed(2)}, ${Math.max(...words)}`,
        `${mean(sentences).toFixed(2)}, ${Math.max(...sentences)}`,
        costOf(usage, price),
      ],
    ],
  }
}

function start(options: ProviderServerOptions): Promise<Provider> {
  return startProvider({ counter: o200k, answer: (parts) => answer(parts.at(-1)?.text ?? '', 1), ...options })
}

/** An answer in the form that was asked for, made of the chunk's own words; `times` as long as one is expected to be. */
function answer(own: string, times: number): string {
  const words = own.match(/\p{L}{4,}/gu) ?? ['nothing']
  const take = (from: number, length: number): string =>
    Array.from({ length: length * times }, (_, at) => words[(from + at) % words.length]).join(' ')
  return [
    `context: ${take(0, 40)}.`,
    ...[1, 2, 3].map((at) => `question: What about ${take(at * 7, 10)}?`),
    `keywords: ${Array.from({ length: 8 }, (_, at) => words[(at * 5) % words.length]).join('; ')}`,
  ].join('\n')
}

/** What all calls were shown of documents, in tokens: the part before the chunk, counted for each call. */
function sharedTokens({ log }: Provider): number {
  const counted = new Map<string, number>()
  let sum = 0
  for (const { request } of log) {
    if (request.kind !== 'chat') continue
    for (const { text } of request.parts.slice(0, -1)) {
      const tokens = counted.get(text) ?? o200k(text)
      counted.set(text, tokens)
      sum += tokens
    }
  }
  return sum
}

async function run(
  trees: readonly Tree[],
  options: Parameters<typeof enrich>[1],
): Promise<{ readonly answered: number; readonly left: number }> {
  let answered = 0
  let left = 0
  for await (const { enrichment: written, error } of enrich(trees, options)) {
    if (written !== undefined) answered++
    else if (error?.code === 'BUDGET_SPENT') left++
    else throw error
  }
  return { answered, left }
}

/** Exchanges five words, and puts in a sentence, at three places of each document; gives how many calls each edit took. */
async function edit(
  documents: readonly EnrichedDocument[],
  options: Parameters<typeof enrich>[1],
  provider: Provider,
  step: (done: number, total: number) => void,
): Promise<{ readonly words: readonly number[]; readonly sentences: readonly number[] }> {
  const words: number[] = []
  const sentences: number[] = []
  const pay = async (tree: Tree): Promise<number> => {
    const before = provider.requests
    await run([tree], options)
    return provider.requests - before
  }
  for (const { tree, rebuild } of documents) {
    for (const share of shares) {
      step(words.length, documents.length * shares.length)
      words.push(await pay(rebuild(exchangeWords(tree.text, share))))
      sentences.push(await pay(rebuild(insertSentence(tree.text, share))))
    }
  }
  return { words, sentences }
}

function bar(label: string, value: number, ours: boolean): ChartBar {
  return { label, value, note: `$${value.toFixed(2)}`, ours }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Exchanges five words behind `share` of the text, or before it where only tables and lists follow. */
function exchangeWords(text: string, share: number): string {
  for (let from = share; from > 0.05; from -= 0.1) {
    if (/[A-Za-z]+(?: [a-z]+){4}/.test(text.slice(Math.floor(text.length * from)))) return exchangeFiveWords(text, from)
  }
  return exchangeFiveWords(text, 0)
}

/** Puts a sentence of twenty words after the first one that ends behind `share` of the text. */
function insertSentence(text: string, share: number): string {
  const from = Math.floor(text.length * share)
  const end = text.slice(from).search(/[.!?] /)
  const at = end < 0 ? text.length : from + end + 2
  const sentence = 'The mason who had laid the course came back after a year to see whether it still stood true and level.'
  return `${text.slice(0, at)}${sentence} ${text.slice(at)}`
}

/** Runs with half of the money that is needed and answers twice as long as planned, and then with enough. */
async function spend(
  speaker: Speaker,
  trees: readonly Tree[],
  planned: number,
): Promise<{ readonly beyond: number; readonly paidTwice: number }> {
  await using provider = await start({ latency: 2, answer: (parts) => answer(parts.at(-1)?.text ?? '', 2) })
  const budget = planned / 2
  const options = {
    generator: speaker.open(provider),
    kinds,
    counter: o200k,
    price,
    cache: memoryCache(),
  }
  const open = (money?: number): Caller => createCaller({ concurrency, price, ...(money !== undefined && { budget: { money } }) })
  const { left } = await run(trees, { ...options, caller: open(budget) })
  const spent = costOf(provider.usage, price)
  const dearest = Math.max(...provider.log.map(({ usage }) => (usage === undefined ? 0 : costOf(usage, price))))
  const before = provider.requests
  await run(trees, { ...options, caller: open() })
  return { beyond: Math.max(0, spent - budget) / (dearest * concurrency), paidTwice: provider.requests - before - left }
}

async function inThreeCalls(trees: readonly Tree[], options: EnrichmentOptions & { readonly price: Price }): Promise<number> {
  let cost = 0
  for (const kind of kinds) cost += (await planEnrichment(trees, { ...options, kinds: [kind] })).cost ?? 0
  return cost
}
