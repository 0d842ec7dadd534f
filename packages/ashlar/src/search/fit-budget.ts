import type { Counter } from '../text/counter.ts'
import { childPassage, type Passage } from './passages.ts'

/** The passages that fit into so many tokens together, in their order, and what each has. */
export function fitBudget(
  passages: readonly Passage[],
  maxTokens: number,
  counter: Counter,
): { readonly kept: readonly { readonly passage: Passage; readonly tokens: number }[]; readonly left: readonly Passage[] } {
  let room = maxTokens
  const kept: { passage: Passage; tokens: number }[] = []
  const left: Passage[] = []
  for (const passage of passages) {
    // A passage that is too long may still have the one child that matters.
    const forms = passage.text === passage.best.own.text ? [passage] : [passage, childPassage(passage)]
    const fitting = forms.map((form) => ({ passage: form, tokens: counter(form.text) })).find(({ tokens }) => tokens <= room)
    if (fitting === undefined) left.push(passage)
    else {
      kept.push(fitting)
      room -= fitting.tokens
    }
  }
  return { kept, left }
}
