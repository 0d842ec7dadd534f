import { localEmbedder } from 'ashlar/local'
import { type Expand, search } from 'ashlar/search'
import { memoryStore } from 'ashlar/stores'
import { type Bench, type Figure, figure } from '../../bench/harness/bench.ts'
import { modelFolder } from '../../bench/inputs/model-folder.ts'
import { recordedEmbedder } from '../../bench/late/recorded-embedder.ts'
import { openEvalCache, queryFolder } from '../eval-cache.ts'
import { lateDocument } from '../late-documents.ts'
import { designTree } from '../nominate/design-tree.ts'
import { readChroma } from '../sets/chroma.ts'

const kinds: readonly Expand[] = ['child', 'parent', 'segment']

/** What children, parents and joined neighbours hold of the evidence when a reader takes in equally many characters. */
export const expand: Bench = {
  summary: 'children, parents and segments as hits: evidence in equally many characters',
  async run(options) {
    const set = readChroma(options)
    if (set === null) return { figures: [], table: { columns: ['hits'], rows: [] }, notes: ['Chroma is not there.'] }
    await using embedder = await localEmbedder(modelFolder('all-MiniLM-L6-v2'))
    await using cache = openEvalCache()
    const asking = recordedEmbedder(embedder, queryFolder())
    const { documents, questions } = set.collections[0]!
    const trees = documents.map((document) => designTree(set.name, document))
    await using store = memoryStore({ workspace: 'expand' })
    for (const tree of trees) await store.put([await lateDocument(tree, { embedder }, cache, () => {})])
    await store.maintain()
    const sums = new Map(kinds.map((kind): [Expand, number[]] => [kind, set.measures.map(() => 0)]))
    const lengths = new Map(kinds.map((kind): [Expand, number] => [kind, 0]))
    for (const [at, { text, judge }] of questions.entries()) {
      options.progress.step('expand', at, questions.length)
      for (const kind of kinds) {
        const { hits } = await search(store, text, { embedding: { embedder: asking }, expand: kind, limit: 30, places: false })
        const found = judge(hits.map(({ document, start, end }) => ({ document: document.id, start, end })))
        for (const [measure, share] of found.entries()) sums.get(kind)![measure]! += share
        lengths.set(kind, lengths.get(kind)! + hits.slice(0, 10).reduce((sum, hit) => sum + hit.text.length, 0))
      }
    }
    const figures: Figure[] = kinds.flatMap((kind) =>
      set.measures.map((measure, at) => figure(`${kind}: ${measure}`, (100 * sums.get(kind)![at]!) / questions.length, '%')),
    )
    return {
      figures,
      table: {
        title: 'Share of the evidence, by what a hit is made of',
        columns: ['hits', ...set.measures, 'characters of ten hits'],
        rows: kinds.map((kind) => [
          kind,
          ...sums.get(kind)!.map((sum) => ((100 * sum) / questions.length).toFixed(1)),
          Math.round(lengths.get(kind)! / questions.length),
        ]),
      },
      notes: [
        'Chroma, all questions; all-MiniLM-L6-v2 with token states. A reader stops in the middle of the hit that fills the characters.',
      ],
    }
  },
}
