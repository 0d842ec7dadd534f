import { spawn } from '@lydell/node-pty'
import headless from '@xterm/headless'
import { bin, plainEnvironment } from './run-bin.ts'

export interface ScreenOptions {
  readonly cwd: string
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/**
 * The built command in a real pseudo-terminal, drawn by a real terminal emulator: what a person would see.
 */
export class Screen implements AsyncDisposable {
  readonly #terminal: InstanceType<typeof headless.Terminal>
  readonly #process: ReturnType<typeof spawn>
  readonly #ended: Promise<number>
  #written: Promise<void> = Promise.resolve()
  /** Everything the process wrote. */
  raw = ''

  constructor(args: readonly string[], { cwd, columns = 80, rows = 40, env = {} }: ScreenOptions) {
    this.#terminal = new headless.Terminal({ cols: columns, rows, scrollback: 1_000, allowProposedApi: true })
    this.#process = spawn(process.execPath, [bin, ...args], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd,
      env: { ...plainEnvironment, TERM: 'xterm-256color', ...env },
    })
    this.#process.onData((text) => {
      this.raw += text
      this.#written = new Promise((resolve) => this.#terminal.write(text, resolve))
    })
    this.#ended = new Promise((resolve) => this.#process.onExit(({ exitCode }) => resolve(exitCode)))
  }

  /** Presses keys. */
  type(keys: string): void {
    this.#process.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
    this.#process.resize(columns, rows)
  }

  /** The process's exit code, when all that it wrote is on the screen. */
  async ended(): Promise<number> {
    const exit = await this.#ended
    await new Promise((resolve) => setTimeout(resolve, 50))
    await this.#written
    return exit
  }

  /** Waits until the screen shows something. */
  async shows(text: string | RegExp): Promise<void> {
    for (let at = 0; at < 600; at++) {
      const screen = this.text()
      if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`The screen never showed ${String(text)}; it shows:\n${this.text()}`)
  }

  /** The lines of the screen, scrolled ones included, without the spaces at their ends. */
  text(): string {
    const { active } = this.#terminal.buffer
    const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '')
    return `${lines.join('\n').trimEnd()}\n`
  }

  /** Whether some text on the screen has a colour or weight of its own. */
  isStyled(text: string): boolean {
    const { active } = this.#terminal.buffer
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row)
      const at = line?.translateToString().indexOf(text) ?? -1
      if (at >= 0) {
        const cell = line?.getCell(at)
        return cell !== undefined && (!cell.isFgDefault() || cell.isBold() !== 0)
      }
    }
    return false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
    this.#terminal.dispose()
  }
}
