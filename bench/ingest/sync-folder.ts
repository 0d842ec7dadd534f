import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What syncing a folder took. */
export interface SyncedFolder {
  readonly milliseconds: number
  /** Resident memory in MB, about ten times a second, and at its highest. */
  readonly memory: readonly number[]
  readonly most: number
  readonly documents: number
  readonly bytes: number
  readonly children: number
  readonly failed: number
  readonly failures: readonly { readonly message: string }[]
}

/** Has a process of its own sync a folder into a new library, started as a user starts Node. */
export function syncFolder(folder: string, file: string, onBytes: (done: number) => void): Promise<SyncedFolder> {
  const child = fork(fileURLToPath(new URL('./sync-folder.mjs', import.meta.url)), [folder, file], { execArgv: [] })
  return new Promise((resolve, reject) => {
    let synced: SyncedFolder | undefined
    child.on('message', (message: SyncedFolder | { readonly done: number }) => {
      if ('done' in message) onBytes(message.done)
      else synced = message
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (synced === undefined || code !== 0) reject(new Error(`The sync ended with ${signal ?? `code ${code}`}.`))
      else if (synced.failed > 0) reject(new Error(`${synced.failed} files failed: ${synced.failures[0]?.message}`))
      else resolve(synced)
    })
  })
}
