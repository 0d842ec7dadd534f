import { CommandError } from './command-error.ts'

interface SettingKind {
  /** Checks a value that a flag, a variable or a file gave. */
  read(value: unknown, from: string): unknown
  /** Makes of the text of an environment variable what a file would hold. */
  readonly fromText?: (text: string) => unknown
  readonly fallback: unknown
  readonly isPath?: boolean
}

const text: SettingKind['read'] = (value, from) => {
  if (typeof value === 'string' && value !== '') return value
  throw wrong(from, 'a text that is not empty', value)
}

const texts: SettingKind['read'] = (value, from) => {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw wrong(from, 'a list of texts', value)
}

const yesOrNo: SettingKind['read'] = (value, from) => {
  if (typeof value === 'boolean') return value
  throw wrong(from, 'true or false', value)
}

const amount: SettingKind['read'] = (value, from) => {
  const number = typeof value === 'string' ? Number(value) : value
  if (typeof number === 'number' && number >= 0 && Number.isFinite(number)) return number
  throw wrong(from, 'a number of at least 0', value)
}

/** `0.02`, `0.15,0.60`, or an object: prices for reading and writing a million tokens. */
const price: SettingKind['read'] = (value, from) => {
  const given = typeof value === 'number' ? { input: value } : value
  if (typeof given === 'string') {
    const [input, output] = given.split(',')
    return price({ input: Number(input), ...(output === undefined ? {} : { output: Number(output) }) }, from)
  }
  const { input, output = 0, ...rest } = (given ?? {}) as Record<string, unknown>
  if (isAmount(input) && isAmount(output) && Object.keys(rest).length === 0) return { input, output }
  throw wrong(from, 'what a million tokens cost, as 0.02 or, with those that are written, 0.15,0.60', value)
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}

const fieldTypes = ['string', 'number', 'boolean']

const fields: SettingKind['read'] = (value, from) => {
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : [undefined]
  if (given.every((type) => fieldTypes.includes(type as string))) return value
  throw wrong(from, `an object such as { "year": "number" }; types are ${fieldTypes.join(', ')}`, value)
}

const list = (text: string): string[] => text.split(',').filter((one) => one !== '')
const bool = (text: string): unknown => ({ true: true, '1': true, false: false, '0': false })[text.toLowerCase()] ?? text

/** How each setting is read. The names are those of the config file; flags and environment variables are made of them. */
export const settingKinds: Readonly<Record<string, SettingKind>> = {
  library: { read: text, fallback: '.ashlar/library.db', isPath: true },
  workspace: { read: text, fallback: 'default' },
  embedder: { read: text, fallback: 'potion' },
  model: { read: text, fallback: undefined },
  folder: { read: text, fallback: '.', isPath: true },
  include: { read: texts, fromText: list, fallback: [] },
  exclude: { read: texts, fromText: list, fallback: ['**/node_modules'] },
  gitignore: { read: yesOrNo, fromText: bool, fallback: true },
  hidden: { read: yesOrNo, fromText: bool, fallback: false },
  price: { read: price, fallback: undefined },
  budget: { read: amount, fallback: undefined },
  fields: { read: fields, fromText: (given) => JSON.parse(given) as unknown, fallback: {} },
}

function wrong(from: string, wanted: string, value: unknown): CommandError {
  return new CommandError(`${from} must be ${wanted}, not ${JSON.stringify(value)}.`, 'Correct it and try again.', 'USAGE')
}
