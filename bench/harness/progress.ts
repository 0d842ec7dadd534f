/** Says on stderr how far a bench has come; results go to stdout, so the two never mix. */
export interface Progress {
  /** Names what runs now; `done` of `total` draws a bar on a terminal. */
  step(label: string, done?: number, total?: number): void
  /** Leaves the line clean for what is printed next. */
  end(): void
}

const width = 24

/** On a terminal one line that is redrawn; in a log a line for each tenth of the way and no control codes. */
export function openProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  const terminal = stream.isTTY === true
  let lastLogged = ''
  return {
    step(label, done, total) {
      if (terminal) stream.write(`\r\u001b[K${draw(label, done, total, (stream.columns ?? 100) - 1)}`)
      else {
        const line = done === undefined || !total ? label : `${Math.floor((done / total) * 10) * 10} %`
        if (line !== lastLogged) stream.write(`${done === undefined ? label : `${line}  ${label}`}\n`)
        lastLogged = line
      }
    },
    end() {
      if (terminal) stream.write('\r\u001b[K')
    },
  }
}

function draw(label: string, done: number | undefined, total: number | undefined, columns: number): string {
  if (done === undefined || !total) return label.slice(0, columns)
  const filled = Math.round((done / total) * width)
  return `[${'='.repeat(filled)}${' '.repeat(width - filled)}] ${done}/${total} ${label}`.slice(0, columns)
}
