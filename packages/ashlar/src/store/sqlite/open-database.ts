import { AshlarError } from '../../error/ashlar-error.ts'
import { Connection } from './connection.ts'
import { patiently } from './patiently.ts'
import { applicationId, migrationSql, migrations } from './schema.ts'

/** How the file is opened. */
export interface DatabaseOptions {
  readonly path: string
  readonly synchronous: 'FULL' | 'NORMAL'
  /** Milliseconds to wait for others. */
  readonly timeout: number
  /** What leads from each version to the next; the version of a file is in its `user_version`. @default those of this library */
  readonly migrations?: readonly string[]
}

/**
 * Opens the connection that writes, makes the file where there is none, and brings an older one to the current schema.
 *
 * @throws AshlarError `MISSING_PACKAGE`, `INVALID_OPTION` if the file is another kind of database, `DAMAGED_STORE` if it is too new.
 */
export async function openWriter(options: DatabaseOptions): Promise<Connection> {
  const connection = connect(options.path)
  try {
    await patiently(() => checkFile(connection, options), options.timeout)
    // The first two have to be said before the file has its first page.
    const mode = 'PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL'
    await patiently(() => connection.exec(mode), options.timeout)
    await patiently(() => configure(connection, options, rooms.writer), options.timeout)
    await patiently(() => migrate(connection, options), options.timeout)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Opens a connection that reads. */
export async function openReader(options: DatabaseOptions): Promise<Connection> {
  const connection = connect(options.path)
  try {
    await patiently(() => configure(connection, options, rooms.reader), options.timeout)
    connection.exec('PRAGMA query_only = ON')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** The version of the file's schema. The first statement of a transaction: from here on it sees one moment. */
export function checkVersion(connection: Connection, options: DatabaseOptions): void {
  const version = connection.get('PRAGMA user_version')?.['user_version']
  if (version !== stepsOf(options).length) throw tooNew(options, version)
}

function stepsOf(options: DatabaseOptions): readonly string[] {
  return options.migrations ?? migrations
}

function connect(path: string): Connection {
  const sqlite = process.getBuiltinModule('node:sqlite')
  if (sqlite === undefined)
    throw new AshlarError('MISSING_PACKAGE', 'sqliteStore needs node:sqlite, which Node has from version 22.13 on.', {
      details: { node: process.version },
    })
  try {
    return new Connection(new sqlite.DatabaseSync(path))
  } catch (error) {
    throw new AshlarError('STORE_FAILED', `${path} cannot be opened: ${(error as Error).message}`, {
      details: { path },
      cause: error,
    })
  }
}

/**
 * Bytes of the file that a connection maps, and kilobytes of pages that it keeps. A writer maps none: while much is written it would go
 * through all of the file, and what it had mapped would count as memory of the process. It keeps few: what it writes lies together.
 */
const rooms = {
  reader: { mapped: 1_073_741_824, kept: 16_000 },
  writer: { mapped: 0, kept: 4_000 },
}

function configure(
  connection: Connection,
  { synchronous }: DatabaseOptions,
  { mapped, kept }: { readonly mapped: number; readonly kept: number },
): void {
  // What is deleted is overwritten with zeros, and what is sorted stays out of other files. This process waits without standing still.
  connection.exec(`
    PRAGMA busy_timeout = 0;
    PRAGMA synchronous = ${synchronous};
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA trusted_schema = OFF;
    PRAGMA cache_size = -${kept};
    PRAGMA mmap_size = ${mapped};
    PRAGMA journal_size_limit = 67108864;
  `)
}

function checkFile(connection: Connection, options: DatabaseOptions): number {
  const { path } = options
  let found: { readonly application: unknown; readonly version: number; readonly isEmpty: boolean }
  try {
    found = {
      application: connection.get('PRAGMA application_id')?.['application_id'],
      version: connection.get('PRAGMA user_version')?.['user_version'] as number,
      isEmpty: connection.get('SELECT 1 FROM sqlite_schema LIMIT 1') === undefined,
    }
  } catch (error) {
    if ((error as { readonly errcode?: unknown }).errcode !== 26) throw error
    throw new AshlarError('INVALID_OPTION', `${path} is not a database: take another file.`, { details: { path }, cause: error })
  }
  if (found.application === applicationId && found.version > stepsOf(options).length) throw tooNew(options, found.version)
  if (found.application === applicationId) return found.version
  if (found.isEmpty) return 0
  throw new AshlarError('INVALID_OPTION', `${path} is a database of something else: take another file.`, { details: { path } })
}

function migrate(connection: Connection, options: DatabaseOptions): void {
  const steps = stepsOf(options)
  if (checkFile(connection, options) === steps.length) return
  connection.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have been faster.
    const version = checkFile(connection, options)
    if (version < steps.length) connection.exec(migrationSql(steps, version))
    connection.exec('COMMIT')
  } catch (error) {
    rollBack(connection)
    throw error
  }
}

/** Ends a transaction that failed. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK')
  } catch {
    // SQLite had ended it itself.
  }
}

function tooNew(options: DatabaseOptions, version: unknown): AshlarError {
  const { path } = options
  return new AshlarError(
    'DAMAGED_STORE',
    `${path} has version ${String(version)} of the schema and this library knows versions up to ${stepsOf(options).length}: open it with the one that wrote it, or a newer one.`,
    { details: { path, version } },
  )
}
