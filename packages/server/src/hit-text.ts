import { relative, resolve } from 'node:path'
import type { Place } from 'ashlar/ingest'
import { citePlace } from 'ashlar/ingest'
import type { Hit } from 'ashlar/search'
import type { Paint } from './colours.ts'
import { safeLine, safeText } from './safe-text.ts'
import { wrapText } from './wrap-text.ts'

/** Where a document is, as the person would write it from where they are: `docs/guide.md:12`, which terminals make a link of. */
export function shownPlace(document: string, place: Place | undefined, project: string, cwd: string): string {
  const path = /^[a-z][a-z0-9+.-]*:/i.test(document) ? document : relative(cwd, resolve(project, document)) || document
  const shown = safeLine(path)
  if (place === undefined) return shown
  return place.kind === 'line' ? `${shown}:${place.line}` : `${shown}, ${safeLine(citePlace(place))}`
}

/**
 * A passage in so many columns with what matched made to stand out. Where it has more lines than asked for, the part with the first match
 * is shown.
 */
export function passageLines(
  { text, start, matches }: Pick<Hit, 'text' | 'start' | 'matches'>,
  { columns, lines: most, paint }: { readonly columns: number; readonly lines: number; readonly paint: Paint },
): readonly string[] {
  const safe = safeText(text)
  const slices = wrapText(safe, columns)
  const marks = matches.map((match) => ({ start: match.start - start, end: match.end - start }))
  const first = Math.max(
    0,
    slices.findIndex((slice) => marks.some((mark) => mark.start < slice.end && mark.end > slice.start)),
  )
  const from = slices.length <= most ? 0 : Math.min(Math.max(0, first - 1), slices.length - most)
  const shown = slices.slice(from, from + most).map((slice) => painted(safe, slice, marks, paint))
  if (from > 0 && shown[0] !== undefined) shown[0] = `${paint('dim', '… ')}${shown[0]}`
  if (from + most < slices.length) shown.push(paint('dim', `… ${slices.length - from - most} more lines`))
  return shown
}

interface Slice {
  readonly start: number
  readonly end: number
}

function painted(text: string, slice: Slice, marks: readonly Slice[], paint: Paint): string {
  let at = slice.start
  let line = ''
  for (const mark of marks) {
    const start = Math.max(mark.start, at)
    const end = Math.min(mark.end, slice.end)
    if (end <= start) continue
    line += text.slice(at, start) + paint('yellow', paint('bold', text.slice(start, end)))
    at = end
  }
  return line + text.slice(at, slice.end)
}
