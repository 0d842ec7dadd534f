import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from './evaluation-folder.ts'
import { openRandom, shuffle } from './random.ts'
import { readLines } from './read-lines.ts'

/** A claim, and the abstracts that speak for or against it. */
interface SciFactQuery {
  readonly id: string
  readonly text: string
  readonly relevant: ReadonlySet<string>
  /** The sentences that do, where the set names them. */
  readonly evidence: readonly { readonly document: string; readonly start: number; readonly end: number }[]
}

/** Abstracts, and claims about what is in them. */
export interface SciFact {
  readonly documents: readonly { readonly id: string; readonly text: string }[]
  readonly queries: readonly SciFactQuery[]
}

interface Abstract {
  readonly _id: string
  readonly title: string
  readonly sentences: readonly string[]
}

interface Claim {
  readonly _id: string
  readonly text: string
  readonly evidence: readonly { readonly doc_id: string; readonly sentences: readonly number[] }[]
}

/** The claims of a part of SciFact over every abstract that one of them needs and others drawn by lot, `size` in all; null without the folder. */
export function readSciFact(size: number, queryCount: number, part: 'test' | 'train' = 'test'): SciFact | null {
  const folder = evaluationFolder()
  const home = folder === null ? '' : join(folder, 'scifact')
  if (!existsSync(home)) return null
  const relevant = new Map<string, Set<string>>()
  for (const line of readFileSync(join(home, `qrels_${part}.tsv`), 'utf8')
    .trim()
    .split('\n')
    .slice(1)) {
    const [query, document, score] = line.trim().split('\t')
    if (Number(score) > 0) relevant.set(query!, (relevant.get(query!) ?? new Set()).add(document!))
  }
  const abstracts = readLines<Abstract>(gunzipSync(readFileSync(join(home, 'corpus.jsonl.gz'))).toString('utf8'))
  const byId = new Map(abstracts.map((abstract) => [String(abstract._id), abstract]))
  const queries = readLines<Claim>(readFileSync(join(home, 'queries.jsonl'), 'utf8'))
    .filter(({ _id }) => relevant.has(String(_id)))
    .slice(0, queryCount)
    .map(({ _id, text, evidence }) => ({
      id: String(_id),
      text,
      relevant: relevant.get(String(_id))!,
      evidence: evidence.flatMap(({ doc_id, sentences }) => sentences.map((at) => sentencePlace(byId.get(String(doc_id))!, at))),
    }))
  const needed = new Set(queries.flatMap((query) => [...query.relevant]))
  const corpus = abstracts.map(({ _id, title, sentences }) => ({ id: String(_id), text: [title, ...sentences].join(' ') }))
  const others = shuffle(
    openRandom(4),
    corpus.filter(({ id }) => !needed.has(id)),
  ).slice(0, Math.max(0, size - needed.size))
  return { documents: [...corpus.filter(({ id }) => needed.has(id)), ...others], queries }
}

/** All claims of SciFact, of both parts; empty without the folder. */
export function readSciFactClaims(): string[] {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'scifact', 'queries.jsonl')
  return existsSync(file) ? readLines<{ text: string }>(readFileSync(file, 'utf8')).map(({ text }) => text) : []
}

/** Where a sentence stands in title and sentences, joined by spaces. */
function sentencePlace({ _id, title, sentences }: Abstract, at: number): SciFactQuery['evidence'][number] {
  const start = sentences.slice(0, at).reduce((sum, sentence) => sum + sentence.length + 1, title.length + 1)
  return { document: String(_id), start, end: start + sentences[at]!.length }
}
