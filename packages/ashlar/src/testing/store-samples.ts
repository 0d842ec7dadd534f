import { contentIds } from '../chunk/identify.ts'
import type { EmbedderIdentity } from '../model/embedder.ts'
import type { DocumentEmbedding, StoredDocument } from '../store/store.ts'
import { sha256 } from '../text/sha-256.ts'
import type { Tree, TreePiece } from '../tree/tree.ts'

/** An identity whose vectors {@link sampleVector} makes. */
export function sampleIdentity(model: string, dimensions = 16): EmbedderIdentity {
  return {
    model: `contract/${model}`,
    options: { seed: model },
    dimensions,
    pooling: 'mean',
    normalized: true,
    queryPrefix: '',
    documentPrefix: '',
    maxTokens: undefined,
    tokenCodec: 'contract',
  }
}

/** A vector that is near those of texts with the same words: the sum of a fixed direction for each word. */
export function sampleVector(text: string, { model, dimensions = 16 }: EmbedderIdentity): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of wordsOf(text)) {
    const direction = directionOf(`${model} ${word}`, dimensions)
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] as number) + (direction[at] as number)
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((number) => number / length)
}

const directions = new Map<string, Float32Array>()

function directionOf(name: string, dimensions: number): Float32Array {
  const known = directions.get(name)
  if (known !== undefined) return known
  const direction = new Float32Array(dimensions)
  for (let at = 0; at < dimensions; at += 32) {
    const hash = sha256(`${name} ${at}`)
    for (let byte = 0; byte < 32 && at + byte < dimensions; byte++)
      direction[at + byte] = Number.parseInt(hash.slice(2 * byte, 2 * byte + 2), 16) - 127.5
  }
  directions.set(name, direction)
  return direction
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** The word pieces of a text: small numbers made of its words. */
export function samplePieces(text: string): Uint32Array {
  return Uint32Array.from(new Set(wordsOf(text).map((word) => Number.parseInt(sha256(word, 64).slice(0, 3), 16)))).sort()
}

/** Numbers from 0 to 1 that are the same for the same seed. */
function sampleNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How large a sample is: sections of paragraphs of lines. */
export interface SampleSize {
  readonly sections: number
  readonly paragraphs: number
  readonly lines: number
}

/** A text of made-up words, some of which are frequent and most of which are not. */
export function sampleText(
  seed: number,
  { sections, paragraphs, lines }: SampleSize = { sections: 2, paragraphs: 2, lines: 3 },
): string {
  const next = sampleNumbers(seed)
  const word = (): string => sampleWord(Math.floor(400 * next() ** 3))
  const line = (): string => `${Array.from({ length: 5 + Math.floor(next() * 5) }, word).join(' ')}.\n`
  const paragraph = (): string => `${Array.from({ length: lines }, line).join('')}\n`
  const section = (index: number): string =>
    `# ${word()} ${seed} ${index}\n\n${Array.from({ length: paragraphs }, paragraph).join('')}`
  return Array.from({ length: sections }, (_, index) => section(index)).join('')
}

const syllables = ['ba', 'ko', 'li', 'mu', 'ne', 'ra', 'so', 'ti', 'va', 'zu']

/** The word with a number. */
export function sampleWord(number: number): string {
  return [...String(number + 100)].map((digit) => syllables[Number(digit)]).join('')
}

/**
 * A tree of a text that needs no builder: each line is a child, each paragraph a parent, each heading begins a section. `lead` is how much
 * a child repeats of the one before.
 */
export function sampleTree(document: string, text: string, lead = 0): Tree {
  const lines = text.match(/[^\n]*\n+|[^\n]+$/g) ?? []
  const children: TreePiece[] = []
  const parents: TreePiece[] = []
  const sections: TreePiece[] = []
  let at = 0
  let opensParent = true
  for (const line of lines) {
    const heading = line.startsWith('# ')
    const outline = heading ? [line.slice(2).trim()] : (sections.at(-1)?.outline ?? [])
    if (heading || sections.length === 0)
      sections.push({ ...piece(sections.length, at, at, outline), above: 0, first: parents.length })
    if (heading || opensParent) {
      parents.push({ ...piece(parents.length, at, at, outline), above: sections.length - 1, first: children.length })
    }
    const repeated = Math.min(lead, at)
    children.push({
      ...piece(children.length, at - repeated, at + line.length, outline),
      lead: repeated,
      above: parents.length - 1,
    })
    at += line.length
    opensParent = line.endsWith('\n\n')
    close(parents, at, children.length)
    close(sections, at, parents.length)
  }
  const whole = (pieces: TreePiece[], level: string): TreePiece[] => {
    const ids = contentIds({ document, level })
    return pieces.map((one) => ({
      ...one,
      text: text.slice(one.start, one.end),
      id: ids.next(ids.hash(text.slice(one.start + one.lead, one.end))),
    }))
  }
  return {
    document,
    title: `About ${document}`.slice(0, 200),
    format: 'sample',
    text,
    sections: whole(sections, 'section'),
    parents: whole(parents, 'parent'),
    children: whole(children, 'child'),
  }
}

function piece(index: number, start: number, end: number, outline: readonly string[]): TreePiece {
  return { start, end, text: '', lead: 0, index, outline, id: '', above: 0, first: 0, after: 0 }
}

/** The last piece goes up to here. */
function close(pieces: TreePiece[], end: number, after: number): void {
  pieces[pieces.length - 1] = { ...(pieces.at(-1) as TreePiece), end, after }
}

/** A piece's own part. */
export function ownText({ text, lead }: TreePiece): string {
  return text.slice(lead)
}

/** Vectors, token states and word pieces for a tree: one window a parent, whose blob is the parent's text. */
export function sampleEmbedding(tree: Tree, identity: EmbedderIdentity): DocumentEmbedding {
  return {
    identity,
    vectors: tree.children.map((child) => sampleVector(ownText(child), identity)),
    contentKeys: tree.children.map((child) => sha256(`${identity.model} ${ownText(child)}`, 128)),
    windows: tree.parents.map(({ text, first, after }) => {
      const children = tree.children.slice(first, after)
      return {
        key: sha256(`${identity.model} ${children.map((child) => ownText(child).length).join()} ${text}`, 128),
        first,
        after,
        blob: new TextEncoder().encode(text),
        pieces: children.map((child) => samplePieces(ownText(child))),
      }
    }),
  }
}

/** A document with everything that can be kept of one. */
export function sampleDocument(
  id: string,
  text: string,
  identities: readonly EmbedderIdentity[] = [],
  more: Omit<StoredDocument, 'tree' | 'embeddings'> = {},
): StoredDocument {
  const tree = sampleTree(id, text)
  return { tree, embeddings: identities.map((identity) => sampleEmbedding(tree, identity)), ...more }
}
