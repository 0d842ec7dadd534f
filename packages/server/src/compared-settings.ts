import type { Configuration } from 'ashlar/evaluation'
import { treePresets } from 'ashlar/tree'
import { CommandError } from './command-error.ts'
import { comparedSettings } from './compared-help.ts'
import { nearestName } from './nearest-name.ts'

/** Settings of a search: they need no other index. */
const searchSettings: ReadonlySet<string> = new Set(['expand', 'documents'])

/** Whether documents have to be cut and indexed again to compare these. */
export function changesIndex(chosen: readonly ChosenSettings[]): boolean {
  return chosen.some((settings) => Object.keys(settings).some((name) => !searchSettings.has(name)))
}

/** Values of one configuration, by setting. */
export type ChosenSettings = Readonly<Record<string, string>>

/**
 * Reads `size=300,800 expand=parent`: the first values of all settings together are the first configuration, the second ones the second,
 * and so on. A setting with one value has it in all of them.
 *
 * @throws CommandError where that makes no sense.
 */
export function readCompared(given: readonly string[]): readonly ChosenSettings[] {
  const lists = given.map((text): readonly [string, readonly string[]] => {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const values = equals < 0 ? [] : text.slice(equals + 1).split(',')
    if (!Object.hasOwn(comparedSettings, name)) {
      const near = nearestName(name, Object.keys(comparedSettings))
      throw wrong(`There is no setting called ${name}.`, near === undefined ? known() : `Did you mean ${near}? ${known()}`)
    }
    if (values.length === 0 || values.includes('')) throw wrong(`${name} has no values.`, `Write it as ${name}=<first>,<second>.`)
    return [name, values]
  })
  const count = Math.max(1, ...lists.map(([, values]) => values.length))
  const uneven = lists.find(([, values]) => values.length !== 1 && values.length !== count)
  if (uneven !== undefined) {
    throw wrong(
      `${uneven[0]} has ${uneven[1].length} values and another setting has ${count}.`,
      'Give each setting one value, or as many as the others have.',
    )
  }
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(lists.map(([name, values]) => [name, (values.length === 1 ? values[0] : values[at]) as string])),
  )
}

/** What a configuration is called: what sets it apart from the others. */
export function nameOf(settings: ChosenSettings, all: readonly ChosenSettings[]): string {
  const pairs = Object.entries(settings)
  const own = pairs.filter(([name, value]) => all.some((other) => other[name] !== value))
  const named = own.length > 0 ? own : pairs
  return named.length === 0 ? 'as it is' : named.map(([name, value]) => `${name}=${value}`).join(' ')
}

/** A configuration from its settings, with models that were opened for it. */
export function configurationOf(
  settings: ChosenSettings,
  name: string,
  { embedder, enrich }: Pick<Configuration, 'embedder' | 'enrich'>,
): Configuration {
  const tree = treeOf(settings)
  const expand = oneOf(settings, 'expand', ['child', 'parent', 'segment'] as const)
  const documents = isOn(settings, 'documents')
  const semantic = isOn(settings, 'semantic')
  if (semantic === true && embedder === undefined)
    throw wrong('Topics cannot be told apart without an embedder.', 'Leave out semantic=on, or choose an embedder.')
  const isEnriched = isOn(settings, 'enrich')
  if (isEnriched === true && enrich === undefined)
    throw wrong('enrich=on needs a language model.', 'Name one: --model <provider>:<model>')
  return {
    name,
    ...(tree === undefined ? {} : { tree }),
    ...(embedder === undefined ? {} : { embedder }),
    ...(isOn(settings, 'tokens') === false ? { late: false } : {}),
    ...(semantic === true ? { semantic } : {}),
    ...(isOn(settings, 'headings') === false ? { headings: false } : {}),
    ...(isEnriched && enrich !== undefined ? { enrich } : {}),
    search: { ...(expand === undefined ? {} : { expand }), ...(documents === undefined ? {} : { documents }) },
  }
}

function treeOf(settings: ChosenSettings): Configuration['tree'] {
  const preset = oneOf(settings, 'preset', ['precise', 'specification'] as const)
  const size = wholeNumber(settings, 'size')
  const { child, parent, section } = treePresets.precise
  const scaled =
    size === undefined
      ? {}
      : { child: size, parent: Math.round((size * parent) / child), section: Math.round((size * section) / child) }
  const own = Object.fromEntries(
    ['child', 'parent', 'section', 'overlap'].flatMap((name) => {
      const value = wholeNumber(settings, name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  if (preset === undefined && size === undefined && Object.keys(own).length === 0) return undefined
  return { ...(preset === undefined ? {} : treePresets[preset]), ...scaled, ...own }
}

function wholeNumber(settings: ChosenSettings, name: string): number | undefined {
  const text = settings[name]
  if (text === undefined) return undefined
  const number = Number(text)
  if (Number.isSafeInteger(number) && number >= (name === 'overlap' ? 0 : 1)) return number
  throw wrong(`${name} must be a whole number, not ${text}.`, `Write it as ${name}=300,800.`)
}

function isOn(settings: ChosenSettings, name: string): boolean | undefined {
  const value = oneOf(settings, name, ['on', 'off'] as const)
  return value === undefined ? undefined : value === 'on'
}

function oneOf<Value extends string>(settings: ChosenSettings, name: string, known: readonly Value[]): Value | undefined {
  const value = settings[name]
  if (value === undefined || known.includes(value as Value)) return value as Value | undefined
  throw wrong(`${name} must be one of ${known.join(', ')}, not ${value}.`, `Write it as ${name}=${known.slice(0, 2).join(',')}.`)
}

function known(): string {
  return `Settings are ${Object.keys(comparedSettings).join(', ')}.`
}

function wrong(message: string, todo: string): CommandError {
  return new CommandError(message, todo, 'USAGE')
}
