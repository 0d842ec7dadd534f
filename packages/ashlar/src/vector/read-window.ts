import { AshlarError } from '../error/ashlar-error.ts'
import type { Embedded, Embedder, TokenStates } from '../model/embedder.ts'
import { addUsage, noUsage, type Usage } from '../model/usage.ts'
import { graphemeBoundaryBefore } from '../text/grapheme.ts'
import { measureWith } from '../text/measure.ts'
import type { Span } from '../text/span.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { type PlannedWindow, tokenLimit } from './plan-late.ts'
import { unitRow } from './vector-length.ts'

/** The parts of a window that the model reads one by one: mostly one, the whole. Checked before anything is embedded. */
export function passesOver(tree: Tree, window: PlannedWindow, embedder: Embedder, tooLong: 'refuse' | 'split'): Span[] {
  const { counter, maxTokens } = tokenLimit(embedder)
  const text = tree.text.slice(window.start, window.end)
  const whole = [{ start: 0, end: text.length }]
  // Windows of several children were laid within the limit.
  if (counter === undefined || maxTokens === undefined || window.after > window.first + 1) return whole
  const tokens = counter(text)
  if (tokens <= maxTokens) return whole
  if (tooLong === 'refuse') {
    const { id, index } = tree.children[window.first] as TreePiece
    throw new AshlarError(
      'TEXT_TOO_LONG',
      `Child ${index} has ${tokens} tokens and ${embedder.identity.model} reads ${maxTokens}. Cut smaller, or ask for tooLong: 'split'.`,
      { details: { index, id, tokens, maxTokens } },
    )
  }
  const measure = measureWith(counter, text)
  const parts: Span[] = []
  for (let start = 0; start < text.length; ) {
    const reached = Math.max(measure.reach(start, maxTokens), start + 1)
    const end = reached === text.length ? reached : wordEnd(text, start, reached)
    parts.push({ start, end })
    start = end
  }
  return parts
}

/** The last place in `(start, reached]` after white space if there is one in the second half, else the last between two graphemes. */
function wordEnd(text: string, start: number, reached: number): number {
  for (let at = reached; at > (start + reached) / 2; at--) if (/\s/.test(text[at - 1] as string)) return at
  const boundary = graphemeBoundaryBefore(text, reached, start)
  return boundary > start ? boundary : reached
}

/** All tokens of a window, wherever they were read. */
export interface ReadWindow extends TokenStates {
  readonly dimensions: number
  /** The model's own vector of the window. */
  readonly vector: Float32Array
  readonly text: string
  readonly usage: Usage
}

/** Sends a window through the model, part by part. */
export async function readWindow(
  text: string,
  passes: readonly Span[],
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<ReadWindow> {
  const parts: TokenStates[] = []
  let usage = noUsage
  let vector: Float32Array | undefined
  for (const { start, end } of passes) {
    const part = text.slice(start, end)
    const embedded = await embedder.embed([part], { as: 'document', tokens: true, ...(signal === undefined ? {} : { signal }) })
    const states = checkedStates(embedded, part.length, embedder)
    vector ??= embedded.vectors[0] as Float32Array
    parts.push(start === 0 ? states : moved(states, start))
    usage = addUsage(usage, embedded.usage)
  }
  const own = vector as Float32Array
  const [only] = parts
  const states = parts.length === 1 && only !== undefined ? only : concatenated(parts)
  return { ...states, dimensions: own.length, vector: unitRow(own, 0, own.length), text, usage }
}

/** What an embedder says about its tokens decides about offsets into everything that is kept: it is looked at first. */
export function checkedStates({ vectors, tokens }: Embedded, length: number, embedder: Embedder): TokenStates {
  const states = tokens?.[0]
  const dimensions = vectors[0]?.length ?? 0
  const count = states?.starts.length ?? -1
  const sound =
    states !== undefined &&
    dimensions > 0 &&
    states.ends.length === count &&
    states.ids.length === count &&
    states.states.length === count * dimensions &&
    states.starts.every(
      (start, at) => start <= (states.ends[at] as number) && (at === 0 || start >= (states.starts[at - 1] as number)),
    ) &&
    states.ends.every((end) => end <= length)
  if (sound) return states
  throw new AshlarError('INVALID_RESPONSE', `${embedder.identity.model} gave token states that do not belong to its text.`, {
    details: { model: embedder.identity.model, tokens: count, dimensions },
  })
}

function moved(states: TokenStates, by: number): TokenStates {
  return { ...states, starts: states.starts.map((start) => start + by), ends: states.ends.map((end) => end + by) }
}

function concatenated(parts: readonly TokenStates[]): TokenStates {
  const numbers = (pick: (part: TokenStates) => Uint32Array): Uint32Array =>
    Uint32Array.from(parts.flatMap((part) => Array.from(pick(part))))
  const states = new Float32Array(parts.reduce((sum, part) => sum + part.states.length, 0))
  let at = 0
  for (const part of parts) {
    states.set(part.states, at)
    at += part.states.length
  }
  return { starts: numbers((part) => part.starts), ends: numbers((part) => part.ends), ids: numbers((part) => part.ids), states }
}
