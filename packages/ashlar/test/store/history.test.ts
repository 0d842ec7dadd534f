import { describe, expect, test } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { historyDocument, historyScope } from './history-document.ts'
import { type HistoryLine, phaseOf, possibleVersions } from './history-log.ts'
import { wrongWith } from './kill-trial.ts'

async function storeOf(document: StoredDocument): Promise<Store> {
  const store = memoryStore(historyScope)
  await store.put([historyDocument('other', 1), document])
  return store
}

const both = { d: [7], other: [1] }

/** What the check says about a document at version 7 of which some part is of version 8. */
async function verdict(part: Partial<StoredDocument>): Promise<readonly string[]> {
  await using store = await storeOf({ ...historyDocument('d', 7), ...part })
  return await wrongWith(store, new Map(Object.entries(both)))
}

/** Vectors, keys and windows of another version for the children of this one. */
function embeddingsOf(change: 'vectors' | 'windows'): Pick<StoredDocument, 'embeddings'> {
  const [own] = historyDocument('d', 7).embeddings ?? []
  const [other] = historyDocument('d', 18).embeddings ?? []
  if (own === undefined || other === undefined) throw new Error('There is one embedding.')
  const after = own.vectors.length
  const windows = (other.windows ?? []).map((one) => ({ ...one, after, pieces: own.windows?.[0]?.pieces ?? [] }))
  return { embeddings: [{ ...own, ...(change === 'vectors' ? { vectors: own.vectors.toReversed() } : { windows }) }] }
}

describe('the check of what a fault leaves', () => {
  test('has nothing to say where a document is of one version', async () => {
    expect(await verdict({})).toEqual([])
  })

  test.each<readonly [string, Partial<StoredDocument>]>([
    ['the metadata', { metadata: { version: 8 } }],
    ['the text', { ...historyDocument('d', 8), metadata: { version: 7 } }],
    ['the notes', { notes: [] }],
    ['the vectors', embeddingsOf('vectors')],
    ['the token states', embeddingsOf('windows')],
  ])('sees that %s are of another', async (_, part) => {
    expect(await verdict(part)).not.toEqual([])
  })

  test('sees that a document is lost, is there again, or is older than was reported', async () => {
    await using store = await storeOf(historyDocument('d', 7))
    const lost = new Map<string, readonly number[]>(Object.entries({ ...both, e: [3] }))
    expect(await wrongWith(store, lost)).toEqual(['e has version 0 and may have 3'])
    expect(await wrongWith(store, new Map([['d', [0]]]))).not.toEqual([])
    expect(await wrongWith(store, new Map([['d', [8, 9]]]))).not.toEqual([])
  })
})

describe('the log of a writer', () => {
  const line = (is: 'begun' | 'done', version: number, at: number): HistoryLine => ({ is, id: 'd', version, at })

  test('says which versions a document may have', () => {
    const history = [line('begun', 1, 1), line('done', 1, 2), line('begun', 2, 3)]
    expect(possibleVersions([history.slice(0, 1)])).toEqual(new Map([['d', [0, 1]]]))
    expect(possibleVersions([history.slice(0, 2)])).toEqual(new Map([['d', [1]]]))
    expect(possibleVersions([history], new Map([['d', 9]]))).toEqual(new Map([['d', [1, 2]]]))
  })

  test('leaves it open which of two writers that met came last, and lets neither be undone by an earlier one', () => {
    const one = [line('begun', 1, 1), line('done', 1, 2), line('begun', 3, 5), line('done', 3, 8)]
    const other = [line('begun', 2, 6), line('done', 2, 7)]
    expect(possibleVersions([one, other])).toEqual(new Map([['d', [3, 2]]]))
  })

  test('says where it ended', () => {
    expect(phaseOf([])).toBe('between operations')
    expect(phaseOf([line('begun', 1, 1)])).toBe('under way')
    expect(phaseOf([line('begun', 1, 1), { is: 'open', at: 2 }])).toBe('in a transaction')
    expect(phaseOf([line('begun', 1, 1), { is: 'open', at: 2 }, { is: 'committing', at: 3 }])).toBe('at a commit')
    expect(phaseOf([line('begun', 1, 1), { is: 'over', at: 2 }, line('done', 1, 3)])).toBe('between operations')
  })
})
