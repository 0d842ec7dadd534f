import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { AshlarError } from '../error/ashlar-error.ts'
import { approximateTokens } from '../text/approximate-tokens.ts'
import { characters } from '../text/characters.ts'
import type { Counter } from '../text/counter.ts'

/** The sizes of the three levels, in the unit of the counter. */
export interface TreeLevels {
  /**
   * The most a child holds, overlap included. Small children are found precisely; what they stand in says what they mean.
   * @default 250
   */
  readonly child?: number
  /** The most a parent holds: what a model gets to read. @default 800 */
  readonly parent?: number
  /** The most a section holds. A longer one of the document becomes several. @default 2400 */
  readonly section?: number
  /**
   * Sections of the document shorter than this are joined to their neighbours; 0 keeps all of them apart. Where it is more than half
   * of `parent`, parents should hold no less either.
   * @default half of `parent`
   */
  readonly least?: number
  /**
   * The unit of all sizes. Characters keep the tree the same when the model changes; its limit is checked when it embeds.
   * @default characters
   */
  readonly counter?: Counter
}

/** How a tree is built. Every field has a default. */
export interface TreeOptions extends TreeLevels {
  /** The document's id, part of every piece's id. @default '' */
  readonly document?: string
  /** What the document is called; stands first in the context of every piece. @default '' */
  readonly title?: string
  /** What the text is cut by. @default plain */
  readonly format?: Format
  /** How much of the child before is repeated at the start of a child, at most; at most half of `child`. @default 0 */
  readonly overlap?: number
}

/**
 * Sizes that have been found good.
 *
 * - `precise`: the defaults; best where little text may be read for an answer
 * - `specification`: parents of 800 to 1,200 tokens and children of 200 to 400, by a rule of thumb unless you give a counter
 */
export const treePresets: { readonly precise: Required<TreeLevels>; readonly specification: Required<TreeLevels> } = {
  precise: { child: 250, parent: 800, section: 2400, least: 400, counter: characters },
  specification: { child: 400, parent: 1200, section: 3600, least: 800, counter: approximateTokens },
}

/** {@link TreeOptions} with every default filled in and every value checked. */
export function resolveTreeOptions(options: TreeOptions): Required<TreeOptions> {
  const { child, parent, section, counter } = { ...treePresets.precise, ...options }
  const least = options.least ?? Math.floor(parent / 2)
  const rising = [1, child, parent, section]
  if (rising.some((size, index) => !Number.isSafeInteger(size) || size < (rising[index - 1] ?? 1))) {
    throw new AshlarError(
      'INVALID_OPTION',
      `child, parent and section must be whole numbers of at least 1, none larger than the next, not ${child}, ${parent} and ${section}.`,
      { details: { child, parent, section } },
    )
  }
  if (!Number.isSafeInteger(least) || least < 0 || least > parent) {
    throw new AshlarError('INVALID_OPTION', `least must be a whole number from 0 to parent (${parent}), not ${String(least)}.`, {
      details: { least, parent },
    })
  }
  const { document = '', title = '', format = plain, overlap = 0 } = options
  return { child, parent, section, least, counter, document, title, format, overlap }
}
