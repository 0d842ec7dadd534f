import { type ExitCode, exitCode } from '../exit-code.ts'
import { count, counted, duration } from '../numbers.ts'
import { openLibrary } from '../open-library.ts'
import { Progress } from '../progress.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'

export interface VerifyCommandOptions {
  readonly sample: number
}

/** Checks everything that is stored, and says what is not as it should be. */
export async function verify({ sample }: VerifyCommandOptions, session: Session): Promise<ExitCode> {
  const { terminal, say, give, paint } = session
  const { signal } = terminal
  await using library = await openLibrary(session, { embeds: false })
  const { documents } = await library.stats({ signal })
  using progress = new Progress(session, 'Verifying')
  const began = terminal.now()
  const report = await library.verify({
    signal,
    search: sample,
    onProgress: (done) => {
      const perSecond = done / Math.max(0.001, (terminal.now() - began) / 1000)
      progress.show({ done, of: documents, unit: 'documents', perSecond, secondsLeft: (documents - done) / perSecond })
    },
  })
  progress.clear()
  const { byWords, byVector } = report.searched
  const looked = `${counted(report.documents, 'document')}, ${counted(report.children, 'piece')}, ${count(byWords + byVector)} searches, ${duration(report.milliseconds)}`
  if (report.ok) say(`${paint('green', '✓')} All is as it should be: ${looked}`)
  else {
    say(`${paint('red', '✗')} ${counted(report.problems.length, 'problem')}: ${looked}`)
    for (const { document, child, what, message } of report.problems.slice(0, 20)) {
      say(`  ${paint('bold', safeLine(document))}${child === undefined ? '' : ` ${safeLine(child)}`} (${what})`)
      say(`    ${safeLine(message)}`)
    }
    if (report.problems.length > 20) say(`  and ${count(report.problems.length - 20)} more; --json names them all`)
    say('Adding the documents again mends what is broken: ashlar sync, or ashlar add.')
  }
  give(report)
  return report.ok ? exitCode.ok : exitCode.failed
}
