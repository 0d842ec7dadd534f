/**
 * Vectors of children in their surroundings, token states kept beside them in a compact form, and MaxSim over those; chunks that end
 * where the topic changes.
 *
 * @module ashlar/vectors
 */
export type { TokenTable } from './model/embedder.ts'
export { chunkSemantic } from './vector/chunk-semantic.ts'
export { type EmbeddedWindow, type EmbedLateOptions, embedLate } from './vector/embed-late.ts'
export { floatCodec } from './vector/float-codec.ts'
export { idCodec } from './vector/id-codec.ts'
export { type LateOptions, lateIdentity } from './vector/late-options.ts'
export { type LateQuery, type LateQueryOptions, lateQuery, pieceWeight, type TokenQuery } from './vector/late-query.ts'
export type { LateWindow } from './vector/late-windows.ts'
export { levelLength } from './vector/level-length.ts'
export { type MaxSimCandidate, type MaxSimOptions, maxSim } from './vector/max-sim.ts'
export { type PlannedWindow, planLate } from './vector/plan-late.ts'
export { type SemanticOptions, semanticFormat } from './vector/semantic-format.ts'
export { signCodec } from './vector/sign-codec.ts'
export { englishStopWords, noStopWords } from './vector/stop-words.ts'
export { readTokenBlob, type TokenBlob } from './vector/token-blob.ts'
export type { TokenCodec, TokenRows, TokenRun, TokenScorer } from './vector/token-codec.ts'
export type { StopWords } from './vector/token-filter.ts'
