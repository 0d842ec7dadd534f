import type { Chunk } from '../chunk/chunk.ts'
import { strength } from '../chunk/seam.ts'
import { AshlarError } from '../error/ashlar-error.ts'
import type { Span } from '../text/span.ts'
import { skipWhiteSpace } from '../text/white-space.ts'
import { groupTree } from './build-tree.ts'
import type { Tree } from './tree.ts'
import { resolveTreeOptions, type TreeOptions } from './tree-options.ts'

/** How many chunks a text may have: more are a mistake in the chunker. */
const most = 5_000_000

/**
 * A tree whose children somebody else cut: slices of the text in rising order, each a child as it is. Parents and sections are made of
 * them by the sizes given.
 *
 * Nothing of the text is left out. White space between two chunks stays with the one before; other text that no chunk has becomes a
 * child of its own. What a chunk repeats of the one before is its `lead`.
 *
 * @throws AshlarError `INVALID_DOCUMENT` for a chunk that is empty, beyond the text, out of order, or inside the one before.
 * @example
 * const tree = treeFromChunks('Stone on stone.\n\nSlate on wood.', [{ start: 0, end: 15 }, { start: 17, end: 31 }])
 * console.log(tree.children.map(({ text }) => text)) // => [ 'Stone on stone.\n\n', 'Slate on wood.' ]
 */
export function treeFromChunks(
  text: string,
  chunks: Iterable<Span & { readonly outline?: readonly string[] }>,
  options: Omit<TreeOptions, 'format' | 'overlap'> = {},
): Tree {
  const resolved = resolveTreeOptions(options)
  const children: Chunk[] = []
  let end = 0
  const push = (start: number, to: number, outline: readonly string[]): void => {
    const index = children.length
    children.push({ start, end: to, text: text.slice(start, to), lead: end - start, index, outline })
    end = to
  }
  /** Text before `start` that no chunk has. */
  const fill = (start: number, outline: readonly string[]): void => {
    if (end >= start) return
    const last = children.at(-1)
    const own = skipWhiteSpace(text, end, start)
    if (last !== undefined && own > end) {
      children[children.length - 1] = { ...last, end: own, text: text.slice(last.start, own) }
      end = own
    }
    if (own < start) push(end, start, last?.outline ?? outline)
  }
  for (const { start, end: to, outline = [] } of chunks) {
    if (!(Number.isSafeInteger(start) && Number.isSafeInteger(to) && start >= 0 && start < to && to <= text.length))
      throw invalid(options.document, `a chunk goes from ${start} to ${to} in a text of ${text.length}`)
    if (to <= end || start < (children.at(-1)?.start ?? 0))
      throw invalid(options.document, `the chunk from ${start} to ${to} does not go beyond the one before`)
    if (children.length >= most) throw invalid(options.document, `it has more than ${most} chunks`)
    fill(start, outline)
    // White space before the first chunk has no chunk before it.
    push(children.length === 0 ? 0 : start, to, outline)
  }
  fill(text.length, [])
  if (end < text.length) push(0, text.length, [])
  // Nothing is known about the seams, so one is as good as the other.
  const strengths = children.map((_, index) => (index === 0 ? 0 : strength.block))
  return groupTree(text, children, strengths, resolved)
}

function invalid(document: string | undefined, why: string): AshlarError {
  return new AshlarError(
    'INVALID_DOCUMENT',
    `${document === undefined ? 'These chunks' : JSON.stringify(document.slice(0, 60))} cannot be made a tree: ${why}.`,
    {
      details: { document },
    },
  )
}
