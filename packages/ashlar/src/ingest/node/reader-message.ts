import type { ThreadModel } from '../../model/embedder.ts'
import type { LoadedDocument, LoadLimits } from '../loader.ts'
import type { ReadInput, ThreadLate } from '../reader.ts'
import type { PackedTree } from './packed-tree.ts'
import type { PackedWindows } from './packed-windows.ts'
import type { PlainFailure } from './plain-failure.ts'

/** What a reading thread is asked: bytes to load and cut, or something loaded elsewhere to cut. */
export interface ReadRequest {
  readonly id: number
  readonly input: Omit<ReadInput, 'late'>
  /** How windows are made, by the number of a model that the thread was given before. */
  readonly late: (Omit<ThreadLate, 'embedder'> & { readonly model: number }) | undefined
  readonly limits: Partial<LoadLimits> | undefined
  readonly loaded: readonly LoadedDocument[] | undefined
}

/** A model for all requests after this one. */
export interface ModelMessage {
  readonly model: number
  readonly data: ThreadModel
}

/** What it answers. */
export type ReadResponse =
  | {
      readonly id: number
      readonly tree: PackedTree
      readonly hash: string
      readonly loaded: Omit<LoadedDocument, 'text'>
      readonly windows: PackedWindows | undefined
    }
  | { readonly id: number; readonly failure: PlainFailure }
