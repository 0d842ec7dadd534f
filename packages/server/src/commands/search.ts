import type { LibrarySearchOptions } from 'ashlar'
import type { Expand, Hit, SearchResult } from 'ashlar/search'
import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { passageLines, shownPlace } from '../hit-text.ts'
import { percent } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { fitText } from '../text-width.ts'

export interface SearchCommandOptions {
  readonly limit: number
  readonly expand: Expand
  readonly minScore?: number
  readonly maxTokens?: number
  readonly where?: string
  readonly lines: number
  readonly full?: boolean
  readonly explain?: boolean
  /** A child to explain, with the document it is in: why was it returned, or why not. */
  readonly why?: string
  readonly document?: string
}

/** Finds passages and shows them with their places. */
export async function search(query: string, options: SearchCommandOptions, session: Session): Promise<ExitCode> {
  await using library = await openLibrary(session)
  const result = await library.search(query, { ...searchOptions(options), signal: session.terminal.signal })
  showHits(result, options, session)
  session.give({ ...result, hits: result.hits.map(plainHit) })
  return exitCode.ok
}

/** A hit as data, without what the library keeps about documents for itself. */
export function plainHit({ document, ...hit }: Hit): Readonly<Record<string, unknown>> {
  const { id, title, format, metadata } = document
  const own = Object.fromEntries(Object.entries(metadata).filter(([name]) => !name.startsWith('ashlar.')))
  return { document: { id, title, format, metadata: own }, ...hit }
}

export function searchOptions(options: SearchCommandOptions): LibrarySearchOptions {
  const { limit, expand, minScore, maxTokens, where, explain = false, why, document } = options
  return {
    limit,
    expand,
    ...(minScore === undefined ? {} : { minScore }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(where === undefined ? {} : { where: readWhere(where) }),
    explain: why === undefined ? explain : { child: why, ...(document === undefined ? {} : { document }) },
  }
}

export function readWhere(text: string): NonNullable<LibrarySearchOptions['where']> {
  try {
    return JSON.parse(text) as NonNullable<LibrarySearchOptions['where']>
  } catch (cause) {
    throw new CommandError(
      `--where is not JSON: ${(cause as Error).message}.`,
      `Write it as: --where '{"year": {"gte": 2020}}'`,
      'USAGE',
    )
  }
}

/** Hits as a person reads them. */
export function showHits(result: SearchResult, options: SearchCommandOptions, session: Session): void {
  const { say, note, paint } = session
  for (const { part, reason } of result.degraded) {
    note(`note: without the ${part === 'embedding' ? 'embedder, only words were searched' : 'reranker'}: ${safeLine(reason)}`)
  }
  if (result.nothing) {
    say(paint('bold', 'Nothing here about that.'))
    if (result.hits.length === 0) return
    say(paint('dim', 'What comes nearest, though it is probably about something else:'))
    say()
  }
  for (const [index, hit] of result.hits.entries()) {
    if (index > 0) say()
    showHit(index + 1, hit, options, session)
  }
  if (result.explanation !== undefined) showExplanation(result, session)
}

function showHit(
  number: number,
  hit: Hit,
  { lines, full = false, explain = false }: SearchCommandOptions,
  session: Session,
): void {
  const { say, paint, settings, terminal } = session
  const columns = Math.min(terminal.out.columns, 120)
  const label = `${number}.`.padEnd(3)
  const place = shownPlace(hit.document.id, hit.place, settings.project.folder, terminal.cwd)
  say(
    `${paint('bold', label)}${paint('cyan', place)}  ${paint('dim', percent(hit.relevance))}${hit.exact ? paint('dim', ' exact') : ''}`,
  )
  const outline = hit.outline.map(safeLine).join(' › ')
  if (outline !== '') say(`   ${paint('magenta', fitText(outline, columns - 3))}`)
  for (const line of passageLines(hit, { columns: columns - 3, lines: full ? Number.MAX_SAFE_INTEGER : lines, paint }))
    say(`   ${line}`)
  for (const twin of hit.alsoAt) {
    say(paint('dim', `   also in ${shownPlace(twin.document, undefined, settings.project.folder, terminal.cwd)}`))
  }
  if (explain) {
    const legs = Object.entries(hit.scores).map(([leg, score]) => {
      const rank = hit.ranks[leg as keyof typeof hit.ranks]
      return `${leg} ${score.toFixed(3)}${rank === undefined ? '' : ` (#${rank})`}`
    })
    say(paint('dim', `   score ${hit.score.toFixed(3)} = mean by weight of ${legs.join(', ')}`))
    say(paint('dim', `   piece ${safeLine(hit.id)}`))
  }
}

function showExplanation({ explanation, counts, best }: SearchResult, { say, paint }: Session): void {
  if (explanation === undefined) return
  const { terms, phrases, children, nominated, nothingBelow, child } = explanation
  say()
  say(paint('bold', 'How this came about'))
  const words = terms.slice(0, 12).map(({ term, children: holding }) => `${safeLine(term)} in ${holding}`)
  say(`  words       ${words.length > 0 ? words.join(', ') : 'none that tell anything'}`)
  if (phrases.length > 0) say(`  phrases     ${phrases.map((phrase) => `“${safeLine(phrase)}”`).join(', ')}`)
  const legs = Object.entries(nominated).map(([leg, number]) => `${leg} ${number}`)
  say(`  nominated   ${counts.nominated} of ${children} pieces (${legs.join(', ')}), ${counts.scored} scored in full`)
  say(
    `  left out    ${counts.belowMinScore} below the least score, ${counts.merged} joined, ${counts.duplicates} duplicates, ${counts.outOfBudget} beyond the budget`,
  )
  say(`  best score  ${best.score.toFixed(3)}; below ${nothingBelow.toFixed(3)} it would be “nothing here about that”`)
  if (child !== undefined) say(`  ${safeLine(child.child)}: ${safeLine(child.sentence)}`)
}
