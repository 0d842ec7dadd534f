import type { WorkOptions } from '../model/ask-all.ts'
import type { TokenTable } from '../model/embedder.ts'
import type { Usage } from '../model/usage.ts'
import { risingIds } from '../text/rising-ids.ts'
import type { Span } from '../text/span.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'
import { type LateOptions, type ResolvedLateOptions, resolveLateOptions } from './late-options.ts'
import { ownSpan } from './late-windows.ts'
import { isLookedUp, type LookedUpWindow, lookUpWindow } from './look-up-window.ts'
import { pairedVectors } from './paired-vectors.ts'
import { type PlannedWindow, planLate } from './plan-late.ts'
import { passesOver, type ReadWindow, readWindow } from './read-window.ts'
import { writeTokenBlob } from './token-blob.ts'
import { isContent, isStopWord } from './token-filter.ts'
import { unitMean, unitMeanOf } from './unit-mean.ts'
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
      const parts = passes[index] as Span[]
      // A codec of one's own may want the states themselves.
      const found = options.codec === undefined ? lookUpWindow(text, parts, late.tokensFrom) : undefined
      const read = found ?? (await readWindow(text, parts, late.tokensFrom, signal))
      // Looking up waits for nothing, so others get their turn here.
      if (index % 64 === 63) await new Promise((resolve) => setTimeout(resolve))
      const made = await fromStates(read, children, window, late)
      const own = await paired?.next()
      yield { ...window, ...made, vectors: own?.value ?? made.vectors, usage: read.usage }
    }
  } finally {
    await paired?.return(undefined)
  }
}

function isDirection(table: TokenTable, id: number): boolean {
  return table.hasDirection?.(id) ?? hasDirection(table.row(id), 0, table.dimensions)
}

/** A table's codec keeps ids alone. */
const noStates = new Float32Array()

function ownText(tree: Tree, child: TreePiece): string {
  const { start, end } = ownSpan(child)
  return tree.text.slice(start, end)
}

async function fromStates(
  read: ReadWindow | LookedUpWindow,
  children: readonly TreePiece[],
  window: Span,
  { codec, stopWords }: ResolvedLateOptions,
): Promise<Pick<EmbeddedWindow, 'vectors' | 'pieces' | 'blob'>> {
  const { starts, ends, ids, dimensions, text } = read
  const states = isLookedUp(read) ? noStates : read.states
  const hasState = isLookedUp(read)
    ? (at: number) => isDirection(read.table, ids[at] as number)
    : (at: number) => hasDirection(states, at * dimensions, dimensions)
  const vectors: Float32Array[] = []
  // One piece of memory for the vectors of all.
  const means = new Float32Array(isLookedUp(read) ? children.length * dimensions : 0)
  const meanOf = (first: number, after: number): Float32Array => {
    if (!isLookedUp(read)) return unitMean(states, first, after, dimensions)
    const mean = means.subarray(vectors.length * dimensions, (vectors.length + 1) * dimensions)
    unitMeanOf(ids, read.table, first, after, mean)
    return mean
  }
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
        if (hasState(token)) kept.push(token)
      }
      token++
    }
    vectors.push(token > first ? meanOf(first, token) : isLookedUp(read) ? await read.vector() : read.vector)
    const own = new Uint32Array(kept.length - keptBefore)
    for (let at = 0; at < own.length; at++) own[at] = ids[kept[keptBefore + at] as number] as number
    pieces.push(risingIds(own))
    counts.push(kept.length - keptBefore)
  }
  const blob = writeTokenBlob({ ids, rows: states, dimensions }, Uint32Array.from(kept), counts, codec)
  return { vectors, pieces, blob }
}
