import { must } from './model-contract.ts'
import { everything, listAll, mustHold, mustRefuse, namesOf, type PromiseOf, queryTerms } from './store-contract-case.ts'
import { StoreOracle, sameData } from './store-oracle.ts'
import { sampleDocument, sampleIdentity, samplePieces, sampleText, sampleVector } from './store-samples.ts'

const identity = sampleIdentity('first')

/** What a store promises about workspaces. */
export function tenancyPromises(promise: PromiseOf): void {
  promise('never shows one workspace to another, also with the same ids', async (open) => {
    const one = await open({ workspace: 'one', fields: { kind: 'string' } })
    const two = await open({ workspace: 'two', fields: { kind: 'string' } })
    const oracles = [new StoreOracle(), new StoreOracle()] as const
    for (const [index, store] of [one, two].entries()) {
      const oracle = oracles[index] as StoreOracle
      for (const id of ['a', 'b', 'c'])
        oracle.put(
          sampleDocument(id, sampleText(index * 10 + id.charCodeAt(0)), [identity], { metadata: { kind: `of ${index}` } }),
        )
      await store.put([...oracle.documents.values()])
    }
    await mustHold(one, oracles[0])
    await mustHold(two, oracles[1])
    const query = sampleText(107)
    const everywhere = {
      vector: { identity, values: sampleVector(query, identity), limit: 10_000, pieces: samplePieces(query) },
      terms: { terms: queryTerms([...oracles[1].documents.values()].map(({ tree }) => tree.text).join(' ')), limits: everything },
    }
    const theirs = await two.nominate(everywhere)
    const mine = await one.nominate(everywhere)
    const keys = new Set(mine.children.map(({ key }) => key))
    must(
      theirs.children.every(({ key }) => !keys.has(key)),
      'a child was nominated in two workspaces',
    )
    must(
      (await one.children(theirs.children, { vectors: identity, windows: identity, neighbours: 2 })).children.length === 0,
      'children can be read by keys of another workspace',
    )
    must(
      (await one.list({ where: { op: 'equal', field: 'kind', value: 'of 1' } })).items.length === 0,
      'a filter finds documents of another workspace',
    )
    const not = await one.list({ where: { op: 'not', filter: { op: 'equal', field: 'kind', value: 'of 0' } } })
    must(not.items.length === 0, 'the opposite of a filter finds documents of another workspace')
    const page = await two.list({ limit: 1 })
    if (page.next !== undefined)
      await mustRefuse(one.list({ after: page.next }), ['INVALID_OPTION'], 'a cursor of another workspace')
    const text = oracles[0].documents.get('a')?.tree.text ?? ''
    const copies = [1, 2, 3, 4].map((index) => sampleDocument(`copy${index}`, text, [identity]))
    await two.put(copies)
    const nearest = await one.nominate({ vector: { identity, values: sampleVector(text, identity), limit: 8 } })
    must(nearest.children.length === 8, 'vectors of another workspace take the places of own ones')
    await two.remove(copies.map(({ tree }) => tree.document))
    await one.remove(['a', 'b', 'c'])
    await one.maintain({ purge: true })
    await mustHold(two, oracles[1])
    must((await two.embeddings())[0]?.children === oracles[1].children().length, 'vectors went with those of another workspace')
    must((await one.nominate(everywhere)).count === 0, 'children of another workspace are counted')
  })

  promise('keeps embeddings of workspaces apart', async (open) => {
    const one = await open({ workspace: 'one' })
    const two = await open({ workspace: 'two' })
    const fresh = sampleIdentity('fresh', 8)
    await one.put([sampleDocument('d', sampleText(1), [identity])])
    await two.put([sampleDocument('d', sampleText(1), [fresh])])
    must((await one.embeddings())[0]?.identity.model === identity.model, 'a workspace has the embedding of another')
    must((await two.embeddings())[0]?.identity.model === fresh.model, 'a workspace has the embedding of another')
    await mustRefuse(one.embedding(fresh, 'use'), ['EMBEDDING_MISMATCH'], 'the use of another workspace’s embedding')
    await one.embedding(fresh, 'forget')
    must(
      (await two.embeddings())[0]?.children === sampleDocument('d', sampleText(1)).tree.children.length,
      'vectors of another workspace are gone',
    )
  })

  promise('reads shared workspaces beside its own and writes to its own alone', async (open) => {
    const shared = await open({ workspace: 'shared', fields: { kind: 'string' } })
    const stranger = await open({ workspace: 'stranger', fields: { kind: 'string' } })
    const tenant = await open({ workspace: 'tenant', alsoRead: ['shared', 'missing', 'tenant'], fields: { kind: 'string' } })
    const put = (id: string, seed: number, kind: string) =>
      sampleDocument(id, sampleText(seed), [identity], { metadata: { kind } })
    await shared.put([put('both', 1, 'shared'), put('common', 2, 'shared')])
    await stranger.put([put('both', 3, 'stranger'), put('secret', 4, 'stranger')])
    must(sameData(await listAll(tenant), ['both', 'common']), 'shared documents are not listed')
    await tenant.put([put('both', 5, 'own'), put('own', 6, 'own')])
    must(
      sameData(await listAll(tenant, 1), ['both', 'both', 'common', 'own']),
      'own and shared documents are not listed together',
    )
    const [both, common, secret] = await tenant.get(['both', 'common', 'secret'])
    must(
      both?.workspace === 'tenant' && common?.workspace === 'shared' && secret === undefined,
      'a document comes from the wrong workspace',
    )
    const texts = [1, 2, 5, 6].map((seed) => sampleText(seed))
    const found = await tenant.nominate({
      vector: { identity, values: sampleVector(texts.join(' '), identity), limit: 10_000 },
      terms: { terms: queryTerms(texts.join(' ')), limits: everything },
    })
    const children = texts.reduce((sum, text) => sum + sampleDocument('x', text).tree.children.length, 0)
    must(
      found.count === children && found.children.length === children,
      `${found.children.length} of ${children} children are found over two workspaces`,
    )
    must(
      found.children.every(({ cosine }) => cosine !== undefined),
      'vectors of one workspace are not compared',
    )
    const records = (await tenant.children(found.children, { vectors: identity, windows: identity, neighbours: 1 })).children
    must(
      records.every(({ vector, window }) => vector !== undefined && window !== undefined),
      'vectors or windows of one workspace are not given',
    )
    must(sameData(new Set(records.map(({ workspace }) => workspace)).size, 2), 'children do not come from both workspaces')
    must(
      (await tenant.list({ where: { op: 'equal', field: 'kind', value: 'shared' } })).items.length === 2,
      'a filter does not find shared documents',
    )
    must((await tenant.remove(['common']))[0]?.found === false, 'a shared document was removed')
    await tenant.remove(['both'])
    must((await tenant.get(['both']))[0]?.workspace === 'shared', 'a shared document went with an own one of the same id')
    await tenant.maintain({ purge: true })
    must(
      (
        await namesOf(
          shared,
          (
            await shared.nominate({ terms: { terms: queryTerms(texts.join(' ')), limits: everything } })
          ).children,
        )
      ).size > 0,
      'the shared index was lost',
    )
    must((await listAll(shared)).length === 2 && (await listAll(stranger)).length === 2, 'another workspace was changed')
    must((await tenant.embeddings()).length === 1, 'embeddings of shared workspaces are listed as own ones')
    const fresh = sampleIdentity('fresh')
    const modern = await open({ workspace: 'modern', alsoRead: ['shared'] })
    await modern.put([sampleDocument('d', 'text', [fresh])])
    await mustRefuse(
      modern.nominate({ vector: { identity: fresh, values: sampleVector('text', fresh), limit: 5 } }),
      ['EMBEDDING_MISMATCH'],
      'a query over workspaces of two models',
    )
  })

  promise('is opened only for workspaces that have a name', async (open) => {
    for (const workspace of [
      '',
      '\u0000',
      'a\ud800',
      'a'.repeat(10_000),
      undefined as never,
      null as never,
      1 as never,
      ['one'] as never,
    ]) {
      await mustRefuse(open({ workspace }), ['INVALID_WORKSPACE'], `the workspace ${String(workspace).slice(0, 20)}`)
      await mustRefuse(
        open({ alsoRead: [workspace] }),
        ['INVALID_WORKSPACE'],
        `reading the workspace ${String(workspace).slice(0, 20)}`,
      )
    }
    for (const fields of [
      { a: 'date' },
      { constructor: 'string' },
      { 'a"b': 'string' },
      { '': 'string' },
      JSON.parse('{"__proto__": "string"}'),
    ])
      await mustRefuse(open({ fields }), ['INVALID_OPTION'], `the fields ${JSON.stringify(fields)}`)
    for (const workspace of [`' or 1=1 --`, '%', 'one ', 'ONE', '漢字', '"one"', 'one/../two', '\u{1f600}']) {
      const store = await open({ workspace })
      await store.put([sampleDocument('d', `text of ${workspace}`)])
      must((await store.get(['d']))[0]?.tree.text === `text of ${workspace}`, `the workspace ${workspace} holds another text`)
      must((await store.list()).items.length === 1, `the workspace ${workspace} shows another`)
    }
  })
}
