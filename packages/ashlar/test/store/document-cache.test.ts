import { expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { ChildRecord, Store } from '../../src/store/store.ts'
import { analyse } from '../../src/text/analyse.ts'
import { buildTree } from '../../src/tree/build-tree.ts'

const limits = { child: 10, parent: 0, section: 0, document: 0 }

async function fetchSlate(store: Store): Promise<readonly ChildRecord[]> {
  const terms = analyse('slate').terms.map((term) => ({ term, weight: 1 }))
  const { children } = await store.nominate({ terms: { terms, limits } })
  return (await store.children(children)).children
}

test('a document that was changed and changed back is not taken for the one that was there before', async () => {
  await using store = memoryStore({ workspace: 'one', fields: { size: 'number' } })
  const one = buildTree('# Roof\n\nA roof of slate lasts.\n', { document: 'd', format: markdown })
  const other = buildTree('# Wall\n\nA wall of slate stands.\n', { document: 'd', format: markdown })
  await store.put([{ tree: one, metadata: { size: 1 } }])
  const before = await fetchSlate(store)
  await store.put([{ tree: other, metadata: { size: 2 } }])
  const between = await fetchSlate(store)
  expect(between.map(({ document, outline }) => [document.metadata, outline])).toEqual([[{ size: 2 }, ['Wall']]])
  await store.put([{ tree: one, metadata: { size: 1 } }])
  const after = await fetchSlate(store)
  expect(after.map(({ document, outline, parent }) => [document, outline, parent.text])).toEqual(
    before.map(({ document, outline, parent }) => [document, outline, parent.text]),
  )
  expect(after[0]?.section.key).not.toBe(before[0]?.section.key)
})

test('what reads share cannot be changed by one of them', async () => {
  await using store = memoryStore({ workspace: 'one', fields: { tags: 'strings' } })
  const tree = buildTree('# Roof\n\nA roof of slate lasts.\n', { document: 'd', format: markdown })
  await store.put([{ tree, metadata: { tags: ['a'] } }])
  const [child] = (await fetchSlate(store)) as [ChildRecord]
  expect(Object.isFrozen(child.document.metadata)).toBe(true)
  expect(() => (child.document.metadata['tags'] as string[]).push('b')).toThrow(TypeError)
  expect(() => (child.outline as string[]).push('b')).toThrow(TypeError)
  const [again] = await fetchSlate(store)
  expect(again?.document.metadata).toEqual({ tags: ['a'] })
  expect(again?.outline).toEqual(['Roof'])
})
