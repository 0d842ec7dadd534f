import { identityKey } from '../model/identity-key.ts'
import { sha256 } from '../text/sha-256.ts'
import type { Tree } from '../tree/tree.ts'
import { type LateOptions, lateIdentity, resolveLateOptions } from './late-options.ts'
import { type LateWindow, lateWindows, ownSpan } from './late-windows.ts'

/** A window and the key of what is made from it. */
export interface PlannedWindow extends LateWindow {
  /** The same for the same text, cut into the same children and embedded with the same identity, wherever it stands. */
  readonly key: string
}

/**
 * The windows that `embedLate` would embed, without embedding anything: compare their keys with those you have.
 *
 * Windows are laid by characters and by the model's limit, so that an edit leaves most of them as they were.
 */
export function planLate(tree: Tree, options: LateOptions): PlannedWindow[] {
  const { tokensFrom, window, paired } = resolveLateOptions(options)
  const identity = lateIdentity(options)
  const scope = `${identityKey(identity)}:${identity.tokenCodec}`
  return lateWindows(tree, { size: window, ...tokenLimit(tokensFrom) }).map((planned) => {
    const { start, end, first, after } = planned
    const children = tree.children.slice(first, after)
    const ends = children.map((child) => ownSpan(child).end - start)
    const read = paired && options.textOf !== undefined ? sha256(JSON.stringify(children.map(options.textOf)), 128) : ''
    return { ...planned, key: sha256(`${scope}:${read}:${ends.join()}:${tree.text.slice(start, end)}`, 128) }
  })
}

/** What an embedder's limit leaves for a text of its own, the prefix taken off. */
export function tokenLimit({
  identity,
  counter,
}: Pick<LateOptions['embedder'], 'identity' | 'counter'>): Pick<
  Parameters<typeof lateWindows>[1] & object,
  'counter' | 'maxTokens'
> {
  if (identity.maxTokens === undefined || counter === undefined) return {}
  return { counter, maxTokens: Math.max(1, identity.maxTokens - counter(identity.documentPrefix)) }
}
