import { confirm, isCancel } from '@clack/prompts'
import { wantsColour } from './colours.ts'
import { exitCode } from './exit-code.ts'
import { Interrupted } from './interrupted.ts'
import { onlyColours } from './safe-text.ts'
import type { Output, Terminal } from './terminal.ts'

/** The terminal that this process was started in. */
export function processTerminal(): Terminal {
  const stopping = new AbortController()
  process.on('SIGINT', () => {
    // Whoever presses it twice does not want to wait for what is under way.
    if (stopping.signal.aborted) process.exit(exitCode.interrupted)
    stopping.abort(new Interrupted())
  })
  process.on('SIGTERM', () => stopping.abort(new Interrupted()))
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read the output has read enough, as `head` does.
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCode.ok)
      throw error
    })
  }
  return {
    out: outputOf(process.stdout),
    err: outputOf(process.stderr),
    input: {
      get isTTY() {
        return process.stdin.isTTY === true
      },
      async read() {
        const parts: Buffer[] = []
        for await (const part of process.stdin) parts.push(part as Buffer)
        return Buffer.concat(parts)
      },
    },
    env: process.env,
    cwd: process.cwd(),
    signal: stopping.signal,
    now: () => Date.now(),
    async confirm(question) {
      if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false
      const answer = await confirm({ message: question, initialValue: false, output: process.stderr })
      if (isCancel(answer)) throw new Interrupted()
      return answer
    },
  }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write(text) {
      stream.write(stream.isTTY === true ? onlyColours(text) : text)
    },
    get isTTY() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.columns > 0 ? stream.columns : 80
    },
    get colour() {
      return wantsColour(stream.isTTY === true, process.env)
    },
    rewrite(line) {
      stream.write(`\r${onlyColours(line)}\u001b[K`)
    },
  }
}
