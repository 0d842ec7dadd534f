import type { DocumentRecord, Store, StoredDocument } from '../store/store.ts'
import { must } from './model-contract.ts'
import { mustRefuse, namesOf, type PromiseOf } from './store-contract-case.ts'
import { withoutContent } from './store-contract-writing.ts'
import { StoreOracle, sameData } from './store-oracle.ts'
import { sampleDocument, sampleIdentity, samplePieces, sampleText, sampleVector } from './store-samples.ts'

const old = sampleIdentity('old')
const fresh = sampleIdentity('fresh', 24)

/** What a store promises about embedding identities. */
export function embeddingPromises(promise: PromiseOf): void {
  promise('uses the first embedding it gets and refuses to mix in another', async (open) => {
    const store = await open()
    must((await store.embeddings()).length === 0, 'a store without vectors names an embedding')
    const text = sampleText(1)
    const empty = await store.nominate({ vector: { identity: old, values: sampleVector(text, old), limit: 5 } })
    must(empty.children.length === 0, 'a store without vectors nominates by vector')
    await store.put([sampleDocument('d', text, [old])])
    const [state, ...more] = await store.embeddings()
    must(state?.active === true && more.length === 0 && state.identity.model === old.model, 'the first embedding is not in use')
    must(
      state.identity.dimensions === 16 && state.children === sampleDocument('d', text).tree.children.length,
      'the embedding is counted wrongly',
    )
    await mustRefuse(
      store.put([sampleDocument('e', text, [fresh])]),
      ['EMBEDDING_MISMATCH'],
      'a document with vectors of another model',
    )
    await mustRefuse(
      store.nominate({ vector: { identity: fresh, values: sampleVector(text, fresh), limit: 5 } }),
      ['EMBEDDING_MISMATCH'],
      'a query with a vector of another model',
    )
    await mustRefuse(
      store.nominate({ vector: { identity: old, values: new Float32Array(5), limit: 5 } }),
      ['EMBEDDING_MISMATCH'],
      'a query of other dimensions',
    )
    await mustRefuse(store.embedding(fresh, 'use'), ['EMBEDDING_MISMATCH'], 'the use of an embedding that is not there')
    await mustRefuse(store.embedding(old, 'forget'), ['INVALID_OPTION'], 'forgetting the embedding in use')
    await mustRefuse(store.embedding(fresh, 'praise' as never), ['INVALID_OPTION'], 'a change that there is not')
    await store.embedding(fresh, 'forget')
    const vectors = sampleDocument('e', text, [old])
    const short = {
      ...vectors,
      embeddings: vectors.embeddings?.map((one) => ({ ...one, vectors: one.vectors.map(() => new Float32Array(5)) })) ?? [],
    }
    await mustRefuse(store.put([short]), ['EMBEDDING_MISMATCH', 'INVALID_DOCUMENT'], 'vectors of other dimensions')
    const broken = {
      ...vectors,
      embeddings:
        vectors.embeddings?.map((one) => ({ ...one, vectors: one.vectors.map(() => new Float32Array(16).fill(Number.NaN)) })) ??
        [],
    }
    await mustRefuse(store.put([broken]), ['INVALID_DOCUMENT'], 'vectors of numbers that are none')
    await mustRefuse(store.put([withoutContent(vectors)]), ['INVALID_DOCUMENT'], 'a new document without its vectors')
    const fewer = { ...vectors, embeddings: vectors.embeddings?.map((one) => ({ ...one, vectors: one.vectors.slice(1) })) ?? [] }
    await mustRefuse(store.put([fewer]), ['INVALID_DOCUMENT'], 'fewer vectors than children')
    must((await store.get(['e']))[0] === undefined, 'a document that was refused is there')
  })

  promise('moves to another embedding and back, and never mixes the two', async (open) => {
    const store = await open()
    const documents = [1, 2, 3, 4].map((index) => sampleText(index))
    const both = documents.map((text, index) => sampleDocument(`d${index}`, text, [old, fresh]))
    const only = (which: typeof old): StoredDocument[] =>
      documents.map((text, index) => sampleDocument(`d${index}`, text, [which]))
    await store.put(only(old))
    await store.embedding(fresh, 'add')
    await store.embedding(fresh, 'add')
    await mustRefuse(store.embedding(fresh, 'use'), ['EMBEDDING_MISMATCH'], 'the use of an embedding that most children lack')
    await store.put([both[0] as StoredDocument])
    await mustAnswer(store, old, only(old))
    await mustAnswer(store, fresh, only(fresh).slice(0, 1))
    // Nothing is new to the documents, so the vectors in use may stay as they are.
    await store.put(only(fresh).slice(1))
    await mustAnswer(store, old, only(old))
    await mustAnswer(store, fresh, only(fresh))
    await mustRefuse(
      store.put([sampleDocument('new', 'something new', [fresh])]),
      ['EMBEDDING_MISMATCH'],
      'new text without vectors of the embedding in use',
    )
    await store.embedding(fresh, 'use')
    must(sameData(await activeModels(store), [fresh.model]), 'the new embedding is not the one in use')
    await store.embedding(old, 'use')
    must(sameData(await activeModels(store), [old.model]), 'the old embedding is not in use again')
    await store.embedding(fresh, 'use')
    await store.embedding(old, 'forget')
    await mustAnswer(store, fresh, only(fresh))
    await mustRefuse(
      store.nominate({ vector: { identity: old, values: sampleVector('a', old), limit: 5 } }),
      ['EMBEDDING_MISMATCH'],
      'a query with a vector of a forgotten model',
    )
    const [state, ...more] = await store.embeddings()
    must(state?.identity.model === fresh.model && more.length === 0, 'a forgotten embedding is still listed')
    await store.put([sampleDocument('d0', `${documents[0]}more\n`, [fresh])])
    await store.put([sampleDocument('new', 'something new', [fresh])])
    must(
      (await store.put(only(fresh).slice(1))).every(({ changed }) => !changed),
      'documents were written again after the other embedding was forgotten',
    )
  })

  promise('keeps the vectors of an embedding that a write does not name, for children that stay', async (open) => {
    const store = await open()
    const text = sampleText(7, { sections: 3, paragraphs: 2, lines: 3 })
    await store.put([sampleDocument('d', text, [old])])
    const edited = text.replace('.\n', ' edited.\n')
    await store.put([sampleDocument('d', edited)])
    const stays = sampleDocument('d', edited).tree.children.filter(({ id }) =>
      sampleDocument('d', text).tree.children.some((child) => child.id === id),
    )
    const found = await store.nominate({
      vector: { identity: old, values: sampleVector('a', old), limit: 1000, pieces: samplePieces(text) },
    })
    must(found.children.length === stays.length, `${found.children.length} children have vectors, ${stays.length} should`)
    const { children } = await store.children(found.children, { windows: old, vectors: old })
    must(
      children.every(({ vector }) => vector !== undefined),
      'a child lost its vector',
    )
    must(
      children.some(({ window }) => window !== undefined),
      'all windows are gone',
    )
    const full = sampleDocument('d', edited, [old])
    await store.put([full])
    await mustAnswer(store, old, [full])
  })

  promise('gives back vectors and windows, so that a document can be put elsewhere without its model', async (open) => {
    const store = await open()
    const texts = ['', 'one line', sampleText(1), sampleText(2, { sections: 3, paragraphs: 3, lines: 4 }), sampleText(1)]
    const documents = texts.map((text, index) => sampleDocument(`d${index}`, text, [old]))
    await store.put(documents)
    await store.embedding(fresh, 'add')
    await store.put([sampleDocument('d2', texts[2] ?? '', [old, fresh])])
    const ids = documents.map(({ tree }) => tree.document)
    must(
      (await store.get(ids)).every((record) => record?.embedding === undefined),
      'vectors are given that nobody asked for',
    )
    const other = await store.get(ids, { embedding: fresh })
    must(
      other.every((record) => (record?.embedding !== undefined) === (record?.id === 'd2')),
      'documents have vectors of a model that they were not put with',
    )
    const records = await store.get(ids, { embedding: old })
    must(
      sameData(await store.get(['d2', 'none', 'd1'], { embedding: sampleIdentity('unknown') }).then(embeddingsOf), []),
      'an identity that is not there has vectors',
    )
    const copied: StoredDocument[] = []
    for (const [index, record] of records.entries()) {
      const put = documents[index]?.embeddings?.[0]
      const { tree, embedding } = record ?? {}
      if (tree === undefined || put === undefined) throw new Error(`${ids[index]} is gone`)
      must((embedding !== undefined) === tree.children.length > 0, `the vectors of ${record?.id} are missing`)
      if (embedding === undefined) continue
      must(sameData(embedding.contentKeys, put.contentKeys), `the content keys of ${record?.id} are not those that were put`)
      must(
        put.vectors.every((vector, at) => vector !== undefined && isNear(vector, embedding.vectors[at])),
        `the vectors of ${record?.id} are not those that were put`,
      )
      const windows = (embedding.windows ?? []).map(({ key, first, after, blob = new Uint8Array(), pieces = [] }) => [
        key,
        first,
        after,
        [...blob],
        pieces.map((ids) => [...ids]),
      ])
      const expected = (put.windows ?? []).map(({ key, first, after, blob = new Uint8Array(), pieces = [] }) => [
        key,
        first,
        after,
        [...blob],
        pieces.map((ids) => [...ids]),
      ])
      must(sameData(windows, expected), `the windows of ${record?.id} are not those that were put`)
      copied.push({ tree, embeddings: [embedding] })
    }
    must(
      (await store.put(copied)).every(({ changed }) => !changed),
      'a document that was put again as it was given back was written',
    )
    const elsewhere = await open({ workspace: 'elsewhere' })
    await elsewhere.put(copied)
    await mustAnswer(elsewhere, old, copied)
    const [reader] = [await open({ workspace: 'third', alsoRead: ['one'] })]
    const read = await reader.get(['d3'], { embedding: old })
    must(
      read[0]?.embedding?.vectors.length === documents[3]?.tree.children.length,
      'vectors of a workspace that is read are missing',
    )
    await store.put([{ tree: documents[1]?.tree ?? sampleDocument('d1', '').tree }])
    const kept = await store.get(['d1'], { embedding: old })
    must(kept[0]?.embedding !== undefined, 'a write that names no vectors lost them')
  })
}

