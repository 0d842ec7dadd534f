import fc from 'fast-check'
import type { ChildNote, StoredDocument } from '../store/store.ts'
import { must } from './model-contract.ts'
import {
  everything,
  listAll,
  mustHold,
  mustRefuse,
  namesOf,
  type PromiseOf,
  queryTerms,
  type StoreContractOptions,
} from './store-contract-case.ts'
import { childName, StoreOracle } from './store-oracle.ts'
import { sampleDocument, sampleIdentity, samplePieces, sampleText, sampleTree, sampleVector } from './store-samples.ts'

const identity = sampleIdentity('first')

/** What a store promises about putting and removing. */
export function writingPromises(promise: PromiseOf, { runs = 15, seed = 20261115 }: StoreContractOptions): void {
  promise('gives back what was put, to the code unit', async (open) => {
    const store = await open({ fields: { kind: 'string', year: 'number' } })
    const oracle = new StoreOracle()
    const texts = [
      '',
      ' ',
      '\n\n',
      'one line',
      '# a\n\nb\n',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} 漢字。\r\n\ufeff\u202e"\'\\;--\n',
      sampleText(1),
    ]
    for (const [index, text] of texts.entries()) {
      const tree = sampleTree(`d${index}`, text, index % 3)
      const notes = tree.children.slice(0, 2).map(
        ({ id }): ChildNote => ({
          child: id,
          context: `About \u0000 ${id}`,
          keywords: ['a', ''],
          provenance: { model: 'm', at: [1, null] },
        }),
      )
      const metadata = { kind: `k${index}`, year: index, free: ['x', 'y'], flag: index % 2 === 0 }
      const document = { tree, notes, metadata }
      oracle.put(document)
      const [receipt] = await store.put([document])
      must(receipt?.changed === true && receipt.children.added === tree.children.length, `the receipt of d${index} is wrong`)
    }
    await mustHold(store, oracle)
    const { items } = await store.list()
    must(
      items.every(({ contentHash }) => contentHash.length >= 32),
      'a document has no hash of its content',
    )
  })

  promise('writes nothing that is there already', async (open) => {
    const store = await open()
    const documents = [1, 2, 3].map((index) => sampleDocument(`d${index}`, sampleText(index), [identity]))
    await store.put(documents)
    for (const handle of [store, await open()]) {
      for (const { changed, rows, children } of await handle.put(documents)) {
        must(!changed && rows.written === 0 && rows.deleted === 0, 'a document was written again')
        must(children.added === 0 && children.removed === 0, 'children were added although nothing changed')
      }
    }
    const lean = documents.map(withoutContent)
    must(
      (await store.put(lean)).every(({ changed }) => !changed),
      'a document without the vectors that are there was written again',
    )
  })

  promise('replaces a document as a whole, and keeps the keys of children that stay', async (open) => {
    const store = await open()
    const before = sampleText(1, { sections: 3, paragraphs: 3, lines: 3 })
    const after = before.replace(/\n\n# /, ' and something else\n\n# ').replace('.\n', ' changed.\n')
    await store.put([sampleDocument('d', before, [identity]), sampleDocument('other', sampleText(9), [identity])])
    const keys = await keysByName(store)
    const replaced = sampleDocument('d', after, [identity])
    const [receipt] = await store.put([replaced])
    const oracle = new StoreOracle()
    oracle.put(sampleDocument('other', sampleText(9), [identity]))
    oracle.put(replaced)
    await mustHold(store, oracle)
    const now = await keysByName(store)
    const old = sampleTree('d', before).children.map(({ id }) => id)
    const stays = replaced.tree.children.filter(({ id }) => old.includes(id))
    must(stays.length > 5 && stays.length < old.length, 'the sample is not one that changes in part')
    for (const { id } of stays)
      must(now.get(childName('d', id)) === keys.get(childName('d', id)), `child ${id} stayed and has another key`)
    must(
      receipt?.children.kept === stays.length,
      `the receipt says that ${receipt?.children.kept} children were kept, it is ${stays.length}`,
    )
    must(receipt?.children.removed === old.length - stays.length, 'the receipt counts another number of removed children')
  })

  promise('writes at most 20 rows for an edit near the top of a document of 1 MB', async (open) => {
    const store = await open()
    const before = sampleText(3, { sections: 220, paragraphs: 12, lines: 8 })
    must(before.length > 1_000_000, `the sample has ${before.length} characters`)
    await store.put([sampleDocument('large', before, [identity])])
    const after = `${before.slice(0, 400)} put in between ${before.slice(400)}`
    const [receipt] = await store.put([sampleDocument('large', after, [identity])])
    must((receipt?.rows.written ?? 99) <= 20, `${receipt?.rows.written} rows were written`)
    must((receipt?.rows.deleted ?? 99) <= 20, `${receipt?.rows.deleted} rows were deleted`)
    must((receipt?.children.added ?? 99) <= 3, `${receipt?.children.added} children were added`)
    const [record] = await store.get(['large'])
    must(record?.tree.text === after, 'the text is not the edited one')
  })

  promise('writes one row when only metadata change, and finds by notes what is found by text', async (open) => {
    const store = await open({ fields: { kind: 'string' } })
    const document = sampleDocument('d', sampleText(4), [identity], { metadata: { kind: 'a' } })
    await store.put([document])
    const [receipt] = await store.put([{ ...document, metadata: { kind: 'b' } }])
    must(
      receipt?.changed === true && receipt.rows.written === 1 && receipt.rows.deleted === 0,
      `metadata wrote ${receipt?.rows.written} rows`,
    )
    const child = document.tree.children[2]?.id ?? ''
    const annotated = { ...document, notes: [{ child, context: 'unheardofword stands here', questions: ['why?'] }] }
    await store.put([annotated])
    const found = await store.nominate({
      terms: { terms: queryTerms('unheardofword'), limits: { child: 10, parent: 0, section: 0, document: 0 } },
    })
    const [record] = (await store.children(found.children)).children
    must(
      found.children.length === 1 && record?.id === child && record.note?.context === 'unheardofword stands here',
      'a note is not found',
    )
    const oracle = new StoreOracle()
    oracle.put(annotated)
    await mustHold(store, oracle)
    await store.put([document])
    const after = await store.nominate({ terms: { terms: queryTerms('unheardofword'), limits: everything } })
    must(after.children.length === 0, 'a note that was taken away is still found')
  })

  promise('replaces what was read, and not what somebody else has written meanwhile', async (open) => {
    const store = await open()
    const version = (text: string, replaces?: string | null): StoredDocument => {
      const tree = sampleTree('d', text, 0)
      return replaces === undefined ? { tree } : { tree, replaces }
    }
    await mustRefuse(store.put([version('one', 'never stored')]), ['CHANGED_MEANWHILE'], 'a document that is not there')
    await store.put([version('one', null)])
    await mustRefuse(store.put([version('two', null)]), ['CHANGED_MEANWHILE'], 'a document that should not be there')
    const read = (await store.get(['d']))[0]?.contentHash
    must(read !== undefined, 'the document is not there')
    await store.put([version('two')])
    await mustRefuse(
      store.put([{ tree: sampleTree('other', 'other', 0) }, version('three', read as string)]),
      ['CHANGED_MEANWHILE'],
      'a document that has changed',
    )
    must((await store.get(['d']))[0]?.tree.text === 'two', 'a change was lost')
    must((await store.get(['other']))[0] === undefined, 'part of a refused call was written')
    const again = (await store.get(['d']))[0]?.contentHash as string
    await store.put([version('three', again)])
    must((await store.get(['d']))[0]?.tree.text === 'three', 'the change was not made')
    const receipts = await Promise.allSettled(
      ['four', 'five'].map(async (text) => store.put([version(text, (await store.get(['d']))[0]?.contentHash as string)])),
    )
    must(
      receipts.some(({ status }) => status === 'fulfilled'),
      'neither of two changes was made',
    )
  })

  promise('leaves nothing of a document that was removed', async (open) => {
    const store = await open()
    const text = sampleText(5)
    await store.put([sampleDocument('d', text, [identity])])
    const everywhere = {
      vector: { identity, values: sampleVector(text, identity), limit: 1000, pieces: samplePieces(text) },
      terms: { terms: queryTerms(text), limits: everything },
    }
    const { children } = await store.nominate(everywhere)
    must(children.length > 0, 'nothing was found before')
    const [first, second] = await store.remove(['d', 'missing'])
    must(first?.found === true && first.rows > 0 && second?.found === false && second.rows === 0, 'the receipts are wrong')
    must(first.erased && !second.erased, 'the receipts do not say what was erased')
    must((await store.remove(['d']))[0]?.found === false, 'a document was removed twice')
    const left = await store.nominate(everywhere)
    must(left.children.length === 0 && left.count === 0, 'children are nominated that are gone')
    must(left.frequencies.size === 0 && left.pieceFrequencies.size === 0, 'words are counted of what is gone')
    must((await store.children(children)).children.length === 0, 'children can be read that are gone')
    must((await store.get(['d']))[0] === undefined && (await listAll(store)).length === 0, 'the document is still there')
    must(
      (await store.embeddings()).every((one) => one.children === 0),
      'vectors are still there',
    )
    await store.maintain({ purge: true })
    must((await store.nominate(everywhere)).count === 0, 'a purge brought something back')
    await store.put([sampleDocument('d', text, [identity])])
    must((await store.nominate(everywhere)).children.length === children.length, 'the document cannot be put again')
  })

  promise(`holds what it should after ${runs} generated histories of puts, edits, removals and merges`, async (open) => {
    let history = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const store = await open({ workspace: `history ${history++}` })
        const oracle = new StoreOracle()
        for (const { what, document, version } of steps) {
          const id = `d${document}`
          if (what === 'remove') {
            await store.remove([id])
            oracle.documents.delete(id)
          } else if (what === 'maintain') {
            await store.maintain({ purge: version > 2 })
          } else {
            const given = sampleDocument(
              id,
              version === 0 ? '' : edited(document, version),
              [identity],
              noted(id, document, version),
            )
            await store.put([given])
            oracle.put(given)
          }
        }
        await mustHold(store, oracle)
        await store.close()
      }),
      { numRuns: runs, seed },
    )
  })

  promise('writes nothing of a call with a document that cannot be stored, and says which', async (open) => {
    const store = await open({ fields: { year: 'number' } })
    const good = sampleDocument('good', sampleText(1))
    const tree = sampleTree('bad', sampleText(2))
    const first = tree.children[0]
    const bad: readonly (readonly [string, StoredDocument])[] = [
      ['a NUL', { tree: sampleTree('bad', 'a\u0000b') }],
      ['a lone surrogate', { tree: sampleTree('bad', 'a\ud800b') }],
      ['an empty id', { tree: sampleTree('', 'text') }],
      ['an id with a NUL', { tree: sampleTree('a\u0000', 'text') }],
      ['a tree with a gap', { tree: { ...tree, children: tree.children.slice(1) } }],
      ['a tree of another text', { tree: { ...tree, text: `${tree.text}more` } }],
      ['two children with one id', { tree: { ...tree, children: tree.children.map((child) => ({ ...child, id: 'same' })) } }],
      ['metadata of another type', { tree, metadata: { year: '1999' } }],
      ['metadata that are no values', { tree, metadata: { a: { b: 1 } } as never }],
      ['metadata with a number that is none', { tree, metadata: { a: Number.NaN } }],
      ['metadata with a NUL', { tree, metadata: { a: '\u0000' } }],
      ['metadata under a name of objects', { tree, metadata: JSON.parse('{"__proto__": "x"}') }],
      ['a note for nobody', { tree, notes: [{ child: 'nobody', context: 'x' }] }],
      ['two notes for one child', { tree, notes: [1, 2].map(() => ({ child: first?.id ?? '', context: 'x' })) }],
      ['no tree', {} as never],
    ]
    for (const [what, document] of bad)
      await mustRefuse(store.put([good, document]), ['INVALID_DOCUMENT'], `a document with ${what}`)
    await mustRefuse(store.put([good, good]), ['INVALID_DOCUMENT'], 'one document twice in a call')
    must((await listAll(store)).length === 0, 'something was written by a call that failed')
  })

  promise('keeps children findable through many small writes', async (open) => {
    const store = await open()
    const oracle = new StoreOracle()
    for (let index = 0; index < 60; index++) {
      const document = sampleDocument(`d${index % 40}`, sampleText(index, { sections: 1, paragraphs: 1, lines: 2 }), [identity])
      await store.put([document])
      oracle.put(document)
    }
    await mustHold(store, oracle)
    await store.maintain()
    await mustHold(store, oracle)
    await store.maintain({ purge: true })
    await mustHold(store, oracle)
  })
}

