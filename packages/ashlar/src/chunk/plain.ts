import type { Format } from './seam.ts'

/** Plain text: no structure of its own; paragraphs, list items, lines, sentences and words are found where a cut must fall. */
export const plain: Format = { id: 'plain', seams: () => [] }
