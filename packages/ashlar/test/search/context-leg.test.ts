import { describe, expect, test } from 'vitest'
import { contextLeg } from '../../src/search/context-leg.ts'
import { search } from '../../src/search/search.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { DocumentSummary } from '../../src/store/store.ts'
import { analyseQuery } from '../../src/text/analyse-query.ts'
import { buildTree } from '../../src/tree/build-tree.ts'

const nominations = { count: 1000, frequencies: new Map<string, number>() }

function place(
  id: string,
  title = '',
  outline: readonly string[] = [],
): { document: DocumentSummary; outline: readonly string[] } {
  return { document: { id, title } as DocumentSummary, outline }
}

describe('context', () => {
  test('is the share of the query that name, title and headings say', () => {
    const of = contextLeg(analyseQuery('slate roof'), nominations)
    expect(of(place('roof/slate.md'))).toBeCloseTo(1, 12)
    expect(of(place('7f3a', 'Slate', ['Roof']))).toBeCloseTo(1, 12)
    expect(of(place('wall.md', 'Walls', ['Mortar']))).toBe(0)
    const half = of(place('roof.md'))
    expect(half).toBeGreaterThan(0.3)
    expect(half).toBeLessThan(0.7)
  })

  test('a query without words asks nothing of a place', () => {
    expect(contextLeg([], nominations)(place('roof.md'))).toBe(0)
  })

  test('of two equal texts the one is first whose file is named by the question', async () => {
    await using store = memoryStore({ workspace: 'house' })
    const text = 'Set the option to true and start again.'
    for (const document of ['docs/a-cellar.md', 'docs/b-chimney.md', 'docs/c-gutter.md'])
      await store.put([{ tree: buildTree(text, { document }) }])
    const { hits } = await search(store, 'which option for the chimney?', { duplicates: 'keep' })
    expect(hits.map(({ document }) => document.id)[0]).toBe('docs/b-chimney.md')
    expect(hits[0]!.scores.context).toBeGreaterThan(hits[1]!.scores.context)
  })
})
