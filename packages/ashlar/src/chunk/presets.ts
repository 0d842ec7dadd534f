import type { ChunkOptions } from './chunk-options.ts'

/** What a document mostly is; it decides how large its chunks are and whether they overlap. */
export type Content = 'code' | 'text' | 'mixed'

/**
 * Sizes in characters for two purposes: `precise` finds the sentence that answers, `wide` fills half the window of a large
 * embedding model (16,000 characters).
 *
 * Each leaves a window from the smallest to the largest size. Code does not overlap, since half a statement says nothing; text
 * repeats 15 %, from a sentence on; mixed content takes 60 % of the maximum and repeats 10 %.
 *
 * @example
 * console.log(presets.precise.text.size, presets.wide.mixed.overlap) // => 500 960
 */
export const presets: Readonly<
  Record<'precise' | 'wide', Readonly<Record<Content, Required<Pick<ChunkOptions, 'size' | 'overlap' | 'window'>>>>>
> = {
  precise: {
    code: { size: 1024, overlap: 0, window: 512 },
    text: { size: 500, overlap: 75, window: 300 },
    mixed: { size: 614, overlap: 61, window: 368 },
  },
  wide: {
    code: { size: 16_000, overlap: 0, window: 15_488 },
    text: { size: 6400, overlap: 960, window: 3840 },
    mixed: { size: 9600, overlap: 960, window: 5760 },
  },
}
