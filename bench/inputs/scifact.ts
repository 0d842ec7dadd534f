import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from './evaluation-folder.ts'
import { openRandom, shuffle } from './random.ts'
import { readLines } from './read-lines.ts'

/** Abstracts, and claims with the abstracts that speak for or against them. */
export interface SciFact {
  readonly documents: readonly { readonly id: string; readonly text: string }[]
  readonly queries: readonly { readonly id: string; readonly text: string; readonly relevant: ReadonlySet<string> }[]
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
  const queries = readLines<{ _id: string; text: string }>(readFileSync(join(home, 'queries.jsonl'), 'utf8'))
    .filter(({ _id }) => relevant.has(String(_id)))
    .slice(0, queryCount)
    .map(({ _id, text }) => ({ id: String(_id), text, relevant: relevant.get(String(_id))! }))
  const needed = new Set(queries.flatMap((query) => [...query.relevant]))
  const corpus = readLines<{ _id: string; title: string; text: string }>(
    gunzipSync(readFileSync(join(home, 'corpus.jsonl.gz'))).toString('utf8'),
  ).map(({ _id, title, text }) => ({ id: String(_id), text: `${title} ${text}` }))
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
