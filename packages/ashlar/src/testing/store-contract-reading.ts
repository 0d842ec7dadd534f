import type { ChildRecord, NominationQuery, Store } from '../store/store.ts'
import { LineMap } from '../text/line-map.ts'
import { must } from './model-contract.ts'
import {
  everything,
  listAll,
  mustRefuse,
  namesOf,
  type PromiseOf,
  queryTerms,
  type StoreContractOptions,
} from './store-contract-case.ts'
import { childName, compareTexts, StoreOracle, sameData } from './store-oracle.ts'
import { ownText, sampleDocument, sampleIdentity, samplePieces, sampleText, sampleVector, sampleWord } from './store-samples.ts'

const identity = sampleIdentity('first')
const queries = Array.from(
  { length: 12 },
  (_, index) => `${sampleWord(index * 7)} ${sampleWord(index * 31 + 3)} ${sampleWord(index)}`,
)

/** What a store promises about listing, nominating and fetching. */
export function readingPromises(promise: PromiseOf, { recall = 0.97, reference }: StoreContractOptions): void {
  promise('lists in the order of ids, page by page, whatever is written meanwhile', async (open) => {
    const store = await open()
    const ids = ['a', 'b', 'B', 'ä', 'z', '\uffff', '\u{1f600}', '10', '9', ' ', 'a b', '漢', 'aa'].toSorted(compareTexts)
    await store.put(ids.map((id) => sampleDocument(id, `text of ${id}`)))
    for (const limit of [1, 2, 5, 13, 1000]) {
      const listed = await listAll(store, limit)
      must(sameData(listed, ids), `pages of ${limit} list ${listed.join()} instead of ${ids.join()}`)
    }
    const first = await store.list({ limit: 4 })
    await store.remove([ids[3] ?? '', ids[6] ?? ''])
    await store.put([`${ids[0]}!`, `${ids[1]}!`, `${ids[8]}!`].map((id) => sampleDocument(id, 'new')))
    const rest = await store.list({ limit: 100, ...(first.next === undefined ? {} : { after: first.next }) })
    const expected = [...ids.slice(4, 6), ...ids.slice(7), `${ids[8]}!`].toSorted(compareTexts)
    must(
      sameData(
        rest.items.map(({ id }) => id),
        expected,
      ),
      'a page repeats or skips documents after others were written',
    )
    for (const after of [
      '',
      'x',
      '[]',
      '["a"]',
      '["a","another workspace"]',
      '["a","one","x"]',
      '{}',
      '"',
      '["\u0000","one"',
      "a' or 1=1 --",
    ])
      await mustRefuse(store.list({ after }), ['INVALID_OPTION'], `the cursor ${JSON.stringify(after)}`)
    for (const limit of [0, -1, 1.5, Number.NaN, 1001])
      await mustRefuse(store.list({ limit }), ['INVALID_OPTION'], `a page of ${limit}`)
  })

  promise('finds the nearest vectors', async (open) => {
    const store = await open()
    const oracle = await filled(store, 30)
    let found = 0
    let wanted = 0
    for (const query of queries) {
      const limit = 10
      const { children, lastCosine } = await store.nominate({
        vector: { identity, values: sampleVector(query, identity), limit },
      })
      const named = await namesOf(store, children)
      const cosines = oracle.cosines(query, identity)
      const least = cosines[limit - 1]?.[1] ?? 0
      must(children.length === limit, `${children.length} children were nominated, ${limit} were asked for and there are more`)
      for (const [name, cosine] of cosines) {
        const nominated = named.get(name)
        must(
          nominated === undefined || Math.abs((nominated.cosine ?? 2) - cosine) < 2e-3,
          `the cosine of ${name} is ${nominated?.cosine}, not ${cosine}`,
        )
      }
      wanted += limit
      // Equal cosines are equally right.
      found += [...named.keys()].filter((name) => (cosines.find(([other]) => other === name)?.[1] ?? -2) >= least - 1e-6).length
      const lowest = Math.min(...children.map(({ cosine }) => cosine ?? 2))
      must(lastCosine === lowest, `the last cosine is ${lastCosine} and the lowest ${lowest}`)
    }
    const least = store.supports.exactVectors ? 1 : recall
    must(found / wanted >= least, `${found} of ${wanted} nearest neighbours were found`)
    const all = await store.nominate({ vector: { identity, values: sampleVector('x', identity), limit: 10_000 } })
    must(all.lastCosine === undefined, 'there is a last cosine although all were returned')
    must(
      all.children.length === oracle.children().length,
      `${all.children.length} of ${oracle.children().length} children were returned when all were asked for`,
    )
  })

  promise('scores every level by the words of the query, exactly', async (open) => {
    const store = await open()
    const oracle = await filled(store, 12)
    for (const query of queries) {
      const terms = queryTerms(query).map(({ term }, index) => ({ term, weight: 1 + index / 2 }))
      const expected = oracle.lexical(terms)
      const limits = { child: 5, parent: 3, section: 2, document: 1 }
      const found = await store.nominate({ terms: { terms, limits } })
      const named = await namesOf(store, found.children)
      for (const [name, { lexical }] of named) {
        for (const level of ['child', 'parent', 'section', 'document'] as const)
          must(
            Math.abs(lexical[level] - (expected.get(name)?.[level] ?? -1)) < 1e-6,
            `the ${level} of ${name} scores ${lexical[level]}`,
          )
      }
      for (const level of ['child', 'parent', 'section', 'document'] as const) {
        const pieces = [...new Set([...expected.values()].map((scores) => scores[level]))].filter((score) => score > 0)
        const best = Math.max(0, ...pieces)
        const nominated = [...named.values()].some(({ lexical }) => Math.abs(lexical[level] - best) < 1e-6)
        must(best === 0 || nominated, `the best ${level} for ${query} was not nominated`)
      }
    }
    const both = await store.nominate({
      vector: { identity, values: sampleVector(queries[0] ?? '', identity), limit: 5 },
      terms: { terms: queryTerms(queries[1] ?? ''), limits: { child: 5, parent: 0, section: 0, document: 0 } },
    })
    const expected = oracle.lexical(queryTerms(queries[1] ?? ''))
    for (const [name, { lexical }] of await namesOf(store, both.children))
      must(
        Math.abs(lexical.child - (expected.get(name)?.child ?? -1)) < 1e-6,
        `${name}, nominated by one leg, does not carry the score of the other`,
      )
    must(
      both.children.filter(({ cosine }) => cosine !== undefined).length === 5,
      'not every child of the vector leg carries its cosine',
    )
  })

  promise('counts in how many children a word piece occurs', async (open) => {
    const store = await open()
    const oracle = await filled(store, 6)
    const removed = oracle.documents.get('d2')
    must(removed !== undefined, 'no sample')
    await store.remove(['d2'])
    oracle.documents.delete('d2')
    const pieces = samplePieces(`${queries.join(' ')} unknownword`)
    const { pieceFrequencies } = await store.nominate({
      vector: { identity, values: sampleVector('a', identity), limit: 1, pieces },
    })
    for (const piece of pieces) {
      const expected = oracle.children().filter(({ piece: child }) => samplePieces(ownText(child)).includes(piece)).length
      must(
        (pieceFrequencies.get(piece) ?? 0) === expected,
        `piece ${piece} is counted ${pieceFrequencies.get(piece)} times, not ${expected}`,
      )
    }
  })

  promise('fetches children with their places, neighbours, windows and vectors', async (open) => {
    const store = await open()
    const oracle = await filled(store, 4)
    const { children } = await store.nominate({ vector: { identity, values: sampleVector('a', identity), limit: 10_000 } })
    const reversed = children.toReversed()
    const fetched = await store.children(reversed, { vectors: identity, windows: identity, neighbours: 3 })
    must(
      sameData(
        fetched.children.map(({ key }) => key),
        reversed.map(({ key }) => key),
      ),
      'children do not come in the order asked for',
    )
    for (const record of fetched.children) mustBe(record, oracle, fetched.windows)
    const plain = await store.children(reversed.slice(0, 2))
    must(
      plain.windows.size === 0 &&
        plain.children.every(
          ({ before, after, vector, window }) =>
            before.length + after.length === 0 && vector === undefined && window === undefined,
        ),
      'children come with what was not asked for',
    )
    const [one] = children
    must(one !== undefined, 'no child')
    must((await store.children([one, one])).children.length === 2, 'a child that is asked for twice is not given twice')
    const unknown = [
      { key: one.key, parent: 2 ** 50 },
      { key: 2 ** 50, parent: one.parent },
      { key: one.parent, parent: one.key },
    ]
    must((await store.children(unknown)).children.length === 0, 'children are found at addresses where there are none')
    for (const key of [0, -1, 1.5, Number.NaN, 2 ** 60, '1' as never, undefined as never])
      await mustRefuse(store.children([{ key, parent: one.parent }]), ['INVALID_OPTION'], `the key ${String(key)}`)
    await mustRefuse(store.children([one], { neighbours: -1 }), ['INVALID_OPTION'], 'a negative number of neighbours')
  })

  if (reference !== undefined) {
    promise('ranks as the reference does, after the same history', async (open) => {
      const store = await open({ fields: { kind: 'string' } })
      await using other = await reference({ workspace: 'one', fields: { kind: 'string' } })
      for (const one of [store, other]) {
        await filled(one, 20)
        await one.remove(['d3', 'd4'])
        await one.put([sampleDocument('d5', sampleText(99), [identity], { metadata: { kind: 'b' } })])
      }
      await store.maintain()
      for (const [index, text] of queries.entries()) {
        const query: NominationQuery = {
          vector: { identity, values: sampleVector(text, identity), limit: 10_000, pieces: samplePieces(text) },
          terms: { terms: queryTerms(text), limits: everything },
          ...(index % 3 === 0 ? { where: { op: 'equal', field: 'kind', value: 'a' } } : {}),
        }
        must(
          sameData(await ranking(store, query), await ranking(other, query)),
          `the ranking for ${text} differs from the reference`,
        )
      }
    })
  }
}

