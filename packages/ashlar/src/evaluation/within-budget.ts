import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'
import type { DocumentSpan } from './document-span.ts'

/** What a budget is counted in. */
export interface BudgetOptions<Found extends DocumentSpan = DocumentSpan> {
  /** @default characters */
  readonly counter?: Counter
  /** The text of a span; needed with a counter other than characters. */
  readonly textOf?: (span: Found) => string
}

/**
 * What a reader with a limit gets to see of what was found: spans in their order until the budget is spent, the last one cut where it
 * ends. What stands in two spans is read twice. `spanScores` of the result is recall inside a budget.
 *
 * @example
 * const found = [
 *   { document: 'walls', start: 0, end: 300 },
 *   { document: 'roofs', start: 40, end: 340 },
 * ]
 * console.log(withinBudget(found, 400).map(({ start, end }) => end - start)) // => [ 300, 100 ]
 */
export function withinBudget<Found extends DocumentSpan>(
  found: Iterable<Found>,
  budget: number,
  { counter = characters, textOf }: BudgetOptions<Found> = {},
): Found[] {
  const kept: Found[] = []
  let left = budget
  for (const span of found) {
    if (left <= 0) break
    const text = textOf?.(span)
    const cost = text === undefined ? span.end - span.start : counter(text)
    if (cost <= left) kept.push(span)
    else {
      const end = span.start + (text === undefined ? left : reach(text, left, counter))
      if (end > span.start) kept.push({ ...span, end })
    }
    left -= cost
  }
  return kept
}

/** How many code units from the beginning a counter allows. */
function reach(text: string, limit: number, counter: Counter): number {
  const measure = counter.measure?.(text)
  if (measure !== undefined) return measure.reach(0, limit)
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (counter(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  return low
}
