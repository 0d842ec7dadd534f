/** Lets work on one thing take turns, first come, first served. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
