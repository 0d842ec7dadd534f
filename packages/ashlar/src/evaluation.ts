/**
 * Judges what was found: span and rank metrics, segmentation errors, comparisons with intervals; questions made from documents, ways to cut
 * and search compared by them, and what is wrong with the pieces of a library. No dependency; runs in a browser.
 *
 * @module ashlar/evaluation
 */
export {
  type AssessQualityOptions,
  assessQuality,
  type CitedPiece,
  type Findings,
  type QualityReport,
} from './evaluation/assess-quality.ts'
export {
  type BootstrapOptions,
  bootstrap,
  comparePaired,
  type Estimate,
  type PairedComparison,
  signTest,
} from './evaluation/bootstrap.ts'
export {
  type CompareOptions,
  type ComparisonEvent,
  type ComparisonReport,
  type ConfigurationComparison,
  type ConfigurationResult,
  compareConfigurations,
  type IndexCost,
} from './evaluation/compare-configurations.ts'
export type { Configuration } from './evaluation/configuration.ts'
export { type Corpus, type CorpusDocument, type SampleOptions, sampleDocuments } from './evaluation/corpus.ts'
export type { DanglingKind } from './evaluation/dangling-references.ts'
export type { DocumentSpan } from './evaluation/document-span.ts'
export { type Asked, type EvaluateOptions, type Evaluation, evaluate, type JudgedHit } from './evaluation/evaluate.ts'
export { feedbackQuestions } from './evaluation/feedback-questions.ts'
export {
  type GeneratedQuestions,
  type GenerateQuestionsOptions,
  generateQuestions,
} from './evaluation/generated-questions.ts'
export { type MakeQuestionsOptions, makeQuestions } from './evaluation/make-questions.ts'
export { type PrecisionOmegaOptions, precisionOmega } from './evaluation/precision-omega.ts'
export type { Question, QuestionKind } from './evaluation/question.ts'
export { anyAt, ndcgAt, passAt, precisionAt, recallAt, reciprocalRank } from './evaluation/rank-scores.ts'
export { type SegmentationErrors, type SegmentationOptions, segmentationErrors } from './evaluation/segmentation-errors.ts'
export type { SizeDistribution } from './evaluation/size-distribution.ts'
export { type SpanScores, type SpanScoresOptions, spanScores } from './evaluation/span-scores.ts'
export { type BudgetOptions, withinBudget } from './evaluation/within-budget.ts'
