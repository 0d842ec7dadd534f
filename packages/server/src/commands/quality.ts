import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { assessQuality, type CitedPiece, type DanglingKind, type QualityReport } from 'ashlar/evaluation'
import { bar } from '../bars.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { shownPlace } from '../hit-text.ts'
import { count, counted, duration, percent } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { Progress } from '../progress.ts'
import { danglingNames, qualityPage } from '../quality-page.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { fitText, textWidth } from '../text-width.ts'

export interface QualityCommandOptions {
  readonly questions: number
  readonly hits: number
  readonly likeness: number
  /** How many findings of a kind are shown. */
  readonly show: number
  readonly html?: string
}

/** Looks at the pieces in the library and says what a reader or a search will stumble over. Changes nothing. */
export async function quality(options: QualityCommandOptions, session: Session): Promise<ExitCode> {
  const { terminal, say, give, paint } = session
  const { signal } = terminal
  await using library = await openLibrary(session, { embeds: options.questions > 0 })
  const { documents } = await library.stats({ signal })
  using reading = new Progress(session, 'Reading')
  using asking = new Progress(session, 'Asking')
  const report = await assessQuality(library, {
    signal,
    questions: options.questions,
    hits: options.hits,
    likeness: options.likeness,
    onProgress: ({ type, done, of }) => {
      if (type === 'reading') reading.show({ done, of: documents, unit: 'documents' })
      else {
        reading.clear()
        asking.show({ done, of, unit: 'questions' })
      }
    },
  })
  reading.clear()
  asking.clear()
  showReport(report, options, session)
  if (options.html !== undefined) {
    const path = resolve(terminal.cwd, options.html)
    await writeFile(path, qualityPage(report))
    say(`${paint('green', '✓')} Wrote ${safeLine(path)}`)
  }
  give(report)
  return exitCode.ok
}

function showReport(report: QualityReport, { show, likeness }: QualityCommandOptions, session: Session): void {
  const { say, paint } = session
  const { sizes, orphanHeadings, danglingReferences, nearDuplicates, neverFound } = report
  showSizes(report, session)
  const heading = (isFine: boolean, text: string): void => say(`${isFine ? paint('green', '✓') : paint('yellow', '!')} ${text}`)
  if (sizes.pieces === 0) return

  heading(
    orphanHeadings.count === 0,
    orphanHeadings.count === 0
      ? 'Every heading stands with its text'
      : `${counted(orphanHeadings.count, 'heading is', 'headings are')} cut off from the text below`,
  )
  for (const piece of orphanHeadings.pieces.slice(0, show))
    showPiece(piece, `“${safeLine(piece.title)}”${piece.alone ? ' alone' : ''}`, session)

  const { unresolved, kinds } = danglingReferences
  const by = Object.entries(kinds)
    .filter(([, number]) => number > 0)
    .map(([kind, number]) => `${count(number)} ${danglingNames[kind as DanglingKind]}`)
  heading(
    unresolved === 0,
    danglingReferences.count === 0
      ? 'No piece points to something outside of it'
      : `${counted(danglingReferences.count, 'piece points', 'pieces point')} to something outside: ${by.join(', ')}`,
  )
  if (danglingReferences.count > 0) {
    say(
      paint(
        'dim',
        unresolved === 0
          ? '  it is in the parent: search with --expand parent'
          : `  for ${count(unresolved)} it is not even in the parent; --expand parent helps with the others`,
      ),
    )
  }
  for (const piece of danglingReferences.pieces.slice(0, show)) showPiece(piece, `“${safeLine(piece.words)}”`, session)

  heading(
    nearDuplicates.pieces === 0,
    nearDuplicates.pieces === 0
      ? `No two pieces are more than ${percent(likeness)} alike`
      : `${counted(nearDuplicates.pieces, 'piece')} say nearly the same as others, in ${counted(nearDuplicates.count, 'group')}`,
  )
  if (nearDuplicates.notCompared > 0)
    say(paint('dim', `  ${counted(nearDuplicates.notCompared, 'piece')} beyond the limit were not compared`))
  for (const group of nearDuplicates.groups.slice(0, show)) {
    const [first, ...others] = group.pieces
    if (first === undefined) continue
    showPiece(first, `${count(group.count)} times, ${percent(group.likeness)} alike`, session)
    for (const other of others.slice(0, 2)) say(`    ${paint('dim', `also ${placeOf(other, session)}`)}`)
  }

  if (neverFound.questions === 0) return
  heading(
    neverFound.count === 0,
    neverFound.count === 0
      ? `All ${count(neverFound.asked)} pieces that questions were made from are found among ${count(neverFound.hits)} hits`
      : `${count(neverFound.count)} of ${counted(neverFound.asked, 'piece')} that questions were made from are not found among ${count(neverFound.hits)} hits`,
  )
  for (const piece of neverFound.pieces.slice(0, show)) showPiece(piece, `asked: ${safeLine(piece.questions[0] ?? '')}`, session)
}

function showSizes({ documents, sizes, milliseconds }: QualityReport, { say, paint }: Session): void {
  const { pieces, smallest, p5, median, p95, largest, histogram } = sizes
  say(
    `${paint('bold', counted(pieces, 'piece'))} of ${counted(documents, 'document')}, ${count(smallest)} to ${count(largest)} characters ${paint('dim', duration(milliseconds))}`,
  )
  if (pieces === 0) return
  say(paint('dim', `half have ${count(median)} or more, nine of ten from ${count(p5)} to ${count(p95)}`))
  const most = Math.max(...histogram.map((one) => one.pieces))
  const label = (from: number, to: number): string => `${count(from)}-${count(to - 1)}`
  const width = Math.max(...histogram.map(({ from, to }) => label(from, to).length))
  for (const { from, to, pieces: number } of histogram) {
    say(
      `  ${label(from, to).padStart(width)} ${paint('cyan', bar(number / most, 30))} ${number === 0 ? '' : count(number)}`.trimEnd(),
    )
  }
  say()
}

function showPiece(piece: CitedPiece, about: string, session: Session): void {
  const { say, paint, terminal } = session
  const columns = Math.min(terminal.out.columns, 120)
  const place = placeOf(piece, session)
  const room = columns - textWidth(place) - 4
  const isShort = textWidth(about) <= room
  say(`  ${paint('cyan', place)}${isShort ? `  ${about}` : ''}`)
  if (!isShort) say(`    ${fitText(about, columns - 4)}`)
  say(`    ${paint('dim', fitText(safeLine(piece.excerpt), columns - 4))}`)
}

function placeOf({ document, place }: CitedPiece, { settings, terminal }: Session): string {
  return shownPlace(document, place, settings.project.folder, terminal.cwd)
}
