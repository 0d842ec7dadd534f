/**
 * Judges what was found: span and rank metrics, segmentation errors, and comparisons with intervals. No dependency; runs in a browser.
 *
 * @module ashlar/evaluation
 */
export {
  type BootstrapOptions,
  bootstrap,
  comparePaired,
  type Estimate,
  type PairedComparison,
  signTest,
} from './evaluation/bootstrap.ts'
export type { DocumentSpan } from './evaluation/document-span.ts'
export { type PrecisionOmegaOptions, precisionOmega } from './evaluation/precision-omega.ts'
export { anyAt, ndcgAt, passAt, precisionAt, recallAt, reciprocalRank } from './evaluation/rank-scores.ts'
export { type SegmentationErrors, type SegmentationOptions, segmentationErrors } from './evaluation/segmentation-errors.ts'
export { type SpanScores, type SpanScoresOptions, spanScores } from './evaluation/span-scores.ts'
export { type BudgetOptions, withinBudget } from './evaluation/within-budget.ts'
