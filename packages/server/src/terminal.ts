/** Where a command writes. */
export interface Output {
  write(text: string): void
  /** Replaces the line that the cursor is in; only where a person looks at it. */
  rewrite(line: string): void
  readonly isTTY: boolean
  /** Columns of the window now; 80 where there is none. */
  readonly columns: number
  readonly colour: boolean
}

/** Everything that a command sees of the world around it: handed to it, so that a test can be that world. */
export interface Terminal {
  /** What was asked for. */
  readonly out: Output
  /** Everything else: progress, questions, errors. */
  readonly err: Output
  readonly input: {
    readonly isTTY: boolean
    /** All of it. */
    read(): Promise<Uint8Array>
  }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Aborted when the person presses Ctrl-C. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Puts a question to the person; false where nobody can answer. */
  confirm(question: string): Promise<boolean>
}
