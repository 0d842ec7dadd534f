import { chunkMarkdown } from 'ashlar'
import { type BeamMessage, type BeamQuestion, openBeam } from '../../bench/inputs/beam.ts'
import type { EvalCollection, EvalQuestion, EvalSet } from '../eval-set.ts'
import { inRuns, nestedTree } from '../nested-tree.ts'

const first = 10
const conversations = 10
const childSize = 300
const parentSize = 800

/** Their evidence is many messages, which no first ten can hold. */
const apart = ['event_ordering', 'summarization']

/** BEAM, conversations of 100,000 tokens: judged by the evidence messages among the first ten. */
export function readBeam({ quick }: { readonly quick: boolean }): EvalSet | null {
  const beam = openBeam()
  if (beam === null) return null
  const names = Array.from({ length: quick ? 1 : conversations }, (_, at) => `100K-${at + 1}`)
  return {
    name: 'BEAM 100K',
    measures: [`evidence messages in the first ${first}`],
    depth: 150,
    documents: false,
    collections: names.map((name) => toCollection(name, beam.messages(name), beam.questions)),
    note: `BEAM: conversations 100K-1 to 100K-${conversations}; messages in children of at most ${childSize} and parents of at most ${parentSize} characters, a section an exchange of question and answer; a message scores as its best child; questions with evidence, ${apart.join(' and ')} left out. The design does not say which questions, cut or conversations its figure is of, so the bar is only indicative: with those two kinds in, 179 questions gave 54.0.`,
  }
}

function toCollection(name: string, messages: readonly BeamMessage[], questions: readonly BeamQuestion[]): EvalCollection {
  const pieces = messages.map((message) => ({
    message,
    texts: Array.from(chunkMarkdown(textOf(message), { size: childSize, overlap: 0, trim: false }), ({ text }) => text),
  }))
  const exchanges = Object.values(
    Object.groupBy(pieces, ({ message }) => `${message.batch}/${message.turn}/${Math.floor(message.id / 2)}`),
  )
  const tree = nestedTree(
    name,
    'turns',
    exchanges.map((exchange) => exchange!.flatMap(({ texts }) => inRuns(texts, parentSize, (text) => text.length))),
  )
  const ids = pieces.flatMap(({ message, texts }) => texts.map(() => message.id))
  const messageAt = new Map(tree.children.map(({ start }, at) => [start, ids[at]!]))
  return {
    trees: [tree],
    questions: questions
      .filter(
        ({ conversation, category, source_ids }) => conversation === name && source_ids.length > 0 && !apart.includes(category),
      )
      .map(
        ({ question, source_ids }): EvalQuestion => ({
          text: question,
          test: true,
          judge(ranked) {
            const found = [...new Set(ranked.map(({ start }) => messageAt.get(start)!))].slice(0, first)
            return [found.filter((id) => source_ids.includes(id)).length / source_ids.length]
          },
        }),
      ),
  }
}

/** A message without the mark that the generator of the set left at its end. */
function textOf({ role, content }: BeamMessage): string {
  return `${role}: ${content.replace(/\s*->->.*$/, '')}\n\n`
}
