import { Interrupted } from '../src/interrupted.ts'
import { onlyColours } from '../src/safe-text.ts'
import type { Output, Terminal } from '../src/terminal.ts'

export interface FakeTerminalOptions {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>>
  readonly isTTY?: boolean
  readonly columns?: number
  readonly colour?: boolean
  /** What is piped in. */
  readonly input?: string | Uint8Array
  /** What the person says to a question. */
  readonly answer?: boolean
}

/** A terminal that keeps what is written to it, as the real one would show it. Its clock stands unless it is moved. */
export class FakeTerminal implements Terminal {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly out: FakeOutput
  readonly err: FakeOutput
  readonly input: Terminal['input']
  readonly questions: string[] = []
  readonly #stopping = new AbortController()
  readonly #answer: boolean
  time: number = Date.UTC(2026, 0, 1)

  constructor(options: FakeTerminalOptions) {
    const { cwd, env = {}, isTTY = false, columns = 80, colour = false, input = '', answer = false } = options
    this.cwd = cwd
    this.env = env
    this.out = new FakeOutput(isTTY, columns, colour)
    this.err = new FakeOutput(isTTY, columns, colour)
    this.#answer = answer
    const bytes = typeof input === 'string' ? new TextEncoder().encode(input) : input
    this.input = { isTTY, read: async () => bytes }
  }

  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    this.#stopping.abort(new Interrupted())
  }

  now(): number {
    return this.time
  }

  async confirm(question: string): Promise<boolean> {
    this.questions.push(question)
    return this.#answer
  }
}

class FakeOutput implements Output {
  readonly isTTY: boolean
  readonly columns: number
  readonly colour: boolean
  /** Everything that was written, and every state of the line that was replaced. */
  text = ''
  readonly lines: string[] = []

  constructor(isTTY: boolean, columns: number, colour: boolean) {
    this.isTTY = isTTY
    this.columns = columns
    this.colour = colour
  }

  write(text: string): void {
    this.text += this.isTTY ? onlyColours(text) : text
  }

  rewrite(line: string): void {
    this.lines.push(line)
  }
}
