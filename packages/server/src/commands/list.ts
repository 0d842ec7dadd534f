import type { LibraryEntry } from 'ashlar'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { count } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { fitText, textWidth } from '../text-width.ts'
import { readWhere } from './search.ts'

export interface ListOptions {
  readonly limit: number
  readonly after?: string
  readonly where?: string
}

/** Lists documents in the order of their ids. */
export async function list({ limit, after, where }: ListOptions, session: Session): Promise<ExitCode> {
  const { say, note, give, terminal } = session
  await using library = await openLibrary(session, { embeds: false })
  const page = await library.list({
    limit,
    signal: terminal.signal,
    ...(after === undefined ? {} : { after }),
    ...(where === undefined ? {} : { where: readWhere(where) }),
  })
  for (const line of entryLines(page.items, session)) say(line)
  if (page.items.length === 0) say('No documents. Add some with: ashlar add <files or folders>')
  if (page.next !== undefined && !session.json) note(`There are more: ashlar list --after '${page.next}'`)
  give({ documents: page.items, ...(page.next === undefined ? {} : { next: page.next }) })
  return exitCode.ok
}

function* entryLines(entries: readonly LibraryEntry[], { terminal, paint }: Session): Generator<string> {
  const columns = Math.min(terminal.out.columns, 140)
  const ids = entries.map(({ id }) => safeLine(id))
  // What another program reads is not cut short.
  const most = terminal.out.isTTY ? Math.max(16, Math.floor(columns / 2)) : Number.MAX_SAFE_INTEGER
  const widest = Math.min(Math.max(0, ...ids.map(textWidth)), most)
  for (const [index, entry] of entries.entries()) {
    const id = fitText(ids[index] ?? '', widest)
    const pieces = `${count(entry.pieces).padStart(6)} ${entry.pieces === 1 ? 'piece ' : 'pieces'}`
    const used = widest + 2 + textWidth(pieces) + 2
    const title = columns - used > 8 ? fitText(safeLine(entry.title), columns - used) : ''
    yield `${paint('cyan', id)}${' '.repeat(Math.max(0, widest - textWidth(id)))}  ${pieces}${title === '' ? '' : `  ${paint('dim', title)}`}`
  }
}
