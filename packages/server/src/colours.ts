import type { Output } from './terminal.ts'

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

type Colour = keyof typeof codes

/** Gives text a colour where the output shows colours, and leaves it alone elsewhere. */
export type Paint = (colour: Colour, text: string) => string

export function paintOf({ colour }: Pick<Output, 'colour'>): Paint {
  if (!colour) return (_, text) => text
  return (name, text) => {
    const [on, off] = codes[name]
    return text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`
  }
}

/**
 * Whether an output gets colours: not with `NO_COLOR`, always with `FORCE_COLOR`, else where a person looks at it.
 *
 * An empty variable is one that is not set; `FORCE_COLOR=0` is a no.
 */
export function wantsColour(isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: term = '' } = env
  if (no !== '') return false
  if (force !== '') return force !== '0' && force !== 'false'
  return isTTY && term !== 'dumb'
}
