/** Consecutive keys that nobody has: from the first to the one before `after`. */
export interface KeyRange {
  readonly first: number
  readonly after: number
}

export const noKeys: KeyRange = { first: 0, after: 0 }
