import type { DocumentSpan } from './document-span.ts'
import { noEvidence } from './span-scores.ts'
import { sharedSize, sizeOf, unionOf } from './span-sets.ts'

/** How pieces are chosen. */
export interface PrecisionOmegaOptions {
  /**
   * Whether a piece that merely touches the evidence, without a character of it, counts as one that holds it. Chroma's reference counts
   * it, and published figures do. @default true
   */
  readonly touching?: boolean
}

/**
 * The most that retrieval could reach with these pieces: what the evidence is of all pieces that hold some of it. Chroma's
 * precision-omega; it judges where a text was cut, without any search.
 *
 * @param pieces all pieces of the documents that hold evidence; those of others do not matter.
 * @throws AshlarError INVALID_OPTION without evidence.
 */
export function precisionOmega(
  pieces: Iterable<DocumentSpan>,
  gold: readonly DocumentSpan[],
  { touching = true }: PrecisionOmegaOptions = {},
): number {
  const wanted = unionOf(gold)
  const size = sizeOf(wanted)
  if (size === 0) throw noEvidence()
  const least = touching ? 0 : 1
  const holds = (piece: DocumentSpan): boolean =>
    (wanted.get(piece.document) ?? []).some(({ start, end }) => Math.min(piece.end, end) - Math.max(piece.start, start) >= least)
  const chosen = unionOf([...pieces].filter(holds))
  const shared = sharedSize(chosen, wanted)
  return shared / (sizeOf(chosen) + size - shared)
}
