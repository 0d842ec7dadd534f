import { AshlarError } from '../error/ashlar-error.ts'
import type { WorkOptions } from '../model/ask-all.ts'
import { generateAll } from '../model/generate-all.ts'
import type { Generator } from '../model/generator.ts'
import type { Answer, AnswerCitation } from './answer.ts'
import { type Evidence, type RenderOptions, renderEvidence } from './render-evidence.ts'

/** How a question is answered from evidence. `cache` is off unless given: asking again asks the model again. */
export interface AnswerOptions extends RenderOptions, WorkOptions {
  readonly generator: Generator
  /** Most tokens of the answer. @default the model's own */
  readonly answerTokens?: number
  /** Said to the model before the question, such as a tone or a language. @default nothing */
  readonly instructions?: string
}

/** What the model writes, and nothing else, where the passages do not answer. */
const noAnswer = 'NO ANSWER IN THE PASSAGES'

const rules = `Answer the question from the passages alone. After each statement put the number of the passage it comes from in square brackets, such as [1] or [2][3]. Where passages contradict each other, say so and cite both. If the passages do not answer the question, write only: ${noAnswer}`

/**
 * Has a model answer a question from passages alone, citing them by number, or say that they do not answer it.
 *
 * Numbers that no passage has are told apart from those that one has. Whether a sentence follows from what it cites is the model's word.
 *
 * @throws AshlarError `INVALID_OPTION` where not even a part of the first passage fits; `REFUSED`, `MODEL_FAILED` and the like.
 */
export async function answerFromEvidence<Passage extends Evidence>(
  question: string,
  passages: readonly Passage[],
  options: AnswerOptions,
): Promise<Omit<Answer<Passage>, 'reason'>> {
  const { generator, maxTokens, counter, answerTokens, instructions = '', ...work } = options
  const evidence = renderEvidence(passages, {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(counter === undefined ? {} : { counter }),
  })
  if (evidence.passages === 0) {
    throw new AshlarError('INVALID_OPTION', `Not even a part of the first passage fits into ${maxTokens} tokens.`, {
      details: { maxTokens },
    })
  }
  const prompt = {
    system: instructions === '' ? rules : `${instructions}\n\n${rules}`,
    parts: [{ text: `${evidence.text}\nQuestion: ${question}` }],
  }
  const limit = answerTokens === undefined ? {} : { maxTokens: answerTokens }
  for await (const outcome of generateAll(generator, [{ prompt }], { ...work, ...limit })) {
    if (outcome.error !== undefined) throw outcome.error
    const hits = passages.slice(0, evidence.passages)
    return { ...read(outcome.text.trim(), hits), hits, cutOff: outcome.finish === 'length', usage: outcome.usage }
  }
  throw new AshlarError('INVALID_RESPONSE', 'The model gave no answer.')
}

function read<Passage>(
  text: string,
  hits: readonly Passage[],
): Pick<Answer<Passage>, 'text' | 'missing' | 'citations' | 'unknown'> {
  if (
    text
      .replace(/[\s."'*]+/g, ' ')
      .trim()
      .toUpperCase() === noAnswer
  ) {
    return { text: '', missing: true, citations: [], unknown: [] }
  }
  const numbers = new Set(
    [...text.matchAll(/\[(\d{1,6}(?:\s*[,;]\s*\d{1,6})*)\]/g)].flatMap(([, list = '']) => list.split(/[,;]/).map(Number)),
  )
  const citations: AnswerCitation<Passage>[] = []
  const unknown: number[] = []
  for (const number of numbers) {
    const hit = hits[number - 1]
    if (hit === undefined) unknown.push(number)
    else citations.push({ number, hit })
  }
  return { text, missing: false, citations, unknown }
}
