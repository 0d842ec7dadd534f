import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { bytes, count } from '../numbers.ts'
import { libraryFile, openLibrary } from '../open-library.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'

/** Says what the library holds and where each setting comes from. */
export async function status(session: Session): Promise<ExitCode> {
  const { settings, say, give, paint, terminal } = session
  const { values, origins, project } = settings
  const path = libraryFile(values.library)
  const size = path === undefined ? undefined : await sizeOf(path)
  const isThere = path === undefined || size !== undefined
  const stats = isThere ? await readStats(session) : undefined
  const place = path === undefined ? withoutPassword(values.library) : shown(path, terminal.cwd)
  say(`${paint('bold', 'Library')}  ${paint('cyan', safeLine(place))}${size === undefined ? '' : `  ${bytes(size)}`}`)
  if (stats === undefined) say('  not there yet: ashlar add <files or folders> makes it')
  else {
    say(`  documents   ${count(stats.documents)}`)
    say(`  pieces      ${count(stats.pieces)}`)
    say(`  characters  ${count(stats.characters)}`)
    for (const { identity, active, children } of stats.embeddings) {
      say(
        `  vectors     ${safeLine(identity.model)}, ${identity.dimensions} numbers, for ${count(children)} pieces${active ? '' : paint('dim', ' (not searched)')}`,
      )
    }
  }
  say()
  say(`${paint('bold', 'Settings')}  project ${paint('cyan', safeLine(shown(project.folder, terminal.cwd)))}`)
  const settingsList = Object.entries(values).map(([name, value]) => ({
    name,
    value: name === 'library' ? place : value,
    from: origins[name as keyof typeof origins],
  }))
  for (const { name, value, from } of settingsList) {
    const text = value === undefined ? '-' : typeof value === 'string' ? value : JSON.stringify(value)
    say(`  ${name.padEnd(10)}  ${safeLine(text)}  ${paint('dim', from === project.configFile ? 'ashlar.json' : from)}`)
  }
  give({
    library: place,
    exists: isThere,
    bytes: size ?? null,
    stats: stats ?? null,
    project: project.folder,
    configFile: project.configFile ?? null,
    settings: Object.fromEntries(settingsList.map(({ name, value, from }) => [name, { value: value ?? null, from }])),
  })
  return exitCode.ok
}

async function readStats(session: Session) {
  await using library = await openLibrary(session, { embeds: false })
  return await library.stats({ signal: session.terminal.signal })
}

function shown(path: string, cwd: string): string {
  const way = relative(cwd, path)
  return way === '' ? '.' : way.startsWith('..') ? path : way
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:/@]+):[^@]*@/, '$1:…@')
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch {
    return undefined
  }
}
