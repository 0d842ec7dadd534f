import { access, constants, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { importPackage } from '../import-package.ts'
import { bytes, count } from '../numbers.ts'
import { isPaid, openEmbedder } from '../open-embedder.ts'
import { libraryFile, openLibrary } from '../open-library.ts'
import { keyVariable, splitModelName } from '../provider-models.ts'
import { safeLine } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { describeError } from '../show-error.ts'

/** One thing that was looked at. */
interface Finding {
  readonly what: string
  /** `note`: nothing is wrong, but something is not there that could be. */
  readonly state: 'ok' | 'note' | 'problem'
  readonly detail: string
  readonly todo?: string
}

/** Looks at everything that the command depends on, and says of each whether it is in order or what to do. */
export async function doctor(session: Session): Promise<ExitCode> {
  const { say, give, paint } = session
  const findings: Finding[] = []
  for (const look of [node, sqlite, config, place, libraryState, embedder, languageModel, loaders, clock]) {
    const finding = await look(session)
    findings.push(finding)
    const mark = { ok: paint('green', '✓'), note: paint('yellow', '-'), problem: paint('red', '✗') }[finding.state]
    say(`${mark} ${finding.what.padEnd(12)} ${safeLine(finding.detail)}`)
    if (finding.todo !== undefined) say(`  ${' '.repeat(12)} ${paint('yellow', safeLine(finding.todo))}`)
  }
  const problems = findings.filter(({ state }) => state === 'problem').length
  say()
  say(problems === 0 ? 'All is in order.' : `${count(problems)} to put right.`)
  give({ ok: problems === 0, findings })
  return problems === 0 ? exitCode.ok : exitCode.failed
}

type Look = (session: Session) => Finding | Promise<Finding>

const node: Look = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNew = major > 22 || (major === 22 && minor >= 13)
  return isNew
    ? { what: 'Node', state: 'ok', detail: process.versions.node }
    : { what: 'Node', state: 'problem', detail: `${process.versions.node} is too old`, todo: 'Install Node 22.13 or newer.' }
}

const sqlite: Look = async () => {
  try {
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(':memory:')
    const { version } = database.prepare('select sqlite_version() as version').get() as { readonly version: string }
    database.close()
    return { what: 'SQLite', state: 'ok', detail: version }
  } catch (error) {
    return {
      what: 'SQLite',
      state: 'problem',
      detail: (error as Error).message,
      todo: 'Install Node 22.13 or newer, built with SQLite.',
    }
  }
}

const config: Look = ({ settings: { project } }) =>
  project.configFile === undefined
    ? { what: 'Settings', state: 'ok', detail: `defaults, no ashlar.json in ${project.folder} or above` }
    : { what: 'Settings', state: 'ok', detail: project.configFile }

const place: Look = async ({ settings }) => {
  const path = libraryFile(settings.values.library)
  if (path === undefined) return { what: 'Place', state: 'ok', detail: 'a PostgreSQL database' }
  const folder = await nearestFolder(dirname(path))
  try {
    await access(folder, constants.W_OK)
    const probe = await mkdtemp(join(folder, '.ashlar-doctor-'))
    await writeFile(join(probe, 'probe'), 'probe')
    await rm(probe, { recursive: true })
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    return free > 100e6
      ? { what: 'Place', state: 'ok', detail: `${folder} can be written, ${bytes(free)} free` }
      : {
          what: 'Place',
          state: 'problem',
          detail: `${folder} has only ${bytes(free)} free`,
          todo: 'Make room, or use another --library.',
        }
  } catch (error) {
    return {
      what: 'Place',
      state: 'problem',
      detail: `${folder} cannot be written: ${(error as Error).message}`,
      todo: 'Change who may write there, or use another --library.',
    }
  }
}

