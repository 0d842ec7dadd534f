import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Whether somebody is in a transaction that writes to a SQLite file: then nobody else can begin one. */
export function sqliteIsWriting(path: string): boolean {
  if (!existsSync(path)) return false
  const database = new DatabaseSync(path, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch (error) {
    if (((error as { readonly errcode?: number }).errcode ?? 0) % 256 === 5) return true
    throw error
  } finally {
    database.close()
  }
}
