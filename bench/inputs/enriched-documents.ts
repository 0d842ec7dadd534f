import { markdown, plain } from 'ashlar'
import { buildTree, type Tree, type TreeOptions } from 'ashlar/tree'
import { englishText } from './english-text.ts'
import { readCorpora } from './evaluation-folder.ts'

/** A document that can be built again after an edit. */
export interface EnrichedDocument {
  readonly tree: Tree
  readonly rebuild: (text: string) => Tree
}

/** Documents of about `children` children each, cut from the evaluation corpora in turn, or from generated text without them. */
export function readEnrichedDocuments(count: number, children: number, levels: TreeOptions): EnrichedDocument[] {
  const read = readCorpora().filter(({ name }) => name !== 'chatlogs.md')
  const corpora = read.length > 0 ? read : [{ name: 'generated.txt', text: englishText(4_000_000).text }]
  const places = corpora.map(() => 0)
  return Array.from({ length: count }, (_, at) => {
    const which = pickCorpus(corpora, places, at)
    const { name, text } = corpora[which]!
    const from = places[which]!
    const format = name.startsWith('wikitexts') ? markdown : plain
    const whole = buildTree(text.slice(from, from + children * 2_000), { ...levels, format })
    const last = whole.children[Math.min(children, whole.children.length) - 1]!
    places[which] = from + last.end
    const own = text.slice(from, from + last.end)
    const rebuild = (edited: string): Tree => buildTree(edited, { ...levels, format, document: `${name}:${at}`, title: name })
    return { tree: rebuild(own), rebuild }
  })
}

/** The next corpus in turn that has enough left. */
function pickCorpus(corpora: readonly { readonly text: string }[], places: readonly number[], turn: number): number {
  for (let step = 0; step < corpora.length; step++) {
    const which = (turn + step) % corpora.length
    if (corpora[which]!.text.length - places[which]! > 60_000) return which
  }
  throw new Error('The corpora are too short for so many documents')
}
