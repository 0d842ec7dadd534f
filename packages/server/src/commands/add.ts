import type { Source } from 'ashlar/ingest'
import { sourcesOf } from '../add-sources.ts'
import { CommandError } from '../command-error.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { IngestWatch } from '../ingest-watch.ts'
import { mayCost } from '../may-cost.ts'
import { openLibrary } from '../open-library.ts'
import type { Session } from '../session.ts'

export interface AddOptions {
  /** The id and the name of what comes from standard input. */
  readonly id?: string
  readonly name?: string
  /** Whether URLs may lead into the own network. */
  readonly allowPrivate?: boolean
}

/** Adds files, folders, pages and standard input, and removes nothing. */
export async function add(names: readonly string[], options: AddOptions, session: Session): Promise<ExitCode> {
  const { terminal } = session
  const { signal } = terminal
  const fromInput = names.includes('-')
  if (!fromInput && (options.id !== undefined || options.name !== undefined)) {
    throw new CommandError(
      '--id and --name are for what comes from standard input.',
      'Add - as in: cat notes.txt | ashlar add - --id notes',
      'USAGE',
    )
  }
  const sources = await sourcesOf(
    names.filter((name) => name !== '-'),
    session,
    options,
  )
  const bytes = fromInput ? await terminal.input.read() : undefined
  await using library = await openLibrary(session, { make: true })
  const input = bytes === undefined ? [] : [{ source: inputSource(bytes, options), named: true }]
  if (!(await mayCost(library, [...sources, ...input], session, { claim: false }))) return exitCode.failed
  using watch = new IngestWatch(session, 'Adding')
  const { onEvent } = watch
  for (const { source, named } of sources) await watch.run(named, () => library.add(source, { signal, onEvent }))
  if (bytes !== undefined) {
    const { id, name = 'stdin.txt' } = options
    await watch.run(true, () => library.add({ bytes, name, ...(id === undefined ? {} : { id }) }, { signal, onEvent }))
  }
  return watch.report()
}

/** Standard input as a source, for the estimate of what it costs: a document without an id is named only when it is added. */
function inputSource(bytes: Uint8Array, { id = 'stdin', name = 'stdin.txt' }: AddOptions): Source {
  return {
    root: 'stdin',
    async *list() {
      yield { id, source: 'stdin', name, size: bytes.length, read: async () => bytes }
    },
  }
}
