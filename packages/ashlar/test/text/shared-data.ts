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

/** The folder of evaluation data; nothing where it is not there. */
export function evaluationFolder(): string | undefined {
  return folder('ASHLAR_EVAL', 'eval')
}

/** The folder of a model; nothing where the model is not there. */
export function modelFolder(model: string): string | undefined {
  const home = folder('ASHLAR_MODELS', 'models')
  const path = home === undefined ? undefined : join(home, model)
  return path !== undefined && existsSync(path) ? path : undefined
}

/** The tokenizer.json of a model, parsed; nothing where the model is not there. */
export function modelTokenizer(model: string): Record<string, unknown> | undefined {
  const path = modelFolder(model)
  return path === undefined ? undefined : JSON.parse(readFileSync(join(path, 'tokenizer.json'), 'utf8'))
}

/** Pairs of English sentences with people's judgement of their likeness, 0 to 5: the test set of STS-B. Empty where it is not there. */
export function similarityPairs(): { readonly s1: string; readonly s2: string; readonly score: number }[] {
  const home = folder('ASHLAR_EVAL', 'eval')
  const path = home === undefined ? '' : join(home, 'stsb', 'sts-test.jsonl')
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}
