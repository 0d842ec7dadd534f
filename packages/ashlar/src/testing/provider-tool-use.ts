import { sentences } from '../text/sentence.ts'
import { words } from '../text/word.ts'
import { situatingSentence } from './provider-answer.ts'
import type { SaidCall, ServedPart, ServedTool } from './provider-wire.ts'

/** A passage that a tool gave, and where it stands if the tool said so. */
interface Passage {
  readonly number?: string
  readonly citation?: string
  readonly text: string
}

/** Words that say nothing about what a question is about. */
const common: ReadonlySet<string> = new Set(
  'about after before could does from have into many much shall should that their them there they this what when where which while will with would your'.split(
    ' ',
  ),
)

/** The least share of the question's words that a sentence must have to be an answer. */
const enough = 1 / 3

/**
 * What the chat model says where it is offered tools: a question is first looked up with the tool that searches, then answered with the
 * sentence of the tool's evidence that shares most words with it, and with that passage's number and place. Where none shares enough,
 * it says that the documents do not say. Whatever is no question is answered without a tool.
 */
export function answerWithTools(parts: readonly ServedPart[], tools: readonly ServedTool[]): string | readonly SaidCall[] {
  const asked = parts.findLastIndex(({ role }) => role === 'user')
  const question = parts[asked]?.text ?? ''
  const results = parts.slice(asked + 1).filter(({ role }) => role === 'tool')
  if (results.length > 0)
    return bestAnswer(
      question,
      results.flatMap(({ text }) => passagesOf(text)),
    )
  const search = isQuestion(question) ? searchingTool(tools) : undefined
  return search === undefined ? situatingSentence(parts) : [{ name: search.name, input: { [search.field]: question } }]
}

function isQuestion(text: string): boolean {
  return /\?|^\s*(?:who|what|when|where|which|why|how|find|search|look|show|tell|explain)\b/i.test(text)
}

/** The tool that says it searches, and the one text that it must be given. */
function searchingTool(tools: readonly ServedTool[]): { readonly name: string; readonly field: string } | undefined {
  const fitting = tools.flatMap(({ name, description, schema }) => {
    const { required = [], properties = {} } = schema as {
      readonly required?: readonly string[]
      readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>
    }
    const [field = ''] = required
    return required.length === 1 && properties[field]?.type === 'string' ? [{ name, description, field }] : []
  })
  return fitting.find(({ name }) => /search/i.test(name)) ?? fitting.find(({ description }) => /search|find/i.test(description))
}

/** Passages as `ashlar/tools` gives them, between two lines with one code; any other answer is one passage. */
function passagesOf(result: string): readonly Passage[] {
  const fenced = [...result.matchAll(/^<<<(\w+)\n\[(\d+)\] (.*)\n\n([\s\S]*?)\n\1>>>$/gm)]
  if (fenced.length === 0) return [{ text: result }]
  return fenced.map(([, , number = '', citation = '', text = '']) => ({ number, citation, text }))
}

function bestAnswer(question: string, passages: readonly Passage[]): string {
  const wanted = new Set(stemsOf(question))
  const none = { share: 0, said: '', passage: undefined as Passage | undefined }
  const best = passages
    .flatMap((passage) =>
      linesOf(passage.text).map((said) => {
        const has = new Set(stemsOf(said).filter((stem) => wanted.has(stem)))
        return { share: has.size / wanted.size, said, passage }
      }),
    )
    .reduce((left, right) => (right.share > left.share ? right : left), none)
  if (best.passage === undefined || best.share < enough) return 'The documents do not say.'
  const { number, citation } = best.passage
  return number === undefined ? best.said : `${best.said} [${number}] (${citation})`
}

/** The sentences of a passage, without headings and without the marks of HTML. */
function linesOf(text: string): readonly string[] {
  return text
    .replace(/<\/?(?:p|h\d|li|div|section|td|th|tr|br|body|html|title)\b[^<>]*>/gi, '\n\n')
    .replace(/<\/?[a-z!][^<>]*>/gi, '')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .split(/\n{2,}/)
    .flatMap((paragraph) =>
      [...sentences(paragraph)].map(({ start, end }) => paragraph.slice(start, end).replace(/\s+/g, ' ').trim()),
    )
    .filter((sentence) => sentence !== '')
}

/** Words that carry meaning, shortened so that most forms of one are the same. */
function stemsOf(text: string): string[] {
  return [...words(text)]
    .map(({ start, end }) => text.slice(start, end).toLowerCase())
    .filter((word) => word.length > 3 && !common.has(word))
    .map((word) => word.slice(0, 5))
}
