/** What `Terminal.signal` is aborted with when the person presses Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('Interrupted.')
  }
}
