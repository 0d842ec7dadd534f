import type { Store } from '../store/store.ts'
import { checkAbort, must } from './model-contract.ts'
import { everything, listAll, mustHold, mustRefuse, type PromiseOf, queryTerms } from './store-contract-case.ts'
import { StoreOracle, sameData } from './store-oracle.ts'
import { sampleDocument, sampleIdentity, sampleText, sampleVector } from './store-samples.ts'

const identity = sampleIdentity('first')

/** One call of every method, each with whatever else it takes. */
const calls: Readonly<Record<string, (store: Store, signal?: AbortSignal) => Promise<unknown>>> = {
  put: (store, signal) => store.put([sampleDocument('d', sampleText(1), [identity])], given(signal)),
  remove: (store, signal) => store.remove(['d'], given(signal)),
  get: (store, signal) => store.get(['d'], given(signal)),
  list: (store, signal) => store.list(given(signal)),
  nominate: (store, signal) => store.nominate({ ...given(signal), terms: { terms: queryTerms('a'), limits: everything } }),
  children: (store, signal) => store.children([{ key: 1, parent: 2 }], given(signal)),
  embeddings: (store, signal) => store.embeddings(given(signal)),
  embedding: (store, signal) => store.embedding(identity, 'add', given(signal)),
  maintain: (store, signal) => store.maintain(given(signal)),
}

function given(signal: AbortSignal | undefined): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}

