import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type ComparisonReport,
  type Configuration,
  type Corpus,
  compareConfigurations,
  type Estimate,
  feedbackQuestions,
  generateQuestions,
  makeQuestions,
  type Question,
  type QuestionKind,
  sampleDocuments,
} from 'ashlar/evaluation'
import { type Caller, createCaller, type Generator, generatorFrom, type ProviderLanguageModel } from 'ashlar/models'
import type { NodeLibrary } from 'ashlar/node'
import { CommandError } from '../command-error.ts'
import { type ChosenSettings, changesIndex, configurationOf, nameOf, readCompared } from '../compared-settings.ts'
import { differingQuestions } from '../differing-questions.ts'
import { evalPage } from '../eval-page.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { agrees } from '../may-cost.ts'
import { count, counted, duration, money, percent, points } from '../numbers.ts'
import { isPaid, openEmbedder } from '../open-embedder.ts'
import { openLibrary } from '../open-library.ts'
import { Progress } from '../progress.ts'
import { providerModel, splitModelName } from '../provider-models.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { fitText, textWidth } from '../text-width.ts'
import { wrapText } from '../wrap-text.ts'

export interface EvalCommandOptions {
  readonly compare?: readonly string[]
  readonly questions: number
  readonly from?: readonly QuestionKind[]
  readonly hits: number
  readonly tokens: number
  /** The most characters that are cut and embedded again. */
  readonly sample: number
  /** How many questions that differ are shown. */
  readonly show: number
  readonly html?: string
}

/** Models that a run uses, beside the library's own. */
interface Models {
  readonly caller: Caller
  readonly generator: Generator | undefined
}

/** Asks questions whose answers are known: of the library as it is, or of several ways to cut and search it. Says which to take. */
export async function evaluate(options: EvalCommandOptions, session: Session): Promise<ExitCode> {
  const { terminal, settings, say, note, give, paint } = session
  const { signal } = terminal
  const { price, budget } = settings.values
  const chosen = readCompared(options.compare ?? [])
  const isNew = changesIndex(chosen)
  const caller = createCaller({ ...(price && { price }), ...(budget !== undefined && { budget: { money: budget } }) })
  const models = { caller, generator: await languageModel(session) }
  await using embedders = new OpenedEmbedders()
  if (isNew) await embedders.open(embedderNames(chosen, settings.values.embedder), session)
  const enrich = models.generator && { generator: models.generator, caller }
  const configurations = chosen.map((one) => {
    const embedder = embedders.named(one['embedder'] ?? settings.values.embedder)
    return configurationOf(one, nameOf(one, chosen), { embedder, enrich })
  })
  await using library = await openLibrary(session, { embeds: !isNew })
  const corpus = await sampleDocuments(library, { characters: options.sample, signal })
  if (corpus.documents.length === 0)
    throw new CommandError('The library is empty.', 'Add something first: ashlar add <files or folders>')
  if (!(await mayAsk(chosen, corpus, models, options, session))) return exitCode.failed
  const questions = await questionsOf(library, corpus, models, options, session)
  const again = isNew
    ? `; ${count(corpus.characters)} characters are cut and indexed in ${counted(configurations.length, 'way')}`
    : ''
  note(paint('dim', `${kindsOf(questions)} about ${partOf(corpus)}${again}.`))
  using progress = new Progress(session, 'Evaluating')
  let began = 0
  const report = await compareConfigurations(corpus.documents, questions, configurations, {
    ...(isNew ? {} : { library }),
    hits: options.hits,
    tokens: options.tokens,
    caller,
    ...(price && { price }),
    signal,
    onEvent: (event) => {
      const name = safeLine(event.configuration)
      if (event.type === 'asking') {
        if (event.asked === 1) began = terminal.now()
        const secondsLeft = ((terminal.now() - began) / 1000 / event.asked) * (event.of - event.asked)
        progress.show({ done: event.asked, of: event.of, unit: `questions, ${name}`, secondsLeft })
      }
      if (event.type === 'indexing' && event.event.type === 'progress') {
        const { done, secondsLeft } = event.event
        progress.show({ done: done.items, of: corpus.documents.length, unit: `documents, ${name}`, secondsLeft })
      }
    },
  })
  progress.clear()
  showReport(report, options, session)
  if (options.html !== undefined) {
    const path = resolve(terminal.cwd, options.html)
    await writeFile(path, evalPage(report, questions, corpus))
    say()
    say(`${paint('green', '✓')} Wrote ${safeLine(path)}`)
  }
  give(plainReport(report, questions, corpus))
  return exitCode.ok
}

async function languageModel({ settings }: Session): Promise<Generator | undefined> {
  const { model } = settings.values
  if (model === undefined) return undefined
  const { provider, model: name } = splitModelName(model, 'model')
  return generatorFrom((await providerModel(provider, name, 'language', settings.project.folder)) as ProviderLanguageModel)
}

