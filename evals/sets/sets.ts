import type { EvalSet, ReadOptions } from '../eval-set.ts'
import { readAnthropicCode } from './anthropic-code.ts'
import { readAnthropicDocs } from './anthropic-docs.ts'
import { readBeam } from './beam.ts'
import { readChroma } from './chroma.ts'
import { readLocomo } from './locomo.ts'
import { readLongMemEval } from './longmemeval.ts'
import { readQmsum } from './qmsum.ts'
import { readSciFactSet } from './scifact.ts'
import { readXquad } from './xquad.ts'

/** Every set by its name, read when it is asked for; null where its files are not there. */
export const sets = {
  chroma: readChroma,
  'anthropic-code': readAnthropicCode,
  'anthropic-docs': readAnthropicDocs,
  locomo: readLocomo,
  beam: readBeam,
  'beam-1m': (options) => readBeam({ ...options, size: '1M' }),
  longmemeval: readLongMemEval,
  qmsum: readQmsum,
  scifact: readSciFactSet,
  xquad: readXquad,
} satisfies Record<string, (options: ReadOptions) => EvalSet | null>

export type SetName = keyof typeof sets
