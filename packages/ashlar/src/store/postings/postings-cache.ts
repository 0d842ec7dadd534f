/** What was read of segments, kept between transactions under a limit of bytes. */
export class PostingsCache {
  readonly limit: number

  constructor(limit: number = 64_000_000) {
    this.limit = limit
  }
}
