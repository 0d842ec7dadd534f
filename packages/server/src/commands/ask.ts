import { createCaller, generatorFrom, type ProviderLanguageModel } from 'ashlar/models'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { passageLines, shownPlace } from '../hit-text.ts'
import { count, money } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { keyVariable, packageOf, providerModel, splitModelName } from '../provider-models.ts'
import { safeLine, safeText } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { wrapText } from '../wrap-text.ts'
import { plainHit, type SearchCommandOptions, searchOptions, showHits } from './search.ts'

/** Answers a question from the documents, with citations. Without a language model it shows the evidence and says what is missing. */
export async function ask(question: string, options: SearchCommandOptions, session: Session): Promise<ExitCode> {
  const { settings, terminal, note, give } = session
  const { model, price, budget } = settings.values
  const { signal } = terminal
  if (model === undefined) {
    await using library = await openLibrary(session)
    const result = await library.search(question, { ...searchOptions(options), signal })
    showHits(result, options, session)
    note('')
    note('These are the passages; a language model would answer from them. For that, install one and name it:')
    note(`  npm install ${packageOf('openai')}`)
    note(`  ${keyVariable('openai')}=… ashlar ask "…" --model openai:<model>`)
    give({ question, answer: null, hits: result.hits.map(plainHit), nothing: result.nothing })
    return exitCode.ok
  }
  const { provider, model: name } = splitModelName(model, 'model')
  const found = await providerModel(provider, name, 'language', settings.project.folder)
  await using library = await openLibrary(session)
  const caller = createCaller({
    ...(price === undefined ? {} : { price }),
    ...(budget === undefined ? {} : { budget: { money: budget } }),
  })
  const { maxTokens, explain: _explain, ...searching } = searchOptions(options)
  const answer = await library.ask(question, {
    ...searching,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    generator: generatorFrom(found as ProviderLanguageModel),
    caller,
    signal,
  })
  showAnswer(answer, session)
  const { usage, money: spent } = caller.spent
  note(
    session.paint(
      'dim',
      `${count(usage.inputTokens + usage.outputTokens)} tokens${price === undefined ? '' : `, ${money(spent)}`}`,
    ),
  )
  const { text, citations, hits, ...rest } = answer
  give({
    question,
    answer: text,
    ...rest,
    citations: citations.map(({ number, hit }) => ({ number, hit: plainHit(hit) })),
    hits: hits.map(plainHit),
  })
  return exitCode.ok
}

type Answered = Awaited<ReturnType<Awaited<ReturnType<typeof openLibrary>>['ask']>>

function showAnswer({ text, missing, citations, unknown, cutOff, hits }: Answered, session: Session): void {
  const { say, paint, settings, terminal } = session
  const columns = Math.min(terminal.out.columns, 100)
  const place = (hit: (typeof hits)[number]): string =>
    paint('cyan', shownPlace(hit.document.id, hit.place, settings.project.folder, terminal.cwd))
  if (missing) {
    say(paint('bold', 'The documents do not answer that.'))
    for (const hit of hits.slice(0, 3)) say(`  read: ${place(hit)}`)
    return
  }
  const safe = safeText(text)
  for (const { start, end } of wrapText(safe, columns)) say(safe.slice(start, end))
  if (cutOff) say(paint('yellow', 'The model stopped at its limit of tokens.'))
  if (unknown.length > 0) say(paint('yellow', `It cites passages that there are none of: ${unknown.join(', ')}`))
  if (citations.length === 0) return
  say()
  for (const { number, hit } of citations) {
    say(`${paint('bold', `[${number}]`)} ${place(hit)}  ${paint('magenta', hit.outline.map(safeLine).join(' › '))}`)
    for (const line of passageLines(hit, { columns: columns - 4, lines: 2, paint })) say(`    ${line}`)
  }
}
