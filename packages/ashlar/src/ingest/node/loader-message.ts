import type { LoadedDocument, LoadInput, LoadLimits } from '../loader.ts'

/** What a process that loads is asked. */
export interface LoadRequest {
  readonly input: LoadInput
  readonly limits: Partial<LoadLimits>
}

/** What it answers: the documents, or an error as plain data, since classes do not survive the way. */
export type LoadResponse =
  | { readonly documents: readonly LoadedDocument[] }
  | {
      readonly error: {
        readonly code?: string
        readonly message: string
        readonly details?: Readonly<Record<string, unknown>>
      }
    }
