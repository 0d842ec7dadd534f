import { sha256 } from '../text/sha-256.ts'
import type { EmbedderIdentity } from './embedder.ts'
import type { GeneratorIdentity } from './generator.ts'
import type { RerankerIdentity } from './reranker.ts'

/**
 * One short string for everything that an identity says, the same on every machine and for every order of fields.
 *
 * An embedder's dimensions and token codec are left out: the first may be learnt only from the first answer, and the second
 * changes what is kept, not the vectors.
 */
export function identityKey(identity: EmbedderIdentity | GeneratorIdentity | RerankerIdentity): string {
  return sha256(canonical({ ...identity, dimensions: undefined, tokenCodec: undefined }), 128)
}

/** JSON with sorted keys; fields without a value are left out. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item)).join()}]`
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`
  }
  return JSON.stringify(value) ?? 'null'
}
