/**
 * The laws as suites that any implementation can be run against. Needs fast-check beside it.
 *
 * @module ashlar/testing
 */
export {
  type ChunkerContractOptions,
  type ChunkerUnderTest,
  chunkerContract,
  cutAndCheck,
  prose,
  settingsArbitrary,
} from './testing/chunker-contract.ts'
export { type EmbedderContractOptions, embedderContract } from './testing/embedder-contract.ts'
export { type GeneratorContractOptions, generatorContract } from './testing/generator-contract.ts'
export { type CutSettings, checkLaws, type Law, type LawChunk, type Violation } from './testing/law.ts'
export type { ContractTest, ModelContractOptions } from './testing/model-contract.ts'
export { type RerankerContractOptions, rerankerContract } from './testing/reranker-contract.ts'
export { checkSeams, type SeamReport } from './testing/seam-law.ts'
export { storeContract } from './testing/store-contract.ts'
export type { StoreContractOptions } from './testing/store-contract-case.ts'
export { textArbitrary } from './testing/text-arbitrary.ts'
export { type TreeContractOptions, treeContract, treeSettingsArbitrary } from './testing/tree-contract.ts'
export { checkTree, type TreeSettings, type TreeViolation } from './testing/tree-law.ts'