/** The order of children by the sum of their scores, which equal scores do not disturb. */
async function ranking(store: Store, query: NominationQuery): Promise<unknown> {
  const found = await store.nominate(query)
  const named = await namesOf(store, found.children)
  const rows = [...named].map(([name, { lexical }]) => ({
    name,
    score: lexical.child + lexical.parent + lexical.section + lexical.document,
  }))
  const rounded = rows.map(({ name, score }) => [name, Math.round(score * 1e5)] as const)
  rounded.sort((left, right) => right[1] - left[1] || compareTexts(left[0], right[0]))
  const cosines = [...named]
    .map(([name, { cosine }]) => [name, Math.round((cosine ?? 0) * 100)] as const)
    .sort((left, right) => compareTexts(left[0], right[0]))
  const frequencies = (map: ReadonlyMap<unknown, number>): unknown =>
    [...map].map(([key, count]) => [String(key), count] as const).sort((left, right) => compareTexts(left[0], right[0]))
  return {
    rounded,
    cosines: cosines.map(([name]) => name),
    count: found.count,
    terms: frequencies(found.frequencies),
    pieces: frequencies(found.pieceFrequencies),
  }
}

async function filled(store: Store, count: number): Promise<StoreOracle> {
  const oracle = new StoreOracle()
  for (let index = 0; index < count; index++) {
    const size = { sections: 1 + (index % 3), paragraphs: 2, lines: 3 }
    oracle.put(
      sampleDocument(`d${index}`, sampleText(index, size), [identity], { metadata: { kind: index % 2 === 0 ? 'a' : 'b' } }),
    )
  }
  await store.put([...oracle.documents.values()])
  return oracle
}

