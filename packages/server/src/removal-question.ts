import type { MayRemove } from 'ashlar/ingest'
import { CommandError } from './command-error.ts'
import { count, counted } from './numbers.ts'
import type { Session } from './session.ts'

/** More than this many documents, and more than this share of all, are not removed unasked: a folder may not be mounted. */
const most = { documents: 10, share: 0.2 }

/** Asks before a sync removes much of what there was; where nobody can be asked, all of it stays. */
export class RemovalQuestion {
  readonly #session: Session
  readonly #beforeAsking: () => void
  /** There where documents stayed because nobody could be asked. */
  refusal: CommandError | undefined

  constructor(session: Session, beforeAsking: () => void) {
    this.#session = session
    this.#beforeAsking = beforeAsking
  }

  readonly mayRemove: MayRemove = async (gone, of) => {
    const { terminal, yes } = this.#session
    if (yes || gone <= most.documents || gone <= of * most.share) return true
    const sentence = `${count(gone)} of ${counted(of, 'document')} are not in the folder any more.`
    if (terminal.input.isTTY && terminal.err.isTTY) {
      this.#beforeAsking()
      return terminal.confirm(`${sentence} Remove them from the library?`)
    }
    this.refusal = new CommandError(
      `${sentence} Nobody is there to say whether to remove them, so they stay.`,
      'Check the folder. To remove them, run it again with --yes; to keep them, with --no-remove.',
    )
    return false
  }
}
