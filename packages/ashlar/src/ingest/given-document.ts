import type { Format } from '../chunk/seam.ts'
import type { Metadata } from '../store/filter.ts'
import type { Span } from '../text/span.ts'
import type { LoadedFormat } from './loader.ts'

/** A piece of a text that somebody else cut: where it stands, and perhaps the headings above it. */
export interface GivenChunk extends Span {
  readonly outline?: readonly string[]
}

/** What all documents have that are added directly. */
interface Given {
  readonly id: string
  /** What it is called. @default what its text says, or nothing */
  readonly title?: string
  readonly metadata?: Metadata
  /** Where it came from, for citations. @default none */
  readonly source?: string
}

/**
 * A document in hand, in one of four forms: its text; its text and where to cut it, by a chunker of your own or ready-made; chunks
 * without the text they were cut from; or the bytes of a file.
 */
export type GivenDocument =
  | (Given & {
      readonly text: string
      readonly format?: Format | LoadedFormat
      readonly chunks?: undefined
      readonly bytes?: undefined
    })
  | (Given & {
      readonly text: string
      /** Slices of the text in their order, or what makes them of it. They become its children as they are. */
      readonly chunks: readonly GivenChunk[] | ((text: string) => Iterable<GivenChunk> | Promise<Iterable<GivenChunk>>)
      readonly bytes?: undefined
    })
  | (Given & { readonly chunks: readonly string[]; readonly text?: undefined; readonly bytes?: undefined })
  | (Given & {
      readonly bytes: Uint8Array
      /** Decides, with the contents, how they are read: `report.pdf`. */
      readonly name: string
      readonly mediaType?: string
      readonly text?: undefined
      readonly chunks?: undefined
    })