/** Embedders by name, each opened once, and closed together. */
class OpenedEmbedders implements AsyncDisposable {
  readonly #embedders = new Map<string, Configuration['embedder']>()
  readonly #closes: AsyncDisposable[] = []

  async open(names: Iterable<string>, { settings, terminal }: Session): Promise<void> {
    const { price, budget } = settings.values
    for (const name of names) {
      const found = await openEmbedder(name, settings.project.folder, { price, budget, signal: terminal.signal })
      this.#closes.push(...(found?.closes ?? []))
      this.#embedders.set(name, found?.embedder)
    }
  }

  named(name: string): Configuration['embedder'] {
    return this.#embedders.get(name)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of this.#closes.toReversed()) await one[Symbol.asyncDispose]()
  }
}

function embedderNames(chosen: readonly ChosenSettings[], own: string): ReadonlySet<string> {
  return new Set(chosen.map(({ embedder = own }) => embedder))
}

/** Asks the person before anything is sent to somebody who may take money for it. */
async function mayAsk(
  chosen: readonly ChosenSettings[],
  corpus: Corpus,
  { generator }: Models,
  { questions }: EvalCommandOptions,
  session: Session,
): Promise<boolean> {
  const { embedder, price, model } = session.settings.values
  const indexed = changesIndex(chosen) ? chosen.filter(({ embedder: own = embedder }) => isPaid(own)).length : 0
  // A rule of thumb: four characters a token.
  const tokens = Math.ceil((indexed * corpus.characters) / 4)
  const parts: string[] = []
  if (indexed > 0) {
    const amount = price === undefined ? '' : `, about ${money((tokens / 1e6) * price.input)}`
    parts.push(
      `embeds ${count(corpus.characters)} characters ${indexed > 1 ? `${indexed} times ` : ''}(about ${count(tokens)} tokens${amount})`,
    )
  } else if (!changesIndex(chosen) && isPaid(embedder)) parts.push(`embeds up to ${counted(questions, 'question')}`)
  if (generator !== undefined)
    parts.push(
      `has ${model} write questions${chosen.some(({ enrich }) => enrich === 'on') ? ' and a context for every piece' : ''}`,
    )
  if (parts.length === 0) return true
  return agrees(`This ${parts.join(' and ')}.`, 'Run it again with --yes, or with --embedder potion and no --model.', session)
}

/** Half of the questions come from a model where there is one, all feedback is asked, and the documents give the rest. */
async function questionsOf(
  library: NodeLibrary,
  corpus: Corpus,
  { caller, generator }: Models,
  { questions: limit, from }: EvalCommandOptions,
  session: Session,
): Promise<readonly Question[]> {
  const { terminal, note } = session
  const { signal } = terminal
  const wants = (kind: QuestionKind): boolean => from === undefined || from.includes(kind)
  const known = new Set(corpus.documents.map(({ id }) => id))
  const found: Question[] = []
  if (wants('feedback')) {
    const all = await feedbackQuestions(library, { signal })
    found.push(...all.filter(({ gold }) => gold.every(({ document }) => known.has(document))).slice(0, limit))
  }
  if (generator !== undefined && wants('model')) {
    using progress = new Progress(session, 'Writing questions')
    let done = 0
    const most = Math.ceil((limit - found.length) / 2)
    const { questions, failed } = await generateQuestions(corpus.documents, {
      generator,
      count: most,
      caller,
      signal,
      onEvent: () => progress.show({ done: Math.min(most, ++done), of: most, unit: 'passages' }),
    })
    progress.clear()
    if (failed > 0) note(`note: for ${counted(failed, 'passage')} the model gave no question with a quote that stands in it`)
    found.push(...questions)
  }
  const made = await makeQuestions(corpus.documents, {
    limit: Math.max(0, limit - found.length),
    kinds: (['heading', 'definition', 'fact'] as const).filter(wants),
  })
  const questions = [...found, ...made]
  if (questions.length === 0) {
    throw new CommandError(
      'No question could be made from these documents.',
      'Questions come from headings, definitions and sentences with rare words; or name a model that writes them: --model <provider>:<model>',
    )
  }
  return questions
}

const kindNames: Readonly<Record<QuestionKind, string>> = {
  heading: 'from headings',
  definition: 'from definitions',
  fact: 'from rare facts',
  model: 'from a model',
  feedback: 'from feedback',
}

function kindsOf(questions: readonly Question[]): string {
  const kinds = Array.from(
    Map.groupBy(questions, ({ kind }) => kind),
    ([kind, own]) => `${count(own.length)} ${kindNames[kind]}`,
  )
  return `${counted(questions.length, 'question')} (${kinds.join(', ')})`
}

function partOf({ documents, all }: Corpus): string {
  return documents.length === all.documents
    ? counted(all.documents, 'document')
    : `${count(documents.length)} of ${counted(all.documents, 'document')}, chosen by a hash`
}

