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

export type SetName =
  | 'chroma'
  | 'anthropic-code'
  | 'anthropic-docs'
  | 'locomo'
  | 'beam'
  | 'beam-1m'
  | 'longmemeval'
  | 'qmsum'
  | 'scifact'
  | 'xquad'

/** Every set by its name, read when it is asked for; null where its files are not there. */
export const sets: Readonly<Record<SetName, (options: ReadOptions) => EvalSet | null>> = {
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
}
