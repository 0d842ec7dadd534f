/** A stretch of a document that was found. */
export interface Found {
  readonly document: string
  readonly start: number
  readonly end: number
}

/** A document of a set. The set says what documents there are; how they are cut is for the system that is judged. */
export interface EvalDocument {
  readonly id: string
  readonly text: string
  readonly format: 'plain' | 'markdown'
  readonly title?: string
  /** Where the set has pieces of its own (turns, messages, given chunks): their spans, in order, without a gap. Judges count in these. */
  readonly pieces?: readonly { readonly start: number; readonly end: number }[]
}

/** A question of a set. */
export interface EvalQuestion {
  /** Its own within the set. */
  readonly id: string
  readonly text: string
  /** What may be looked at while something is chosen, and what may not. */
  readonly part: 'dev' | 'test'
  /** What kind of question the set says it is. */
  readonly category?: string
  /** What it shares with others, so that they are no independent evidence. @default its collection, where the set has several */
  readonly cluster?: string
  /** Where its evidence stands, for sets that know it to the character. */
  readonly gold?: readonly Found[]
  /** How much of what it needs is in what was found, the best first: one number from 0 to 1 for each of the set's measures. */
  judge(found: readonly Found[]): readonly number[]
}

/** Documents that are searched together, and the questions asked of them. */
export interface EvalCollection {
  readonly id: string
  readonly documents: readonly EvalDocument[]
  readonly questions: readonly EvalQuestion[]
}

/** A public evaluation set, ready to be searched by anybody. */
export interface EvalSet {
  readonly name: string
  /** What each number of a judge counts. */
  readonly measures: readonly string[]
  /** Hits that judging may need; more would not change its numbers. */
  readonly depth: number
  /** Whether a document is about one thing, so that the words of the whole of it count. */
  readonly documents: boolean
  /** What its questions want, where that is not a fact. */
  readonly scope?: 'topic'
  /** Categories whose figures stand apart and not in the headline. */
  readonly apart?: readonly string[]
  /** What its categories are, where the worst of them counts too. */
  readonly worst?: string
  readonly collections: readonly EvalCollection[]
  /** What is a document, which questions are asked and how they are judged. */
  readonly note: string
}

/** What a reader of a set may be asked for. */
export interface ReadOptions {
  /** A small part of the set, for a run within a minute. */
  readonly quick: boolean
}
