import type { WorkOptions } from '../model/ask-all.ts'
import type { Usage } from '../model/usage.ts'
import type { Span } from '../text/span.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { type LateOptions, type ResolvedLateOptions, resolveLateOptions } from './late-options.ts'
import { ownSpan } from './late-windows.ts'
import { pairedVectors } from './paired-vectors.ts'
import { type PlannedWindow, planLate } from './plan-late.ts'
import { passesOver, type ReadWindow, readWindow } from './read-window.ts'
import { writeTokenBlob } from './token-blob.ts'
import { isContent, isStopWord } from './token-filter.ts'
import { unitMean } from './unit-mean.ts'
import { hasDirection } from './vector-length.ts'

/** How a tree is embedded. `caller`, `cache`, `price` and `onEvent` are for calls to a paired embedder, which `embedAll` makes. */
export interface EmbedLateOptions extends LateOptions, WorkOptions {
  /** Windows whose key this knows are passed over. @default none */
  readonly known?: (key: string) => boolean
  /**
   * What happens to a child with more tokens than the model reads: an error that names it, or several passes over parts of it, whose
   * tokens count as one child's. @default 'refuse'
   */
  readonly tooLong?: 'refuse' | 'split'
}

/** What came of a window: its children's vectors and the token states to keep beside them. */
export interface EmbeddedWindow extends PlannedWindow {
  /** One vector for each child, of length 1. */
  readonly vectors: readonly Float32Array[]
  /** For each child the distinct ids of its kept tokens, rising: what document frequencies of word pieces are counted from. */
  readonly pieces: readonly Uint32Array[]
  /** The kept tokens of all children; `readTokenBlob` opens it. */
  readonly blob: Uint8Array
  /** What the token states consumed; a paired embedder's consumption is in its caller and its events. */
  readonly usage: Usage
}

/**
 * Embeds the children of a tree in their surroundings: each window goes through the model once, a child's vector is the mean of its
 * tokens' states there (late chunking), and the states themselves are kept in a compact form for `maxSim`.
 *
 * Windows come one by one, in the order of the text, so that each can be stored before the next is paid for. A child that has no
 * token at all gets the vector of its window.
 *
 * @throws AshlarError `TEXT_TOO_LONG` for a child over the model's limit, named by `id` and `index`, unless `tooLong` is `split`.
 */
export async function* embedLate(tree: Tree, options: EmbedLateOptions): AsyncGenerator<EmbeddedWindow, undefined> {
  const late = resolveLateOptions(options)
  const { known = () => false, tooLong = 'refuse', textOf = (child) => ownText(tree, child), signal } = options
  const windows = planLate(tree, options).filter(({ key }) => !known(key))
  const passes = windows.map((window) => passesOver(tree, window, late.tokensFrom, tooLong))
  const paired = late.paired ? pairedVectors({ ...options, tree, windows, textOf }) : undefined
  try {
    for (const [index, window] of windows.entries()) {
      signal?.throwIfAborted()
      const children = tree.children.slice(window.first, window.after)
      const text = tree.text.slice(window.start, window.end)
      const read = await readWindow(text, passes[index] as Span[], late.tokensFrom, signal)
      const made = fromStates(read, children, window, late)
      const own = await paired?.next()
      yield { ...window, ...made, vectors: own?.value ?? made.vectors, usage: read.usage }
    }
  } finally {
    await paired?.return(undefined)
  }
}

function ownText(tree: Tree, child: TreePiece): string {
  const { start, end } = ownSpan(child)
  return tree.text.slice(start, end)
}

function fromStates(
  read: ReadWindow,
  children: readonly TreePiece[],
  window: Span,
  { codec, stopWords }: ResolvedLateOptions,
): Pick<EmbeddedWindow, 'vectors' | 'pieces' | 'blob'> {
  const { starts, ends, ids, states, dimensions, text } = read
  const vectors: Float32Array[] = []
  const pieces: Uint32Array[] = []
  const counts: number[] = []
  const kept: number[] = []
  let token = 0
  for (const child of children) {
    const end = ownSpan(child).end - window.start
    const first = token
    const keptBefore = kept.length
    while (token < starts.length && (starts[token] as number) < end) {
      const from = starts[token] as number
      const to = ends[token] as number
      if (isContent(text, from, to) && !isStopWord(text, from, to, stopWords)) {
        // A state of zeros points nowhere, and neither do its signs.
        if (hasDirection(states, token * dimensions, dimensions)) kept.push(token)
      }
      token++
    }
    vectors.push(token === first ? read.vector : unitMean(states, first, token, dimensions))
    pieces.push(distinct(kept.slice(keptBefore).map((at) => ids[at] as number)))
    counts.push(kept.length - keptBefore)
  }
  const blob = writeTokenBlob({ ids, rows: states, dimensions }, Uint32Array.from(kept), counts, codec)
  return { vectors, pieces, blob }
}

function distinct(ids: readonly number[]): Uint32Array {
  return Uint32Array.from(new Set(ids)).sort()
}
