import type { ChildRecord } from '../store/store.ts'
import type { LegScores } from './configuration.ts'

/** A child that was found, with everything that it was ranked by. Its span and text are its own part: nothing that the child before has. */
export interface Hit
  extends Pick<
    ChildRecord,
    'id' | 'kind' | 'start' | 'end' | 'workspace' | 'document' | 'parent' | 'section' | 'index' | 'outline' | 'header' | 'note'
  > {
  readonly text: string
  /** How much speaks for it, from about 0 to 1: the mean of `scores` by weight. Below .35 it is rarely about the question at all. */
  readonly score: number
  readonly scores: LegScores
}
