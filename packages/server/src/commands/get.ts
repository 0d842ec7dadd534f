import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { openLibrary } from '../open-library.ts'
import { safeText } from '../safe-text.ts'
import type { Session } from '../session.ts'

/** Writes the text of a document: exactly where another program reads it, harmless where a terminal shows it. */
export async function get(id: string, session: Session): Promise<ExitCode> {
  const { terminal, json, give } = session
  await using library = await openLibrary(session, { embeds: false })
  const document = await library.get(id, { signal: terminal.signal })
  if (document === undefined) {
    throw new CommandError(`There is no document ${JSON.stringify(id)}.`, 'See which there are with: ashlar list')
  }
  const { placeOf: _placeOf, ...plain } = document
  give(plain)
  if (!json) terminal.out.write(terminal.out.isTTY ? `${safeText(document.text).trimEnd()}\n` : document.text)
  return exitCode.ok
}