/** What a store promises about being closed, stopped, empty, asked for too much, and used by many at once. */
export function traitPromises(promise: PromiseOf): void {
  promise('says what it is', async (open) => {
    const store = await open({ alsoRead: ['two'], fields: { kind: 'string' } })
    must(store.supports.engine !== '', 'the engine has no name')
    must(sameData(store.scope, { workspace: 'one', alsoRead: ['two'], fields: { kind: 'string' } }), 'the scope is another')
  })

  promise('refuses everything once it is closed, and closes twice', async (open) => {
    const store = await open()
    const other = await open()
    const running = store.put([sampleDocument('d', sampleText(1))])
    await store.close()
    await store.close()
    await store[Symbol.asyncDispose]()
    must((await running)[0]?.changed === true, 'a write that was under way was not finished')
    for (const [name, call] of Object.entries(calls)) await mustRefuse(call(store), ['STORE_CLOSED'], `${name} on a closed store`)
    must((await other.get(['d']))[0] !== undefined, 'closing one store closed another')
  })

  promise('stops when it is told to, with the reason it was given', async (open) => {
    const store = await open()
    for (const call of Object.values(calls)) await checkAbort((signal) => call(store, signal))
    const documents = Array.from({ length: 6 }, (_, index) =>
      sampleDocument(`s${index}`, sampleText(index, { sections: 2, paragraphs: 3, lines: 5 }), [identity]),
    )
    for (const document of documents) {
      const controller = new AbortController()
      const work = store.put([document], { signal: controller.signal }).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, Number(document.tree.document.slice(1))))
      controller.abort()
      await work
    }
    const stored = await listAll(store)
    const oracle = new StoreOracle()
    for (const document of [sampleDocument('d', sampleText(1), [identity]), ...documents])
      if (stored.includes(document.tree.document)) oracle.put(document)
    await mustHold(store, oracle)
  })

  promise('takes nothing for an answer', async (open) => {
    const store = await open()
    must(
      (await store.put([])).length === 0 && (await store.remove([])).length === 0 && (await store.get([])).length === 0,
      'nothing gave something',
    )
    must(sameData(await store.list(), { items: [] }), 'an empty store lists something')
    const nothing = await store.nominate({})
    must(nothing.children.length === 0 && nothing.count === 0, 'an empty store nominates something')
    must((await store.children([])).children.length === 0, 'no keys gave children')
    await store.maintain()
    await store.maintain({ purge: true })
    await store.put([sampleDocument('d', sampleText(1), [identity])])
    must((await store.nominate({})).children.length === 0, 'a query for nothing nominates something')
    const none = { child: 0, parent: 0, section: 0, document: 0 }
    must(
      (await store.nominate({ terms: { terms: queryTerms(sampleText(1)), limits: none } })).children.length === 0,
      'limits of 0 nominate something',
    )
    must(
      (await store.nominate({ terms: { terms: [], limits: everything } })).children.length === 0,
      'no terms nominate something',
    )
    must(
      (await store.nominate({ vector: { identity, values: sampleVector('a', identity), limit: 0 } })).children.length === 0,
      'a limit of 0 nominates something',
    )
  })

  promise('refuses more than a call may ask for', async (open) => {
    const store = await open()
    const many = Array.from({ length: 100_001 }, (_, index) => `d${index}`)
    await mustRefuse(store.get(many), ['INVALID_OPTION'], 'getting 100,001 documents')
    await mustRefuse(store.remove(many), ['INVALID_OPTION'], 'removing 100,001 documents')
    await mustRefuse(store.put(many as never), ['INVALID_OPTION'], 'putting 100,001 documents')
    await mustRefuse(
      store.children(many.map((_, index) => ({ key: index + 1, parent: 1 }))),
      ['INVALID_OPTION'],
      'fetching 100,001 children',
    )
    for (const limit of [-1, 1.5, Number.NaN, 1e9]) {
      await mustRefuse(
        store.nominate({ vector: { identity, values: sampleVector('a', identity), limit } }),
        ['INVALID_OPTION'],
        `${limit} nominations by vector`,
      )
      await mustRefuse(
        store.nominate({ terms: { terms: queryTerms('a'), limits: { ...everything, parent: limit } } }),
        ['INVALID_OPTION'],
        `${limit} nominations by words`,
      )
    }
    for (const weight of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      await mustRefuse(
        store.nominate({ terms: { terms: [{ term: 'a', weight }], limits: everything } }),
        ['INVALID_OPTION'],
        `a term of weight ${weight}`,
      )
    for (const wrong of [undefined, null, 'd', {}, 1]) {
      await mustRefuse(store.put(wrong as never), ['INVALID_OPTION'], `putting ${String(wrong)}`)
      await mustRefuse(store.get(wrong as never), ['INVALID_OPTION'], `getting ${String(wrong)}`)
    }
  })

  promise('takes a thousand documents in one call', async (open) => {
    const store = await open()
    const documents = Array.from({ length: 1_000 }, (_, index) =>
      sampleDocument(`d${index}`, `line ${index} of many\n`, [identity]),
    )
    const receipts = await store.put(documents)
    must(
      receipts.length === 1_000 && receipts.every(({ changed, document }, index) => changed && document === `d${index}`),
      'a receipt is missing or in the wrong place',
    )
    must((await listAll(store, 1_000)).length === 1_000, 'a document is missing')
    const found = await store.nominate({ terms: { terms: queryTerms('many'), limits: everything } })
    must(found.count === 1_000 && found.children.length === 1_000, `${found.children.length} children are found`)
    must(
      (await store.remove(documents.map(({ tree }) => tree.document))).every((receipt) => receipt.found),
      'a document was not removed',
    )
    must((await store.list()).items.length === 0, 'a document is left')
  })

  promise('shows readers one version of a document at a time while many write', async (open) => {
    const version = (id: string, number: number) =>
      sampleDocument(
        id,
        Array.from({ length: 12 }, (_, line) => `version ${number} line ${line} of ${id}\n${line % 3 === 2 ? '\n' : ''}`).join(
          '',
        ),
        [identity],
      )
    const first = await open()
    await first.put([version('same', 0), ...[0, 1, 2, 3].map((writer) => version(`own${writer}`, 0))])
    let writing = true
    const write = async (writer: number): Promise<void> => {
      const store = await open()
      for (let number = 1; number <= 6; number++) {
        await store.put([version('same', writer * 100 + number)])
        await store.put([version(`own${writer}`, number)])
        if (number % 3 === 0) {
          await store.remove([`own${writer}`])
          await store.put([version(`own${writer}`, number)])
        }
      }
    }
    const read = async (): Promise<void> => {
      const store = await open()
      while (writing) {
        for (const record of await store.get(['same', 'own1']))
          if (record !== undefined)
            mustBeOneVersion(
              record.tree.children.map(({ text }) => text),
              12,
            )
        const found = await store.nominate({
          vector: { identity, values: sampleVector('version line', identity), limit: 30 },
          terms: { terms: queryTerms('version same'), limits: everything },
        })
        const { children } = await store.children(found.children, { neighbours: 1, windows: identity })
        for (const [, records] of Map.groupBy(children, ({ document }) => document.id))
          mustBeOneVersion(
            records.map(({ parent, start, lead, end }) => parent.text.slice(start + lead - parent.start, end - parent.start)),
            undefined,
          )
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    }
    const readers = [0, 1, 2, 3].map(read)
    await Promise.all([0, 1, 2, 3].map(write)).finally(() => {
      writing = false
    })
    await Promise.all(readers)
    const oracle = new StoreOracle()
    for (const writer of [0, 1, 2, 3]) oracle.put(version(`own${writer}`, 6))
    const [same] = await first.get(['same'])
    oracle.put(version('same', Number(/version (\d+)/.exec(same?.tree.text ?? '')?.[1])))
    await mustHold(first, oracle)
  })

  promise('still has everything when it is opened again, where it says that it is durable', async (open) => {
    const store = await open()
    const document = sampleDocument('d', sampleText(1), [identity])
    const oracle = new StoreOracle()
    oracle.put(document)
    await store.put([document])
    await store.close()
    if (!store.supports.durable) return
    const again = await open()
    await mustHold(again, oracle)
    must((await again.put([document]))[0]?.changed === false, 'a document was written again')
  })
}

function mustBeOneVersion(lines: readonly string[], count: number | undefined): void {
  const versions = new Set(lines.map((line) => /version (\d+)/.exec(line)?.[1]))
  must(versions.size <= 1, `a reader saw the versions ${[...versions].join()} of a document together`)
  must(count === undefined || lines.length === count, `a reader saw ${lines.length} of ${count} lines`)
}
