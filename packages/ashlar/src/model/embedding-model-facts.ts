/** What is published about an embedding model and its API does not tell. */
export interface EmbeddingModelFacts {
  /** Most tokens of one text. */
  readonly maxTokens: number
  /** Most tokens of one call. */
  readonly maxBatchTokens?: number
  /** What its maker says to put before queries and documents, where the API has no field for it. */
  readonly queryPrefix?: string
  readonly documentPrefix?: string
}

const openai: EmbeddingModelFacts = { maxTokens: 8191, maxBatchTokens: 300_000 }
const cohere3: EmbeddingModelFacts = { maxTokens: 512 }
const voyage: EmbeddingModelFacts = { maxTokens: 32_000, maxBatchTokens: 120_000 }

/** Its API takes a task type as that of the model before it does, and passes over it: the text itself has to say it. */
const gemini2: EmbeddingModelFacts = {
  maxTokens: 8192,
  queryPrefix: 'task: search result | query: ',
  documentPrefix: 'title: none | text: ',
}

const facts: Readonly<Record<string, EmbeddingModelFacts>> = {
  'text-embedding-3-small': openai,
  'text-embedding-3-large': openai,
  'text-embedding-ada-002': openai,
  'gemini-embedding-001': { maxTokens: 2048 },
  'gemini-embedding-2': gemini2,
  'gemini-embedding-2-preview': gemini2,
  'text-embedding-004': { maxTokens: 2048 },
  'text-embedding-005': { maxTokens: 2048 },
  'text-multilingual-embedding-002': { maxTokens: 2048 },
  'embed-v4.0': { maxTokens: 128_000 },
  'embed-english-v3.0': cohere3,
  'embed-english-light-v3.0': cohere3,
  'embed-multilingual-v3.0': cohere3,
  'embed-multilingual-light-v3.0': cohere3,
  'embed-english-v2.0': cohere3,
  'embed-english-light-v2.0': cohere3,
  'embed-multilingual-v2.0': { maxTokens: 256 },
  'voyage-3-large': voyage,
  'voyage-3': { maxTokens: 32_000, maxBatchTokens: 320_000 },
  'voyage-3.5': { maxTokens: 32_000, maxBatchTokens: 320_000 },
  'voyage-3.5-lite': { maxTokens: 32_000, maxBatchTokens: 1_000_000 },
  'voyage-code-3': voyage,
  'voyage-law-2': { maxTokens: 16_000, maxBatchTokens: 120_000 },
  'amazon.titan-embed-text-v2:0': { maxTokens: 8192 },
}

/** What is published about a well-known embedding model; undefined for all others. */
export function embeddingModelFacts(model: string): EmbeddingModelFacts | undefined {
  const id = model.slice(model.indexOf('/') + 1)
  return Object.hasOwn(facts, id) ? facts[id] : undefined
}
