import { resolve } from 'node:path'
import { watchFolder } from 'ashlar/node'
import { folderOf } from '../add-sources.ts'
import { paintOf } from '../colours.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { IngestWatch } from '../ingest-watch.ts'
import { mayCost } from '../may-cost.ts'
import { openLibrary } from '../open-library.ts'
import { RemovalQuestion } from '../removal-question.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { describeError, showError } from '../show-error.ts'

export interface SyncCommandOptions {
  readonly watch?: boolean
  /** Whether documents whose files are gone are removed. */
  readonly remove: boolean
}

/** Makes the library hold what a folder holds; with `watch` again whenever something in it changes, until it is stopped. */
export async function sync(folder: string | undefined, options: SyncCommandOptions, session: Session): Promise<ExitCode> {
  const { terminal, settings, note, json } = session
  const { signal } = terminal
  const path = folder === undefined ? settings.values.folder : resolve(terminal.cwd, folder)
  const source = folderOf(path, session)
  await using library = await openLibrary(session, { make: true })
  await using changes = options.watch === true ? watchFolder(path, source, { signal }) : undefined
  if (!(await mayCost(library, [{ source, named: false }], session))) return exitCode.failed
  const once = async (): Promise<ExitCode> => {
    using watch = new IngestWatch(session, 'Syncing')
    const question = new RemovalQuestion(session, () => watch.clear())
    const remove = options.remove && question.mayRemove
    await watch.run(false, () => library.sync(source, { signal, onEvent: watch.onEvent, remove }))
    const { refusal } = question
    const exit = watch.report({ folder: path, ...(refusal !== undefined && { refusal: describeError(refusal) }) })
    if (refusal === undefined) return exit
    terminal.err.write(`${showError(refusal, paintOf(terminal.err), false)}\n`)
    return exitCode.failed
  }
  const exit = await once()
  if (changes === undefined) return exit
  if (!json) note(`Watching ${safeLine(path)}; Ctrl-C ends it.`)
  for await (const _ of changes) await once()
  return exitCode.interrupted
}
