import type { ToolSchema } from './library-tool.ts'

/** A tool's input once it is known to have the fields and types of its schema. */
export type ToolInput = Readonly<Record<string, string | number | undefined>>

/**
 * Reads what a model gave as input. Models send numbers as texts and leave texts empty; both are taken as meant.
 *
 * @returns the input, or a sentence for the model that says what is wrong.
 */
export function readToolInput(given: unknown, { properties, required }: ToolSchema): ToolInput | string {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'The input must be an object.'
  const input: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, name))
      return `There is no field ${JSON.stringify(name.slice(0, 60))}; there are: ${Object.keys(properties).join(', ')}.`
    if (value === undefined || value === null || value === '') continue
    const wanted = properties[name]?.type
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
    if (wanted === 'integer') {
      if (!Number.isSafeInteger(number)) return `${name} must be a whole number.`
      input[name] = number as number
    } else if (typeof value === 'string') input[name] = value
    else return `${name} must be a text.`
  }
  const missing = required.find((name) => input[name] === undefined)
  return missing === undefined ? input : `${missing} is missing.`
}
