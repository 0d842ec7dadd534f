import { recallAt } from 'ashlar/evaluation'
import { type Beam, type BeamMessage, openBeam } from '../../bench/inputs/beam.ts'
import type { EvalCollection, EvalQuestion, EvalSet, ReadOptions } from '../eval-set.ts'
import { knownSets } from '../known-sets.ts'
import { documentOfPieces, pieceName, rankPieces } from '../set-pieces.ts'

const first = 10

/** BEAM's conversations of one size: judged by the evidence messages among the first ten. */
export function readBeam({ quick, size = '100K' }: ReadOptions & { readonly size?: '100K' | '1M' }): EvalSet | null {
  const beam = openBeam()
  if (beam === null) return null
  const names = beam.names(size)
  return {
    name: size === '100K' ? 'beam' : 'beam-1m',
    measures: [`message recall@${first}`],
    depth: 150,
    documents: false,
    apart: knownSets.beam.apart!,
    collections: (quick ? names.slice(0, 1) : names).map((name) =>
      toCollection(name, beam, size, quick ? 2 : Number.POSITIVE_INFINITY),
    ),
    note: `All ${names.length} conversations of ${size} tokens; what was said on one day is a document, a message a piece. Share of the evidence messages among the first ten that the hits bring, over questions with evidence; event_ordering and summarization stand apart. All of it is the test part; nothing is chosen on it.`,
  }
}

/** A conversation up to some day, and the questions that can be answered by then. */
function toCollection(conversation: string, beam: Beam, size: '100K' | '1M', days: number): EvalCollection {
  const batches = new Map([...Map.groupBy(beam.messages(conversation), ({ batch }) => batch)].slice(0, days))
  const documents = Array.from(batches, ([batch, messages]) => {
    const title = messages.find(({ time_anchor }) => time_anchor !== undefined)?.time_anchor
    return {
      id: `${conversation}/${batch}`,
      ...(title === undefined ? {} : { title }),
      format: 'markdown' as const,
      ...documentOfPieces(messages.map(textOf)),
    }
  })
  const places = new Map(
    Array.from(batches, ([batch, messages]) =>
      messages.map(({ id }, at) => [id, pieceName(`${conversation}/${batch}`, at)] as const),
    ).flat(),
  )
  const rank = rankPieces(documents)
  const questions = beam
    .questions(size)
    .filter((question) => question.conversation === conversation && question.source_ids.length > 0)
    .filter(({ source_ids }) => source_ids.every((id) => places.has(id)))
    .map(({ question, category, n, source_ids }): EvalQuestion => {
      const wanted = source_ids.map((id) => places.get(id)!)
      return {
        id: `${conversation}/${category}/${n}`,
        text: question,
        part: 'test',
        category,
        judge: (found) => [recallAt(rank(found), wanted, first)],
      }
    })
  return { id: conversation, documents, questions }
}

/** A message without the mark that the generator of the set left at its end. */
function textOf({ role, content }: BeamMessage): string {
  return `${role}: ${content.replace(/\s*->->.*$/, '')}\n\n`
}