const step = fc.record({
  what: fc.constantFrom('put', 'put', 'put', 'remove', 'maintain'),
  document: fc.nat({ max: 3 }),
  version: fc.nat({ max: 4 }),
})

/** One text in several versions that share most of their lines. */
function edited(document: number, version: number): string {
  const lines = sampleText(document, { sections: 3, paragraphs: 2, lines: 3 }).split('\n')
  if (version === 2) lines.splice(4, 1, 'an edited line.')
  if (version === 3) lines.splice(lines.length - 6, 0, 'a line near the end.', '')
  if (version === 4) lines.splice(0, 8)
  return lines.join('\n')
}

function noted(id: string, document: number, version: number): Pick<StoredDocument, 'notes' | 'metadata'> {
  if (version < 2) return {}
  const children = sampleTree(id, edited(document, version)).children.filter((_, index) => index % version === 0)
  return { notes: children.map(({ id: child }) => ({ child, keywords: [`version${version}`] })), metadata: { version } }
}

/** The same document as it is put when the store has its vectors and token states already. */
export function withoutContent(document: StoredDocument): StoredDocument {
  const embeddings = document.embeddings?.map((embedding) => ({
    ...embedding,
    vectors: embedding.vectors.map(() => undefined),
    windows: (embedding.windows ?? []).map(({ key, first, after }) => ({ key, first, after })),
  }))
  return { ...document, embeddings: embeddings ?? [] }
}

async function keysByName(store: Parameters<typeof namesOf>[0]): Promise<ReadonlyMap<string, number>> {
  const { children } = await store.nominate({ vector: { identity, values: sampleVector('a', identity), limit: 10_000 } })
  return new Map([...(await namesOf(store, children))].map(([name, { key }]) => [name, key]))
}
