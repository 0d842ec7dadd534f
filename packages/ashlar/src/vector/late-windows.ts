import { AshlarError } from '../error/ashlar-error.ts'
import type { Counter } from '../text/counter.ts'
import { sha256 } from '../text/sha-256.ts'
import type { Span } from '../text/span.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'

/** Consecutive children that a model reads in one go: an exact span of the document, from the first one's own start to the last one's end. */
export interface LateWindow extends Span {
  /** Index of the first child, and of the one after the last. */
  readonly first: number
  readonly after: number
}

/** How windows are laid. */
export interface LateWindowOptions {
  /** Most characters of a window. @default 800 */
  readonly size?: number
  /** Most tokens of a window, by `counter`. @default no limit */
  readonly maxTokens?: number
  readonly counter?: Counter
}

/**
 * Lays windows over the children of a tree, each child in exactly one of them.
 *
 * A window is a parent where parents fit, or several that fit together; a larger parent is laid out by its children. So windows never
 * cross a section, and those of an edited document are the old ones but for a few: where there is a choice, the text at the cut decides,
 * not the distance from the beginning. A child over the limits is a window of its own; who embeds it sees to it.
 */
export function lateWindows(tree: Tree, options: LateWindowOptions = {}): LateWindow[] {
  const { size = 800, maxTokens = Number.POSITIVE_INFINITY, counter } = options
  if (!Number.isInteger(size) || size < 1) {
    throw new AshlarError('INVALID_OPTION', 'The size of late windows is a whole number of characters, at least 1.', {
      details: { size },
    })
  }
  const fits = ({ start, end }: Span): boolean =>
    end - start <= size && (counter === undefined || counter(tree.text.slice(start, end)) <= maxTokens)
  const windows: LateWindow[] = []
  for (const run of runsOfUnits(tree, fits)) layRun(tree.text, run, size, fits, windows)
  return windows
}

/** The part of a piece that no piece before it has. */
export function ownSpan({ start, lead, end }: TreePiece): Span {
  return { start: start + lead, end }
}

/** Units that may share a window: the parents of a section that fit one after the other, or the children of a parent that does not. */
function* runsOfUnits(tree: Tree, fits: (span: Span) => boolean): Generator<LateWindow[]> {
  for (const section of tree.sections) {
    let run: LateWindow[] = []
    for (const parent of tree.parents.slice(section.first, section.after)) {
      const unit: LateWindow = { ...ownSpan(parent), first: parent.first, after: parent.after }
      if (fits(unit)) run.push(unit)
      else {
        yield run
        run = []
        yield tree.children
          .slice(parent.first, parent.after)
          .map((child, at) => ({ ...ownSpan(child), first: parent.first + at, after: parent.first + at + 1 }))
      }
    }
    yield run
  }
}

function layRun(text: string, run: readonly LateWindow[], size: number, fits: (span: Span) => boolean, to: LateWindow[]): void {
  for (let at = 0; at < run.length; ) {
    const after = endOfWindow(text, run, at, size, fits)
    const first = run[at] as LateWindow
    const last = run[after - 1] as LateWindow
    to.push({ start: first.start, end: last.end, first: first.first, after: last.after })
    at = after
  }
}

/** The index after the last unit of the window that begins with unit `at`. */
function endOfWindow(text: string, run: readonly LateWindow[], at: number, size: number, fits: (span: Span) => boolean): number {
  const start = (run[at] as LateWindow).start
  let most = at + 1
  while (most < run.length && (run[most] as LateWindow).end - start <= size) most++
  // Counting tokens is dearer than counting characters, and it seldom says something else.
  while (most > at + 1 && !fits({ start, end: (run[most - 1] as LateWindow).end })) most--
  if (most === run.length) return most
  let chosen = most
  let least = '~'
  for (let after = most; after > at && (run[after - 1] as LateWindow).end - start >= size / 2; after--) {
    const next = run[after] as LateWindow
    const hash = sha256(text.slice(next.start, next.end), 64)
    if (hash < least) {
      least = hash
      chosen = after
    }
  }
  return chosen
}
