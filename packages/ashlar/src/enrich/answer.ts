import { AshlarError } from '../error/ashlar-error.ts'
import { distinct } from './distinct.ts'
import type { EnrichmentKind } from './enrichment.ts'

/** What an answer said, by kind. */
export interface Answer {
  readonly context?: string
  readonly questions?: readonly string[]
  readonly keywords?: readonly string[]
}

/** What is read from an answer, and at most how much of it. */
export interface AnswerShape {
  readonly kinds: readonly EnrichmentKind[]
  readonly labelled: boolean
  readonly counts: { readonly questions: number; readonly keywords: number }
}

/** What models put before a line: a bullet, a number, a quotation mark of markdown. */
const bullet = /^(?:[-*+•–—>]|#{1,6}|\(?\d{1,3}[.)])\s+/
/** A kind's name with its colon, with whatever emphasis, quotes or number around it. */
const label = /^[*_"'`]{0,3}(context|questions?|keywords?)[*_"'`]{0,3}\s?\d{0,3}[*_"'`]{0,3}[:：][*_"'`]{0,3}/i
/** Signs that belong to the text only if they do not stand on both ends of it. */
const wrappings = ['**', '__', '*', '`', '"', "'", '“', '«', '„', '「']
const wrappingEnds = ['**', '__', '*', '`', '"', "'", '”', '»', '“', '」']
const longestKeyword = 100

/**
 * Reads an answer. Lines go to the label before them; text before the first label counts as the context if that is what came first
 * in the request, and an answer without any label as the one kind that was asked for. A kind that is still empty is an
 * `INVALID_RESPONSE`.
 */
export function readAnswer(text: string, { kinds, labelled, counts }: AnswerShape): Answer {
  const lines = labelled ? sortLines(text, kinds) : { [kinds[0] as EnrichmentKind]: unlabelled(text) }
  const answer: { context?: string; questions?: readonly string[]; keywords?: readonly string[] } = {}
  for (const kind of kinds) {
    const own = lines[kind] ?? []
    if (kind === 'context') answer.context = own.map(bareLine).filter(hasLetter).join(' ')
    else if (kind === 'questions') answer.questions = distinct(own.map(bareLine).filter(hasLetter)).slice(0, counts.questions)
    else answer.keywords = readKeywords(own).slice(0, counts.keywords)
  }
  const empty = kinds.filter((kind) => answer[kind] === undefined || answer[kind].length === 0)
  if (empty.length > 0) {
    throw new AshlarError('INVALID_RESPONSE', `The model's answer has no ${empty.join(' and no ')} in it.`, {
      details: { missing: empty, answer: text },
    })
  }
  return answer
}

function sortLines(text: string, kinds: readonly EnrichmentKind[]): Partial<Record<EnrichmentKind, string[]>> {
  const lines: Partial<Record<EnrichmentKind, string[]>> = {}
  let current: EnrichmentKind | undefined = kinds.length === 1 || kinds[0] === 'context' ? kinds[0] : undefined
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim().replace(bullet, '')
    const found = label.exec(bare)
    if (found !== null) current = kindOf(found[1] as string)
    const rest = (found === null ? line : bare.slice(found[0].length)).trim()
    // A word of introduction ("Here are the lines:") is not a context once one comes with its label.
    if (found !== null && current === 'context') lines.context = []
    if (current === undefined || rest === '' || rest.startsWith('```')) continue
    const own = lines[current] ?? []
    lines[current] = own
    own.push(rest)
  }
  return lines
}

function unlabelled(text: string): string[] {
  const bare = text.trim()
  const found = label.exec(bare)
  return (found === null ? bare : bare.slice(found[0].length)).split(/\r?\n/)
}

function kindOf(word: string): EnrichmentKind {
  const first = word[0]?.toLowerCase()
  return first === 'c' ? 'context' : first === 'q' ? 'questions' : 'keywords'
}

/** Semicolons part keywords where there are any, since names may hold commas; else commas do, of any script. */
function readKeywords(lines: readonly string[]): string[] {
  const words = lines.flatMap((line) => line.split(/[;；]/.test(line) ? /[;；]/ : /[,，、،]/))
  return distinct(words.map((word) => bareLine(bareLine(word).replace(/[.。]$/, ''))).filter(hasLetter)).filter(
    ({ length }) => length <= longestKeyword,
  )
}

/** The line without bullet or number, and without quotes or emphasis around all of it. */
function bareLine(line: string): string {
  let bare = line.trim().replace(bullet, '').trim()
  for (const [which, start] of wrappings.entries()) {
    const end = wrappingEnds[which] as string
    const wrapped = bare.length > start.length + end.length && bare.startsWith(start) && bare.endsWith(end)
    // `__init__` is a name; only spaces inside make it a phrase in emphasis.
    if (wrapped && (start !== '__' || bare.includes(' '))) bare = bare.slice(start.length, -end.length).trim()
  }
  return bare
}

function hasLetter(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
