import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { count, counted } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'

/** Erases documents after asking. */
export async function remove(ids: readonly string[], session: Session): Promise<ExitCode> {
  const { terminal, yes, say, give, paint, note } = session
  if (!yes && !terminal.input.isTTY) {
    throw new CommandError('Nobody is there to agree to the removal.', 'Run it again with --yes.', 'USAGE')
  }
  await using library = await openLibrary(session, { embeds: false })
  const shown = ids.slice(0, 3).map(safeLine).join(', ') + (ids.length > 3 ? ` and ${count(ids.length - 3)} more` : '')
  if (!yes && !(await terminal.confirm(`Erase ${shown} with everything made of ${ids.length === 1 ? 'it' : 'them'}?`))) {
    note('Nothing was removed.')
    return exitCode.failed
  }
  const receipt = await library.remove(ids, { signal: terminal.signal })
  const absent = receipt.documents.filter(({ found }) => !found).map(({ document }) => document)
  if (receipt.removed > 0) {
    say(`${paint('green', '✓')} ${counted(receipt.removed, 'document')} erased, ${counted(receipt.rows, 'row')} in all`)
    if (!receipt.erased) say('  Some bytes are left in the file until it is next maintained.')
  }
  for (const id of absent) say(`${paint('yellow', '!')} There is no document ${safeLine(id)}`)
  give(receipt)
  return absent.length > 0 ? exitCode.failed : exitCode.ok
}
