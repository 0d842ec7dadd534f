import type { Tree } from 'ashlar/tree'

/** A document of the bench, with everything that is stored of it. */
export interface BenchDocument {
  readonly tree: Tree
  readonly metadata: { readonly topic: string; readonly year: number }
  /** One a child. */
  readonly vectors: readonly Float32Array[]
}

/** What the bench filters by: documents of any of these topics from a year on. */
export interface BenchFilter {
  readonly topics: readonly string[]
  readonly year: number
}

/** What an index of words is fed with, and asked. */
export interface WordForm {
  /** For people. */
  readonly name: string
  /** What of a child goes into the index. */
  readonly ofChild: (text: string) => string
  /** The words of a question, each once. */
  readonly ofQuestion: (question: string) => readonly string[]
}

/** The store that a team would write by hand for the same promises, over the bare driver. */
export interface BareStore {
  /** Writes documents in one transaction; one that is there with the same content is passed over. Gives how many children it wrote. */
  put(documents: readonly BenchDocument[]): Promise<number>
  /** Everything that is done once after much was written. */
  maintain(): Promise<void>
  nearest(vector: Float32Array, limit: number, where?: BenchFilter): Promise<readonly number[]>
  matching(question: string, limit: number, where?: BenchFilter): Promise<readonly number[]>
  /** Children with text, place, parent and document, in the order asked for. */
  fetch(children: readonly number[]): Promise<readonly FetchedChild[]>
  close(): Promise<void>
}

/** A child as the bare stores give it: what {@link BareStore.fetch} is about. */
export interface FetchedChild {
  readonly key: number
  readonly id: string
  readonly start: number
  readonly end: number
  readonly index: number
  readonly text: string
  readonly outline: readonly string[]
  readonly parent: {
    readonly key: number
    readonly id: string
    readonly start: number
    readonly end: number
    readonly text: string
  }
  readonly document: { readonly id: string; readonly title: string; readonly metadata: unknown }
}
