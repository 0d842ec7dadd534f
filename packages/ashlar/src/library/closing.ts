/**
 * Closes what was opened, the last first, also when one of them fails; the first failure is thrown at the end.
 *
 * What `AsyncDisposableStack` is, which Node 22 and some browsers do not have.
 */
export class Closing implements AsyncDisposable {
  #closes: (() => unknown)[] = []

  /** Takes something that is to be closed, and gives it back. */
  use<Thing extends AsyncDisposable | Disposable>(thing: Thing): Thing {
    this.defer(() => (Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose]()))
    return thing
  }

  /** Takes a call that closes something. */
  defer(close: () => unknown): void {
    this.#closes.push(close)
  }

  /** Hands everything over to another one: this one closes nothing any more. */
  move(): Closing {
    const other = new Closing()
    other.#closes = this.#closes
    this.#closes = []
    return other
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: unknown[] = []
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
