/**
 * A process that writes to a SQLite store until it is killed or done: `node sqlite-writer-process.ts <file> <log> <name> <operations>`.
 *
 * Its log says what it is about to do and what has been reported as done, a line each.
 */
import { appendFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { letterDocument } from './letter-vectors.ts'

/** The documents that each process writes. */
export const documentsOfProcess = 5

/** A line of the log: version 0 is a removal. */
export interface LogLine {
  readonly is: 'begun' | 'done'
  readonly id: string
  readonly version: number
}

/** The text of a version: its words are found nowhere else. Each changes some paragraphs and leaves the others. */
export function versionText(id: string, version: number): string {
  const paragraphs = Array.from({ length: 12 }, (_, at) => {
    const changed = version - ((version + at) % 4)
    return `Paragraph ${at} of ${id} tells about stone and slate, mark${id}x${at}x${changed}.`
  })
  return `${paragraphs.join('\n\n')}\n\nThis is version${id}x${version}.`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [path, log, name, operations] = process.argv.slice(2) as [string, string, string, string]
  const store = await sqliteStore(path, { workspace: 'shared', fields: { version: 'number' } })
  const say = (line: LogLine): void => appendFileSync(log, `${JSON.stringify(line)}\n`)
  for (let version = 1; version <= Number(operations); version++) {
    const id = `${name}${version % documentsOfProcess}`
    const isRemoval = version % 7 === 0
    const line = { id, version: isRemoval ? 0 : version }
    say({ is: 'begun', ...line })
    if (isRemoval) await store.remove([id])
    else await store.put([letterDocument(id, versionText(id, version), { version })])
    say({ is: 'done', ...line })
  }
  await store.close()
}
