/** Something that the person can put right: what happened, and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly todo: string
  readonly code: string

  constructor(message: string, todo: string, code: 'USAGE' | 'FAILED' = 'FAILED') {
    super(message)
    this.todo = todo
    this.code = code
  }
}