const libraryState: Look = async (session) => {
  const path = libraryFile(session.settings.values.library)
  if (path !== undefined && !(await stat(path).catch(() => undefined))?.isFile()) {
    return { what: 'Library', state: 'note', detail: 'not there yet', todo: 'ashlar add <files or folders> makes it.' }
  }
  try {
    await using library = await openLibrary(session, { embeds: false })
    const { documents, pieces, embeddings } = await library.stats()
    const used = embeddings.find(({ active }) => active)?.identity.model ?? 'no vectors'
    return { what: 'Library', state: 'ok', detail: `${count(documents)} documents, ${count(pieces)} pieces, ${used}` }
  } catch (error) {
    const { message, advice, code } = describeError(error)
    return {
      what: 'Library',
      state: 'problem',
      detail: `${message} [${code}]`,
      ...(advice === undefined ? {} : { todo: advice }),
    }
  }
}

const embedder: Look = async ({ settings, terminal }) => {
  const name = settings.values.embedder
  if (name === 'none') return { what: 'Embedder', state: 'note', detail: 'none: only words are searched' }
  try {
    if (isPaid(name)) {
      const variable = keyVariable(splitModelName(name, 'embedder').provider) ?? ''
      if ((terminal.env[variable] ?? '') === '') {
        return {
          what: 'Embedder',
          state: 'problem',
          detail: `${name}: ${variable} is not set`,
          todo: `Set ${variable} to your key.`,
        }
      }
    }
    const opened = await openEmbedder(name, settings.project.folder, {
      price: undefined,
      budget: undefined,
      signal: terminal.signal,
    })
    if (isPaid(name)) return { what: 'Embedder', state: 'ok', detail: `${name}, not called` }
    const began = performance.now()
    const { vectors } = (await opened?.embedder.embed(['a wall of dressed stone'], { as: 'document' })) ?? { vectors: [] }
    for (const one of opened?.closes ?? []) await one[Symbol.asyncDispose]()
    const milliseconds = (performance.now() - began).toFixed(1)
    return { what: 'Embedder', state: 'ok', detail: `${name}, ${vectors[0]?.length} numbers, a text in ${milliseconds} ms` }
  } catch (error) {
    const { message, advice } = describeError(error)
    return { what: 'Embedder', state: 'problem', detail: message, ...(advice === undefined ? {} : { todo: advice }) }
  }
}

const languageModel: Look = async ({ settings, terminal }) => {
  const name = settings.values.model
  if (name === undefined)
    return { what: 'Model', state: 'note', detail: 'none: ask shows the evidence', todo: 'For answers: ashlar ask --help' }
  try {
    const { provider } = splitModelName(name, 'model')
    const variable = keyVariable(provider) ?? ''
    if ((terminal.env[variable] ?? '') === '') {
      return { what: 'Model', state: 'problem', detail: `${name}: ${variable} is not set`, todo: `Set ${variable} to your key.` }
    }
    return { what: 'Model', state: 'ok', detail: `${name}, not called` }
  } catch (error) {
    const { message, advice } = describeError(error)
    return { what: 'Model', state: 'problem', detail: message, ...(advice === undefined ? {} : { todo: advice }) }
  }
}

const loaders: Look = async ({ settings }) => {
  const missing: string[] = []
  for (const name of ['parse5', 'unpdf', 'pg']) {
    await importPackage(name, settings.project.folder, name).catch(() => missing.push(name))
  }
  return missing.length === 0
    ? { what: 'Formats', state: 'ok', detail: 'text, markdown, HTML, PDF, DOCX, XLSX, CSV, JSON, notebooks' }
    : { what: 'Formats', state: 'problem', detail: `missing: ${missing.join(', ')}`, todo: `npm install ${missing.join(' ')}` }
}

const clock: Look = ({ terminal }) => {
  const year = new Date(terminal.now()).getUTCFullYear()
  return year >= 2025 && year < 2100
    ? { what: 'Clock', state: 'ok', detail: new Date(terminal.now()).toISOString() }
    : {
        what: 'Clock',
        state: 'problem',
        detail: `says it is ${year}`,
        todo: 'Set the clock: certificates and modification times depend on it.',
      }
}

async function nearestFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() === true || dirname(folder) === folder ? folder : nearestFolder(dirname(folder))
}
