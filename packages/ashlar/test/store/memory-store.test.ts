import { describe, expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import { letterIdentity as identity, letterVector as letters } from './letter-vectors.ts'

describe('a memory store', () => {
  test('keeps, finds, replaces and removes', async () => {
    await using store = memoryStore({ workspace: 'a', fields: { kind: 'string' } })
    const text = '# Walls\n\nStone on stone.\n\n# Roofs\n\nSlate on wood.\n'
    const tree = buildTree(text, { document: 'house', format: markdown, least: 0, child: 40, parent: 80, section: 200 })
    const embeddings = [
      { identity, vectors: tree.children.map(({ text }) => letters(text)), contentKeys: tree.children.map(({ id }) => id) },
    ]
    const [receipt] = await store.put([{ tree, metadata: { kind: 'manual' }, embeddings }])
    expect(receipt).toMatchObject({ document: 'house', changed: true })
    expect((await store.put([{ tree, metadata: { kind: 'manual' }, embeddings }]))[0]?.changed).toBe(false)
    const [record] = await store.get(['house'])
    expect(record?.tree).toEqual(tree)
    expect((await store.list({ where: { op: 'equal', field: 'kind', value: 'manual' } })).items).toHaveLength(1)
    const found = await store.nominate({ vector: { identity, values: letters('slate wood'), limit: 1 } })
    expect(found.children).toHaveLength(1)
    const lexical = await store.nominate({
      terms: {
        terms: analyse('slate').terms.map((term) => ({ term, weight: 1 })),
        limits: { child: 5, parent: 5, section: 5, document: 5 },
      },
    })
    expect(lexical.children.length).toBeGreaterThan(0)
    const { children } = await store.children(found.children, { neighbours: 1, vectors: identity })
    expect(children[0]?.document.id).toBe('house')
    expect(text.slice(children[0]?.start, children[0]?.end)).toContain('Slate')
    expect(children[0]?.before.length).toBe(1)
    expect(await store.remove(['house'])).toMatchObject([{ found: true }])
    expect(await store.get(['house'])).toEqual([undefined])
    expect((await store.nominate({ vector: { identity, values: letters('slate wood'), limit: 1 } })).children).toEqual([])
  })
})
