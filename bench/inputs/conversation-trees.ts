import { buildTree, type Tree } from 'ashlar/tree'
import { openBeam } from './beam.ts'
import { englishText } from './english-text.ts'

/** Trees with at least so many children together, and questions about them. */
interface ConversationTrees {
  readonly trees: readonly Tree[]
  readonly questions: readonly string[]
  /** Where they come from, for people. */
  readonly source: string
}

/** BEAM's conversations, 40,000 characters a document, and its questions where they are; else English prose and its own sentences. */
export function conversationTrees(children: number, asked: number): ConversationTrees {
  const beam = openBeam()
  const texts =
    beam === null
      ? [englishText(children * 250).text]
      : Array.from(beam.conversations(), (messages) => messages.map(({ content }) => content).join('\n\n'))
  const trees: Tree[] = []
  let count = 0
  for (const [at, text] of texts.flatMap((whole) => whole.match(/[\s\S]{1,40000}/g) ?? []).entries()) {
    if (count >= children) break
    const tree = buildTree(text.toWellFormed().replaceAll('\u0000', '\ufffd'), { document: `d${at}` })
    trees.push(tree)
    count += tree.children.length
  }
  const questions =
    beam === null
      ? trees.map((tree) => tree.children[0]?.text.slice(0, 100) ?? '')
      : beam.questions('100K').map(({ question }) => question)
  const source = beam === null ? 'English prose' : "BEAM's conversations and questions"
  const step = Math.max(1, Math.floor(questions.length / asked))
  return { trees, questions: questions.filter((_, at) => at % step === 0).slice(0, asked), source }
}