function showReport(report: ComparisonReport, { show }: EvalCommandOptions, session: Session): void {
  const { say, paint, terminal } = session
  const columns = Math.min(terminal.out.columns, 100)
  const { results, comparisons, hits, tokens } = report
  const isIndexed = results.some(({ index }) => index !== undefined)
  const rows = results.map(({ name, index, evaluation }) => [
    safeLine(name),
    interval(evaluation.completeness),
    interval(evaluation.withinTokens),
    evaluation.reciprocalRank.mean.toFixed(2),
    count(evaluation.tokens),
    duration(evaluation.milliseconds.median),
    ...(isIndexed ? [count(index?.pieces ?? 0)] : []),
  ])
  const head = ['', counted(hits, 'hit'), `${count(tokens)} tokens`, 'MRR', 'read', 'search', ...(isIndexed ? ['pieces'] : [])]
  say(paint('bold', 'Evidence found'))
  table([head, ...rows], columns, session)
  say(paint('dim', fitText('95 % intervals; MRR: of the first hit with evidence; read: tokens of the hits', columns)))
  const [only] = results
  if (comparisons.length === 0 && only !== undefined) {
    const byKind = Map.groupBy(only.evaluation.asked, ({ question }) => question.kind)
    for (const [kind, asked] of byKind) {
      const mean = asked.reduce((sum, one) => sum + one.completeness, 0) / asked.length
      say(`  ${percent(mean).padStart(5)}  ${kindNames[kind]} ${paint('dim', `(${count(asked.length)})`)}`)
    }
  }
  for (const { index, name } of results) {
    if (index === undefined) continue
    const cost = index.money === undefined ? '' : `, ${money(index.money)}`
    const read = index.usage.inputTokens === 0 ? '' : `, ${count(index.usage.inputTokens)} tokens${cost}`
    say(paint('dim', `  ${safeLine(name)}: indexed in ${duration(index.milliseconds)}${read}`))
  }
  for (const { first, second, completeness, withinTokens, recommendation } of comparisons) {
    say()
    say(paint('bold', `${safeLine(second)} against ${safeLine(first)}`))
    const text = safeLine(recommendation)
    for (const { start, end } of wrapText(text, columns - 2)) say(`  ${text.slice(start, end)}`)
    for (const [label, one] of [
      [counted(hits, 'hit'), completeness],
      [`${count(tokens)} tokens`, withinTokens],
    ] as const) {
      const sides = `better on ${count(one.better)}, worse on ${count(one.worse)}, same on ${count(one.equal)}`
      say(paint('dim', `  ${label}: ${points(one.difference)}; ${sides}; p = ${Number(one.p.toPrecision(2))}`))
    }
  }
  showQuestions(report, show, session)
}

function showQuestions(report: ComparisonReport, show: number, { say, paint, terminal }: Session): void {
  const columns = Math.min(terminal.out.columns, 100)
  const shown = differingQuestions(report).slice(0, show)
  if (shown.length === 0) return
  say()
  say(paint('bold', report.results.length > 1 ? 'Questions that differ most' : 'Questions that found least'))
  for (const { question, scores } of shown) {
    const values = scores.map(percent).join(' | ')
    say(`  ${values}  ${paint('cyan', fitText(safeLine(question.text), Math.max(20, columns - values.length - 4)))}`)
    say(paint('dim', fitText(`    ${safeLine(question.gold[0]?.document ?? '')}`, columns)))
  }
}

/** Columns as wide as what is in them; names that leave no room for the rest get lines of their own. */
function table(rows: readonly (readonly string[])[], columns: number, { say, paint }: Session): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ''))))
  const [longest = 0, ...others] = widths
  const room = columns - others.reduce((sum, width) => sum + width + 2, 2)
  const isApart = longest > room
  const first = isApart ? Math.max(0, Math.min(room, 8)) : longest
  for (const [at, [name = '', ...cells]] of rows.entries()) {
    const line = cells.map((cell, index) => cell.padStart(others[index] ?? 0)).join('  ')
    const label = isApart ? ' '.repeat(first) : name + ' '.repeat(longest - textWidth(name))
    if (isApart && at > 0) say(`  ${paint('cyan', fitText(name, columns - 2))}`)
    say(at === 0 ? paint('dim', `  ${label}  ${line}`) : `  ${paint('cyan', label)}  ${line}`)
  }
}

function interval({ mean, low, high }: Estimate): string {
  return `${(100 * mean).toFixed(1)} % (${(100 * low).toFixed(0)}-${(100 * high).toFixed(0)})`
}

/** The report with every question once, and documents named but not repeated. */
function plainReport(report: ComparisonReport, questions: readonly Question[], corpus: Corpus): unknown {
  return {
    ...report,
    corpus: { documents: corpus.documents.length, characters: corpus.characters, all: corpus.all },
    results: report.results.map(({ evaluation, ...result }) => ({
      ...result,
      ...evaluation,
      asked: evaluation.asked.map(({ question, ...asked }) => ({ id: question.id, ...asked })),
    })),
    asked: questions,
  }
}
