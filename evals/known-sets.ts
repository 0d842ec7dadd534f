import type { SetName } from './sets/sets.ts'

/** What is known of a measure from elsewhere, and what is asked of it. In the unit of the set. */
interface KnownMeasure {
  /** The least that the default must reach on the test part. */
  readonly bar?: number
  /** What vectors and words alone came to in the design, on all questions: the interval has to lie above it. */
  readonly base?: number
  readonly goal?: number
  /** What is common today, measured on the same data. */
  readonly common?: string
  /** The best that was published, and with what. */
  readonly published?: string
}

/** How the figures of a set are written, and what its measures are held against; a measure that is missing is only printed. */
export interface KnownSet {
  readonly title: string
  /** The measure by which systems are compared. */
  readonly headline: string
  /** `%`: of a hundred; empty: of one. */
  readonly unit: '%' | ''
  /** Categories whose figures stand apart: no first ten can hold their evidence, which is many messages. @default none */
  readonly apart?: readonly string[]
  readonly measures: Readonly<Record<string, KnownMeasure>>
}

const manyMessages = ['event_ordering', 'summarization']

export const knownSets: Readonly<Record<SetName, KnownSet>> = {
  chroma: {
    title: 'Chroma',
    headline: 'evidence in 1,600 characters',
    unit: '%',
    measures: {
      'evidence in 800 characters': { bar: 67, base: 60.7, goal: 72, common: '43.6 (vector), 53.8 (hybrid)' },
      'evidence in 1,600 characters': { bar: 79.5, base: 75.6, goal: 85, common: '60.0 (vector), 67.9 (hybrid)' },
      'evidence in 3,200 characters': { bar: 88.5, base: 86.7, goal: 92, common: '72.9 (vector), 81.0 (hybrid)' },
      'IoU at 5': { bar: 18, goal: 22, common: '6.4', published: '8.0 (text-embedding-3-large, ClusterSemantic)' },
    },
  },
  'anthropic-code': {
    title: 'Anthropic code',
    headline: 'Pass@10',
    unit: '%',
    measures: {
      'Pass@5': { bar: 87, goal: 91.2, common: '68.4', published: '91.2 (Voyage, contexts by Claude, Cohere rerank)' },
      'Pass@10': { bar: 91.5, goal: 94.8, common: '73.7', published: '94.8 (the same)' },
      'Pass@20': { bar: 94.5, goal: 96.3, common: '81.3', published: '96.3 (the same)' },
    },
  },
  'anthropic-docs': {
    title: 'Anthropic docs',
    headline: 'recall@3',
    unit: '',
    measures: {
      'recall@3': { bar: 0.75, goal: 0.8, common: '.659 (its basic RAG), .643 (BM25)', published: '.714 (summaries by a model)' },
      'MRR@3': { bar: 0.86, goal: 0.9, common: '.737 (its basic RAG), .780 (BM25)', published: '.865 (reranked by a model)' },
      'precision@3': { goal: 0.5, common: '.428 (its basic RAG), .400 (BM25)', published: '.453 (summaries by a model)' },
    },
  },
  locomo: {
    title: 'LoCoMo',
    headline: 'turn recall@10',
    unit: '%',
    measures: { 'turn recall@10': { bar: 82, goal: 88, common: '42.3 (vector), 63.4 (BM25)' } },
  },
  beam: {
    title: 'BEAM 100K',
    headline: 'message recall@10',
    unit: '',
    apart: manyMessages,
    measures: { 'message recall@10': { bar: 0.59, goal: 0.7, common: '.440 (BM25, all categories)' } },
  },
  'beam-1m': {
    title: 'BEAM 1M',
    headline: 'message recall@10',
    unit: '',
    apart: manyMessages,
    measures: { 'message recall@10': { goal: 0.6, common: '.287 (BM25, all categories)' } },
  },
  longmemeval: {
    title: 'LongMemEval, 7 questions',
    headline: 'session recall_any@5',
    unit: '%',
    measures: { 'session recall_any@5': { published: '98.4 on the full set (hybrid)' } },
  },
  qmsum: {
    title: 'QMSum',
    headline: 'recall in 6,000 characters',
    unit: '',
    measures: {
      'recall in 6,000 characters': { bar: 0.56, goal: 0.65, common: '.486 (BM25)' },
      'precision in 6,000 characters': { common: '.240 (BM25)' },
    },
  },
  scifact: {
    title: 'SciFact',
    headline: 'nDCG@10',
    unit: '',
    measures: { 'nDCG@10': { bar: 0.72, goal: 0.75, common: '.668 (BM25), .645 (MiniLM)' } },
  },
  xquad: {
    title: 'XQuAD, 12 languages',
    headline: 'paragraph R@1',
    unit: '',
    measures: {
      'paragraph R@1': { bar: 0.91, goal: 0.95, common: '.747 (words)' },
      'paragraph R@1, worst language': { bar: 0.88, goal: 0.92, common: '.108 (words)' },
    },
  },
}
