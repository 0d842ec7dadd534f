import type { Library, LibrarySearchOptions } from '../library/library.ts'
import type { Hit } from '../search/hit.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import type { Counter } from '../text/counter.ts'
import { bootstrap, type Estimate } from './bootstrap.ts'
import type { DocumentSpan } from './document-span.ts'
import type { Question } from './question.ts'
import { spanScores } from './span-scores.ts'
import { withinBudget } from './within-budget.ts'

/** How questions are asked and judged. */
export interface EvaluateOptions {
  /** How many hits are handed over. @default 5 */
  readonly hits?: number
  /** The budget inside which evidence is counted as well, so that large hits have no advantage. @default 800 */
  readonly tokens?: number
  /** Counts tokens. @default approximateTokens */
  readonly counter?: Counter
  /** How is searched. */
  readonly search?: Omit<LibrarySearchOptions, 'limit' | 'maxTokens' | 'counter' | 'explain' | 'signal'>
  /** Hears how many questions have been asked. */
  readonly onProgress?: (asked: number) => void
  readonly signal?: AbortSignal
}

/** A hit as a judge sees it. */
export interface JudgedHit extends DocumentSpan {
  readonly citation: string
  /** Share of the evidence that is in it. */
  readonly share: number
}

/** A question and what came of it. */
export interface Asked {
  readonly question: Question
  /** What was handed over, the best first. */
  readonly found: readonly JudgedHit[]
  /** Share of the evidence in what was handed over. */
  readonly completeness: number
  /** The same for as much of all hits as fits into the budget. */
  readonly withinTokens: number
  /** One over the rank of the first hit with any of the evidence, 0 where none has. */
  readonly reciprocalRank: number
  /** Tokens of what was handed over. */
  readonly tokens: number
  readonly milliseconds: number
}

/** How well a library answers questions. Estimates come with their 95 % intervals. */
export interface Evaluation {
  readonly asked: readonly Asked[]
  readonly completeness: Estimate
  readonly withinTokens: Estimate
  readonly reciprocalRank: Estimate
  /** Tokens handed over for a question: the mean. */
  readonly tokens: number
  /** Milliseconds of a search: the middle one, and the slowest but one in twenty. */
  readonly milliseconds: { readonly median: number; readonly p95: number }
}

/** More hits than any budget of usual size holds. */
const deepest = 40

/**
 * Asks a library questions whose answers are known, as anybody would ask them, and judges what it hands over.
 *
 * @throws AshlarError INVALID_OPTION without questions.
 */
export async function evaluate(
  library: Pick<Library, 'search'>,
  questions: readonly Question[],
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { hits = 5, tokens: budget = 800, counter = approximateTokens, search = {}, onProgress, signal } = options
  const asked: Asked[] = []
  for (const question of questions) {
    const began = performance.now()
    const result = await library.search(question.text, {
      ...search,
      limit: Math.max(hits, deepest),
      ...(signal === undefined ? {} : { signal }),
    })
    const milliseconds = performance.now() - began
    const found = result.hits.map((hit) => readHit(hit, question.gold))
    const within = withinBudget(found, budget, { counter, textOf })
    const handed = found.slice(0, hits)
    const first = found.findIndex(({ share }) => share > 0)
    const recall = (read: readonly ReadHit[]): number => spanScores(read.flatMap(placesOf), question.gold).recall
    asked.push({
      question,
      found: handed.map(({ text: _text, twins: _twins, ...hit }) => hit),
      completeness: recall(handed),
      withinTokens: recall(within),
      reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
      tokens: handed.reduce((sum, { text }) => sum + counter(text), 0),
      milliseconds,
    })
    onProgress?.(asked.length)
  }
  const estimate = (value: (one: Asked) => number): Estimate => bootstrap(asked.map(value), clustersOf(questions))
  const times = asked.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right)
  return {
    asked,
    completeness: estimate(({ completeness }) => completeness),
    withinTokens: estimate(({ withinTokens }) => withinTokens),
    reciprocalRank: estimate(({ reciprocalRank }) => reciprocalRank),
    tokens: asked.reduce((sum, { tokens }) => sum + tokens, 0) / asked.length,
    milliseconds: { median: times[Math.floor(times.length / 2)] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 },
  }
}

/** A hit with its text, and the places where the same text stands besides. */
interface ReadHit extends JudgedHit {
  readonly text: string
  readonly twins: readonly DocumentSpan[]
}

function readHit({ document, start, end, text, citation, alsoAt }: Hit, gold: readonly DocumentSpan[]): ReadHit {
  const span = { document: document.id, start, end }
  const twins = alsoAt.map((twin) => ({ document: twin.document, start: twin.start, end: twin.end }))
  return { ...span, text, citation, twins, share: spanScores([span, ...twins], gold).recall }
}

/** Who reads a text has read it in every place it stands in; one that the budget cut off is read in its own place alone. */
function placesOf(hit: ReadHit): DocumentSpan[] {
  return hit.end - hit.start < hit.text.length ? [hit] : [hit, ...hit.twins]
}

function textOf({ text }: ReadHit): string {
  return text
}

/** With fewer documents than this, drawing them instead of questions would make intervals too narrow. */
const enoughDocuments = 20

/** Questions about one document are not independent: they are drawn together, where there are enough documents to draw from. */
export function clustersOf(questions: readonly Question[]): { readonly clusters?: readonly string[] } {
  const clusters = questions.map(({ gold }) => gold[0]?.document ?? '')
  return new Set(clusters).size < enoughDocuments ? {} : { clusters }
}
