import { CommanderError } from 'commander'
import { paintOf } from './colours.ts'
import { CommandError } from './command-error.ts'
import { type ExitCode, exitCode } from './exit-code.ts'
import { Interrupted } from './interrupted.ts'
import { createProgram, type Outcome } from './program.ts'
import { jsonText } from './session.ts'
import { describeError, showError } from './show-error.ts'
import type { Terminal } from './terminal.ts'

/** Runs the command line and says what the process should end with. Never throws. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const outcome: Outcome = { exit: exitCode.ok }
  try {
    const program = createProgram(terminal, outcome)
    if (args.length === 0) program.outputHelp()
    else await program.parseAsync(args, { from: 'user' })
    return outcome.exit
  } catch (error) {
    return failed(error, args, terminal)
  }
}

function failed(error: unknown, args: readonly string[], terminal: Terminal): ExitCode {
  const { out, err, signal } = terminal
  // Commander has said itself what was wrong, or has shown what was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  if (error instanceof Interrupted || (signal.aborted && error === signal.reason)) {
    err.write('Stopped. What was stored stays; the same command goes on from there.\n')
    return exitCode.interrupted
  }
  err.write(`${showError(error, paintOf(err), args.includes('--debug'))}\n`)
  if (args.includes('--json')) out.write(`${jsonText({ error: describeError(error) })}\n`)
  return error instanceof CommandError && error.code === 'USAGE' ? exitCode.usage : exitCode.failed
}
