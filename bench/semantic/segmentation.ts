import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chunk, type Format, strength } from 'ashlar'
import { type SemanticOptions, semanticFormat } from 'ashlar/vectors'
import { evaluationFolder } from '../inputs/evaluation-folder.ts'
import { openRandom } from '../inputs/random.ts'

/** A conversation and how many of its utterances belong to each of its topics, as people saw it. */
export interface Dialogue {
  readonly utterances: readonly string[]
  readonly segments: readonly number[]
  readonly set: string
}

/** Errors of a segmentation, lower is better, and F1 of its boundaries, higher is better. */
export interface SegmentationScore {
  readonly pk: number
  readonly windowDiff: number
  readonly f1: number
}

export function readDialogues(name: 'tiage' | 'meeting_committee', set: 'train' | 'dev' | 'test'): Dialogue[] {
  const folder = evaluationFolder()
  if (folder === null) return []
  const all = JSON.parse(readFileSync(join(folder, 'dialseg', `${name}.json`), 'utf8')) as Dialogue[]
  return all.filter((dialogue) => dialogue.set === set)
}

/** Utterances are what sentences are elsewhere: chunks end between them only. */
const utterances: Format = {
  id: 'utterances',
  *seams(text) {
    for (let at = 0; at !== -1 && at < text.length; at = nextLine(text, at))
      yield { at, strength: strength.line, kind: 'utterance', inside: 'words' }
  },
}

function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at)
  return found === -1 ? -1 : found + 1
}

/** Where topics end by similarity: for each seam between two utterances, whether a chunk ends there. */
export async function segment({ utterances: said }: Dialogue, options: SemanticOptions): Promise<boolean[]> {
  // An utterance of white space alone is still one.
  const text = said.map((utterance) => utterance.replace(/\s+/g, ' ').trim() || '.').join('\n')
  const format = await semanticFormat(text, { ...options, format: utterances })
  const ends = new Set(Array.from(chunk(text, { format, size: text.length + 1, overlap: 0, trim: false }), ({ end }) => end))
  const boundaries: boolean[] = []
  for (let at = nextLine(text, 0); at !== -1; at = nextLine(text, at)) boundaries.push(ends.has(at))
  return boundaries
}

/** No boundary at all: what a method must beat. */
export function segmentNot({ utterances: said }: Dialogue): boolean[] {
  return said.slice(1).map(() => false)
}

/** As many boundaries as there should be, on average, at places drawn by lot. */
export function segmentAtRandom({ utterances: said, segments }: Dialogue, seed: number): boolean[] {
  const random = openRandom(seed)
  return said.slice(1).map(() => random() < (segments.length - 1) / Math.max(1, said.length - 1))
}

/** Pk and WindowDiff as means over dialogues, F1 over the boundaries of all of them. */
export function scoreSegmentation(dialogues: readonly Dialogue[], found: readonly (readonly boolean[])[]): SegmentationScore {
  let pk = 0
  let windowDiff = 0
  let hits = 0
  let wanted = 0
  let given = 0
  for (const [index, { segments }] of dialogues.entries()) {
    const reference = topicsOf(segments.flatMap((length) => Array.from({ length }, (_, at) => at === 0)).slice(1))
    const hypothesis = topicsOf(found[index]!)
    const length = reference.length
    const window = Math.max(2, Math.round(length / (2 * segments.length)))
    let apart = 0
    let counted = 0
    for (let at = 0; at + window < length; at++) {
      const inReference = reference[at + window]! - reference[at]!
      const inHypothesis = hypothesis[at + window]! - hypothesis[at]!
      if ((inReference === 0) !== (inHypothesis === 0)) apart++
      if (inReference !== inHypothesis) counted++
    }
    pk += apart / Math.max(1, length - window)
    windowDiff += counted / Math.max(1, length - window)
    for (let at = 1; at < length; at++) {
      const isWanted = reference[at] !== reference[at - 1]
      const isGiven = found[index]![at - 1]!
      wanted += Number(isWanted)
      given += Number(isGiven)
      hits += Number(isWanted && isGiven)
    }
  }
  return { pk: pk / dialogues.length, windowDiff: windowDiff / dialogues.length, f1: (2 * hits) / Math.max(1, wanted + given) }
}

/** The number of the topic that each utterance belongs to. */
function topicsOf(boundaries: readonly boolean[]): number[] {
  const topics = [0]
  for (const boundary of boundaries) topics.push(topics.at(-1)! + Number(boundary))
  return topics
}
