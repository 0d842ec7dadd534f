import type { AshlarErrorCode } from '../../error/ashlar-error.ts'
import type { LoadedDocument, LoadLimits } from '../loader.ts'
import type { ReadInput } from '../reader.ts'
import type { PackedTree } from './packed-tree.ts'

/** What a reading thread is asked: bytes to load and cut, or something loaded elsewhere to cut. */
export interface ReadRequest {
  readonly id: number
  readonly input: ReadInput
  readonly limits: Partial<LoadLimits> | undefined
  readonly loaded: readonly LoadedDocument[] | undefined
}

/** What it answers. */
export type ReadResponse =
  | { readonly id: number; readonly tree: PackedTree; readonly hash: string; readonly loaded: Omit<LoadedDocument, 'text'> }
  | {
      readonly id: number
      readonly failure: {
        readonly code: AshlarErrorCode | undefined
        readonly message: string
        readonly details: Readonly<Record<string, unknown>>
      }
    }
