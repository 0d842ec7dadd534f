import type { EmbedderIdentity } from './embedder.ts'

/** How a model was trained to be used, which its ONNX file does not say. */
export interface LocalModelUse {
  readonly pooling: Exclude<EmbedderIdentity['pooling'], 'provider'>
  readonly queryPrefix: string
  readonly documentPrefix: string
}

const averaging: LocalModelUse = { pooling: 'mean', queryPrefix: '', documentPrefix: '' }
const bge: LocalModelUse = {
  pooling: 'cls',
  queryPrefix: 'Represent this sentence for searching relevant passages: ',
  documentPrefix: '',
}
const e5: LocalModelUse = { pooling: 'mean', queryPrefix: 'query: ', documentPrefix: 'passage: ' }

/** Common embedding models by the last part of their name, as their authors describe their use. */
export const knownLocalModels: ReadonlyMap<string, LocalModelUse> = new Map([
  ['all-MiniLM-L6-v2', averaging],
  ['all-MiniLM-L12-v2', averaging],
  ['all-mpnet-base-v2', averaging],
  ['paraphrase-multilingual-MiniLM-L12-v2', averaging],
  ['gte-small', averaging],
  ['bge-small-en-v1.5', bge],
  ['bge-base-en-v1.5', bge],
  ['bge-large-en-v1.5', bge],
  ['e5-small-v2', e5],
  ['e5-base-v2', e5],
  ['e5-large-v2', e5],
  ['multilingual-e5-small', e5],
  ['multilingual-e5-base', e5],
  ['multilingual-e5-large', e5],
])
