import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** A folder beside the repository, or where an environment variable says; nothing when it is not there. */
function folder(variable: string, name: string): string | undefined {
  const path = process.env[variable] ?? join(root, '..', 'shared', name)
  if (existsSync(path)) return path
  console.warn(`No ${name}: set ${variable} to run these tests on real data. What needs it is left out.`)
  return undefined
}

/** Real documents, cut off at 200,000 code units each: prose, markdown, code, JSON, transcripts. Empty where there are none. */
export function realDocuments(): string[] {
  const home = folder('ASHLAR_EVAL', 'eval')
  if (home === undefined) return []
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(md|txt|jsonl?|csv)$/.test(name))
    .toSorted()
    .map((name) => readFileSync(join(home, name), 'utf8').slice(0, 200_000))
    .filter((text) => text.length > 100)
}

/** The tokenizer.json of a model, parsed; nothing where the model is not there. */
export function modelTokenizer(model: string): Record<string, unknown> | undefined {
  const home = folder('ASHLAR_MODELS', 'models')
  const path = home === undefined ? undefined : join(home, model, 'tokenizer.json')
  return path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}
