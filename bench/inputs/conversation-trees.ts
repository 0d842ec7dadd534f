import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { buildTree, type Tree } from 'ashlar/tree'
import { englishText } from './english-text.ts'
import { evaluationFolder } from './evaluation-folder.ts'

/** Trees with at least so many children together, and questions about them. */
interface ConversationTrees {
  readonly trees: readonly Tree[]
  readonly questions: readonly string[]
  /** Where they come from, for people. */
  readonly source: string
}

/** BEAM's conversations, 40,000 characters a document, and its questions where they are; else English prose and its own sentences. */
export function conversationTrees(children: number, asked: number): ConversationTrees {
  const folder = evaluationFolder()
  const beam = folder === null ? '' : join(folder, 'beam')
  const lines = (name: string): readonly Record<string, unknown>[] =>
    gunzipSync(readFileSync(join(beam, name)))
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  const source = folder === null ? 'English prose' : "BEAM's conversations and questions"
  const prose = folder === null ? englishText(children * 250).text.match(/[\s\S]{1,40000}/g) : null
  const texts =
    prose ??
    readdirSync(beam)
      .filter((name) => name.includes('messages'))
      .sort()
      .map((name) =>
        lines(name)
          .map(({ content }) => String(content))
          .join('\n\n'),
      )
  const trees: Tree[] = []
  let count = 0
  for (const [at, text] of texts.flatMap((whole) => whole.match(/[\s\S]{1,40000}/g) ?? []).entries()) {
    if (count >= children) break
    const tree = buildTree(text.toWellFormed().replaceAll('\u0000', '\ufffd'), { document: `d${at}` })
    trees.push(tree)
    count += tree.children.length
  }
  const questions =
    folder === null
      ? trees.map((tree) => tree.children[0]?.text.slice(0, 100) ?? '')
      : lines('questions_100K.jsonl.gz').map(({ question }) => String(question))
  const step = Math.max(1, Math.floor(questions.length / asked))
  return { trees, questions: questions.filter((_, at) => at % step === 0).slice(0, asked), source }
}
