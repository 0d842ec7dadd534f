import { type Paint, paintOf } from './colours.ts'
import type { Settings } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** What every command is given besides its own arguments and options. */
export interface Session {
  readonly terminal: Terminal
  readonly settings: Settings
  /** One JSON document on standard output instead of text. */
  readonly json: boolean
  /** No progress. */
  readonly quiet: boolean
  /** Yes to every question. */
  readonly yes: boolean
  readonly paint: Paint
  /** A line for the person who reads the output; left out with `json`. */
  say(line?: string): void
  /** A line beside the output, such as a note or a warning; left out with `quiet`. */
  note(line: string): void
  /** What the command gives with `json`. */
  give(value: unknown): void
}

export function createSession(
  terminal: Terminal,
  settings: Settings,
  { json = false, quiet = false, yes = false }: { readonly json?: boolean; readonly quiet?: boolean; readonly yes?: boolean },
): Session {
  return {
    terminal,
    settings,
    json,
    quiet,
    yes,
    paint: paintOf(terminal.out),
    say(line = '') {
      if (!json) terminal.out.write(`${line}\n`)
    },
    note(line) {
      if (!quiet) terminal.err.write(`${line}\n`)
    },
    give(value) {
      if (json) terminal.out.write(`${jsonText(value)}\n`)
    },
  }
}

/** JSON without any character that a terminal would obey. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
