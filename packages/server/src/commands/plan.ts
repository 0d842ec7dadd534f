import { resolve } from 'node:path'
import type { ChangeKind, IngestPlan } from 'ashlar/ingest'
import { folderOf } from '../add-sources.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { bytes, count, counted, money } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { Progress } from '../progress.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { todoOf } from '../show-error.ts'

export interface PlanCommandOptions {
  readonly examples: number
}

const marks = { new: '+', changed: '~', moved: '>', gone: '-', failed: '!', unchanged: '=' } as const
const colours = { new: 'green', changed: 'yellow', moved: 'blue', gone: 'red', failed: 'red', unchanged: 'dim' } as const
const shownKinds: readonly ChangeKind[] = ['new', 'changed', 'moved', 'gone']

/** Says what `sync` would do now, and what it would cost. Writes nothing into the library. */
export async function plan(folder: string | undefined, { examples }: PlanCommandOptions, session: Session): Promise<ExitCode> {
  const { terminal, settings } = session
  const path = folder === undefined ? settings.values.folder : resolve(terminal.cwd, folder)
  await using library = await openLibrary(session, { make: true })
  using progress = new Progress(session, 'Planning')
  const made = await library.plan(folderOf(path, session), {
    signal: terminal.signal,
    examples,
    onEvent: (event) => {
      if (event.type === 'progress') progress.ingest(event)
    },
  })
  progress.clear()
  showPlan(withoutOldPlaces(made), session)
  session.give(plainPlan(made))
  return made.failures.some(({ code }) => code !== 'UNSUPPORTED_FILE') ? exitCode.failed : exitCode.ok
}

/** What moved is told once, as moved, and not again as gone from where it was. */
function withoutOldPlaces(made: IngestPlan): IngestPlan {
  const { counts, examples } = made
  const old = new Set(examples.moved.map((change) => (change.kind === 'moved' ? change.from : '')))
  return {
    ...made,
    counts: { ...counts, gone: Math.max(0, counts.gone - counts.moved) },
    examples: { ...examples, gone: examples.gone.filter(({ id }) => !old.has(id)) },
  }
}

function showPlan(
  { counts, examples, bytes: size, embedding, cost, failures }: IngestPlan,
  { say, paint, settings }: Session,
): void {
  const changes = counts.new + counts.changed + counts.moved + counts.gone
  say(
    changes === 0
      ? `${paint('green', '✓')} Nothing to do: ${counted(counts.unchanged, 'document')} as they are`
      : `${count(counts.new)} new, ${count(counts.changed)} changed, ${count(counts.moved)} moved, ${count(counts.gone)} gone, ${count(counts.unchanged)} unchanged`,
  )
  for (const kind of shownKinds) {
    for (const change of examples[kind]) {
      const from = change.kind === 'moved' ? paint('dim', ` (was ${safeLine(change.from)})`) : ''
      say(`  ${paint(colours[kind], `${marks[kind]} ${safeLine(change.id)}`)}${from}`)
    }
    const more = counts[kind] - examples[kind].length
    if (more > 0 && examples[kind].length > 0) say(paint('dim', `    and ${count(more)} more ${kind}`))
  }
  const failed = failures.filter(({ code }) => code !== 'UNSUPPORTED_FILE')
  for (const { id, message, code } of failed.slice(0, 10)) {
    say(`  ${paint('red', `! ${safeLine(id)}`)}`)
    say(`    ${safeLine(message)} ${todoOf(code) ?? ''} ${paint('dim', `[${code}]`)}`)
  }
  const skipped = failures.length - failed.length
  if (skipped > 0) say(`  ${counted(skipped, 'file')} left out, of formats that hold no text`)
  if (changes === 0) return
  say()
  say(`  to read   ${bytes(size)}`)
  if (embedding === undefined) return
  const { toEmbed, children, usage } = embedding
  say(`  to embed  ${counted(toEmbed, 'piece')} of ${count(children)}, about ${count(usage.inputTokens)} tokens`)
  say(
    `  cost      ${settings.values.price === undefined ? (cost === 0 ? 'none' : free(settings.values.embedder)) : money(cost ?? 0)}`,
  )
}

function free(embedder: string): string {
  return embedder === 'potion' || embedder.startsWith('local:') ? 'none, it happens on this machine' : 'not known: give --price'
}

/** A plan without what only this process can use. */
function plainPlan(made: IngestPlan): Readonly<Record<string, unknown>> {
  const { examples, ...rest } = made
  const named = Object.entries(examples).map(([kind, changes]) => [
    kind,
    changes.map((change) => ({ id: change.id, ...(change.kind === 'moved' ? { from: change.from } : {}) })),
  ])
  return { ...rest, examples: Object.fromEntries(named) }
}
