import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CommandError } from '../command-error.ts'
import { configName } from '../config-file.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import type { Session } from '../session.ts'
import { askInit, type InitAnswers } from './init-questions.ts'

export interface InitOptions {
  readonly force?: boolean
}

/**
 * Writes an `ashlar.json`: what the flags say, and where a person is there, what they answer. Only what is not the default is written, so
 * that the file stays short.
 */
export async function init(folder: string | undefined, { force = false }: InitOptions, session: Session): Promise<ExitCode> {
  const { terminal, settings, yes, json, say, give, paint } = session
  const home = resolve(terminal.cwd, folder ?? '.')
  const path = join(home, configName)
  if (!force && (await isThere(path))) {
    throw new CommandError(`${path} is there already.`, 'Edit it, or write it anew with: ashlar init --force')
  }
  const given = flagsGiven(session)
  const asks = !yes && !json && terminal.input.isTTY && terminal.err.isTTY
  const answers: InitAnswers = asks ? { ...(await askInit(settings.values)), ...given } : given
  const config = Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined))
  try {
    await writeFile(path, `${JSON.stringify(config, undefined, 2)}\n`)
  } catch (cause) {
    throw new CommandError(`${path} cannot be written: ${(cause as Error).message}.`, 'Check the folder and who may write there.')
  }
  say(`${paint('green', '✓')} Wrote ${path}`)
  say()
  say('Next:')
  say(`  ${paint('cyan', 'ashlar sync')}                  reads the folder and keeps the library in step with it`)
  say(`  ${paint('cyan', 'ashlar search "a question"')}   finds the passage`)
  give({ path, config })
  return exitCode.ok
}

/** Only what was said on the command line: the environment and other files are no part of this one. */
function flagsGiven({ settings: { values, origins } }: Session): InitAnswers {
  const names = Object.keys(values) as (keyof typeof values)[]
  return Object.fromEntries(names.filter((name) => origins[name].startsWith('--')).map((name) => [name, values[name]]))
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