function mustBe(record: ChildRecord, oracle: StoreOracle, windows: ReadonlyMap<string, Uint8Array>): void {
  const { tree, metadata } = oracle.documents.get(record.document.id) ?? {}
  must(tree !== undefined, `a child of ${record.document.id} was fetched, which is not there`)
  const name = childName(tree.document, record.id)
  const child = tree.children[record.index]
  const parent = tree.parents[child?.above ?? -1]
  const section = tree.sections[parent?.above ?? -1]
  must(child?.id === record.id, `${name} is not child ${record.index}`)
  must(record.start === child.start && record.end === child.end && record.lead === child.lead, `${name} stands elsewhere`)
  must(sameData(record.outline, child.outline) && sameData(record.header, child.header), `${name} has another outline or header`)
  must(record.parent.id === parent?.id && record.parent.text === parent.text, `${name} has another parent`)
  must(record.parent.start === parent.start && record.parent.end === parent.end, `the parent of ${name} stands elsewhere`)
  const { line, column } = new LineMap(tree.text).at(parent.start)
  must(record.parent.line === line && record.parent.column === column, `the parent of ${name} is said to begin on another line`)
  must(record.section.start === section?.start && record.section.end === section.end, `the section of ${name} stands elsewhere`)
  must(
    sameData(record.document.metadata, metadata ?? {}) && record.document.length === tree.text.length,
    `the document of ${name} is another`,
  )
  const vector = sampleVector(ownText(child), identity)
  must(record.vector?.every((number, at) => Math.abs(number - (vector[at] ?? 9)) < 2e-3) === true, `${name} has another vector`)
  const beside = [
    ...record.before.map((one, at) => [one, child.index - 1 - at] as const),
    ...record.after.map((one, at) => [one, child.index + 1 + at] as const),
  ]
  const expected = Math.min(3, child.index) + Math.min(3, tree.children.length - 1 - child.index)
  must(beside.length === expected, `${name} has ${beside.length} neighbours, not ${expected}`)
  for (const [place, at] of [...beside, [{ ...record, start: record.start + record.lead }, child.index] as const]) {
    const other = tree.children[at]
    must(
      other !== undefined && place.start === other.start + other.lead && place.end === other.end,
      `a neighbour of ${name} stands elsewhere`,
    )
    const home = tree.parents[other.above]
    must(
      place.window !== undefined && home !== undefined && place.window.place === other.index - home.first,
      `a neighbour of ${name} has another place in its window`,
    )
    const blob = windows.get(place.window.key)
    must(blob !== undefined && new TextDecoder().decode(blob) === home.text, `the window of a neighbour of ${name} is another`)
  }
}
