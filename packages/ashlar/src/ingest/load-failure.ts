import { AshlarError } from '../error/ashlar-error.ts'

/** The file is of no kind that is read: `what` says what it seems to be. */
export function unsupportedFile(name: string, what: string): AshlarError {
  return new AshlarError('UNSUPPORTED_FILE', `${shown(name)} cannot be read: it is ${what}.`, { details: { name, kind: what } })
}

/** The file is of a kind that is read and is broken. */
export function damagedFile(name: string, why: string, cause?: unknown): AshlarError {
  return new AshlarError('DAMAGED_FILE', `${shown(name)} is damaged: ${why}.`, { details: { name }, cause })
}

/** The file can only be opened with a password. */
export function encryptedFile(name: string, cause?: unknown): AshlarError {
  return new AshlarError('ENCRYPTED_FILE', `${shown(name)} is protected by a password. Save it without one and add it again.`, {
    details: { name },
    cause,
  })
}

/** The file has more of something than the limits allow. */
export function tooLargeFile(name: string, what: string, limit: number): AshlarError {
  return new AshlarError('FILE_TOO_LARGE', `${shown(name)} has more than ${limit} ${what}. Raise the limit if it is meant to.`, {
    details: { name, what, limit },
  })
}

function shown(name: string): string {
  return JSON.stringify(name.length > 120 ? `${name.slice(0, 60)}…${name.slice(-50)}` : name).toWellFormed()
}
