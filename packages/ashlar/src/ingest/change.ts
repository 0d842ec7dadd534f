import type { AshlarError } from '../error/ashlar-error.ts'
import type { SourceItem } from './source.ts'

/**
 * What is to be done about one document.
 *
 * - `new`: the store has none of this id; `copyOf` names one with the same bytes, whose vectors are taken
 * - `moved`: the same, and the one with the same bytes (`from`) is gone
 * - `changed`: bytes, loader, sizes, models or metadata are not those of the stored one; `root` names the root that has it and keeps it
 * - `unchanged`: nothing to do
 * - `gone`: the source does not list it any more
 * - `failed`: it could not be listed or read; what is stored stays
 */
export type Change =
  | { readonly kind: 'new'; readonly id: string; readonly item: SourceItem; readonly copyOf?: string }
  | { readonly kind: 'moved'; readonly id: string; readonly item: SourceItem; readonly from: string }
  | { readonly kind: 'changed'; readonly id: string; readonly item: SourceItem; readonly root?: string }
  | { readonly kind: 'unchanged'; readonly id: string; readonly item: SourceItem }
  | { readonly kind: 'gone'; readonly id: string }
  | { readonly kind: 'failed'; readonly id: string; readonly error: AshlarError; readonly item?: SourceItem }

export type ChangeKind = Change['kind']

/** How many documents each kind of change has. */
export type ChangeCounts = Readonly<Record<ChangeKind, number>>

/** Nothing of any kind: where counting starts. */
export const noChanges: ChangeCounts = { new: 0, moved: 0, changed: 0, unchanged: 0, gone: 0, failed: 0 }