function embeddingsOf(records: readonly (DocumentRecord | undefined)[]): unknown[] {
  return records.flatMap((record) => (record?.embedding === undefined ? [] : [record.id]))
}

/** Engines may keep vectors with half the digits. */
function isNear(put: Float32Array, kept: Float32Array | undefined): boolean {
  return kept?.length === put.length && put.every((number, at) => Math.abs(number - (kept[at] ?? Number.NaN)) < 1e-3)
}

async function activeModels(store: Store): Promise<string[]> {
  return (await store.embeddings()).filter(({ active }) => active).map(({ identity }) => identity.model)
}

/** Every vector that the store compares with is one of this identity. */
async function mustAnswer(store: Store, identity: typeof old, documents: readonly StoredDocument[]): Promise<void> {
  const oracle = new StoreOracle()
  for (const document of documents) oracle.put(document)
  const query = sampleText(2)
  const pieces = samplePieces(query)
  const found = await store.nominate({ vector: { identity, values: sampleVector(query, identity), limit: 10_000, pieces } })
  const named = await namesOf(store, found.children)
  const expected = oracle.cosines(query, identity)
  must(named.size === expected.length, `${named.size} children have vectors of ${identity.model}, ${expected.length} should`)
  for (const [name, cosine] of expected)
    must(
      Math.abs((named.get(name)?.cosine ?? 2) - cosine) < 2e-3,
      `the cosine of ${name} is ${named.get(name)?.cosine}, not ${cosine}`,
    )
  for (const piece of pieces) {
    const count = oracle
      .children()
      .filter(({ piece: child }) => samplePieces(child.text.slice(child.lead)).includes(piece)).length
    must(
      (found.pieceFrequencies.get(piece) ?? 0) === count,
      `piece ${piece} of ${identity.model} is counted ${found.pieceFrequencies.get(piece)} times, not ${count}`,
    )
  }
}
