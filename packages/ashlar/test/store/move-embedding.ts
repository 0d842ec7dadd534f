import { setTimeout as sleep } from 'node:timers/promises'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import type { EmbedderIdentity } from '../../src/model/embedder.ts'
import type { Store, StoredDocument } from '../../src/store/store.ts'
import { ownText, sampleDocument, sampleIdentity, sampleText, sampleVector } from '../../src/testing/store-samples.ts'

/** What a workspace went through while its children moved from one embedding to another. */
export interface EmbeddingMove {
  readonly children: number
  /** Searches of all readers while the new vectors were built, after the cut-over, after the roll-back and after the second cut-over. */
  readonly searches: Readonly<Record<'building' | 'cut over' | 'rolled back' | 'cut over again', number>>
  /** Searches that failed, and hits that are not those of one embedding, as sentences. */
  readonly failed: readonly string[]
  readonly mixed: readonly string[]
  /** How many of the nearest were among the hits, the mean of all searches: 1 where vectors are compared exactly. */
  readonly recall: number
  /** Whether searches could not be moved to an embedding that had only some of the vectors. */
  readonly refusedHalfway: boolean
  /** Embeddings in the end: the new one with all children, and no other. */
  readonly left: readonly { readonly model: string; readonly active: boolean; readonly children: number }[]
}

type Phase = keyof EmbeddingMove['searches']

const readers = 4
const limit = 20
const perDocument = 200
const halfError = 0.002

/** Moves at least so many children to another embedding while readers with handles of their own search; `open` gives a handle. */
export async function moveEmbedding(children: number, open: () => Promise<Store>): Promise<EmbeddingMove> {
  const old = sampleIdentity('old', 64)
  const fresh = sampleIdentity('fresh', 96)
  const texts = Array.from({ length: Math.ceil(children / perDocument) }, (_, at) =>
    sampleText(at, { sections: 4, paragraphs: 7, lines: 7 }),
  )
  const documents = (identity: EmbedderIdentity): StoredDocument[] =>
    texts.map((text, at) => sampleDocument(`d${at}`, text, [identity]))
  await using store = await open()
  for (const group of inGroups(documents(old))) await store.put(group)
  const all = (await store.embeddings())[0]?.children ?? 0

  const questions = texts.slice(0, 3).map((text) => text.slice(0, 200))
  const expected = new Map(
    [old, fresh].map((identity) => [identity.model, questions.map((one) => nearest(texts, one, identity))]),
  )
  const searches = { building: 0, 'cut over': 0, 'rolled back': 0, 'cut over again': 0 }
  const failed: string[] = []
  const mixed: string[] = []
  const recalls: number[] = []
  let phase: Phase | undefined = 'building'
  const search = async (handle: Store, turn: number): Promise<void> => {
    const at = turn % questions.length
    const used = (await handle.embeddings()).find(({ active }) => active)?.identity as EmbedderIdentity
    const values = sampleVector(questions[at] as string, used)
    const found = await handle.nominate({ vector: { identity: used, values, limit } })
    const least = expected.get(used.model)?.[at]?.at(-1) ?? 9
    // A store may keep halves of numbers.
    recalls.push(found.children.filter(({ cosine = -1 }) => cosine > least - halfError).length / limit)
    if (found.children.length !== limit) mixed.push(`${found.children.length} hits by ${used.model} instead of ${limit}`)
    const records = await handle.children(found.children, { vectors: used })
    for (const { key, vector, id } of records.children) {
      const cosine = values.reduce((sum, value, place) => sum + value * (vector?.[place] ?? 0), 0)
      const said = found.children.find((child) => child.key === key)?.cosine ?? 9
      if (vector?.length !== used.dimensions || Math.abs(said - cosine) > halfError)
        mixed.push(`${id} was not found by ${used.model}`)
    }
    if (records.children.length !== limit) mixed.push(`${limit - records.children.length} hits cannot be fetched`)
  }
  const reading = Array.from({ length: readers }, async () => {
    await using handle = await open()
    for (let turn = 0; phase !== undefined; turn++) {
      const during: Phase = phase
      await search(handle, turn).catch((error: unknown) => failed.push(String(error)))
      if (during === phase) searches[during]++
      await sleep(2)
    }
  })
  const somebodySearches = async (next: Phase): Promise<void> => {
    phase = next
    while (searches[next] < readers * 3 && failed.length === 0) await sleep(2)
  }

  try {
    await store.embedding(fresh, 'add')
    const groups = inGroups(documents(fresh))
    let refusedHalfway = false
    for (const [at, group] of groups.entries()) {
      await store.put(group)
      await sleep(1)
      if (at === 0 && groups.length > 1)
        refusedHalfway = await store.embedding(fresh, 'use').then(
          () => false,
          (error: unknown) => isAshlarError(error) && error.code === 'EMBEDDING_MISMATCH',
        )
    }
    await somebodySearches('building')
    for (const [identity, next] of [
      [fresh, 'cut over'],
      [old, 'rolled back'],
      [fresh, 'cut over again'],
    ] as const) {
      await store.embedding(identity, 'use')
      await somebodySearches(next)
    }
    phase = undefined
    await Promise.all(reading)
    await store.embedding(old, 'forget')
    const left = (await store.embeddings()).map((one) => ({ ...one, model: one.identity.model }))
    return {
      children: all,
      searches,
      failed,
      mixed,
      recall: recalls.reduce((sum, one) => sum + one, 0) / recalls.length,
      refusedHalfway,
      left: left.map(({ model, active, children: count }) => ({ model, active, children: count })),
    }
  } finally {
    phase = undefined
    await Promise.allSettled(reading)
  }
}

/** The cosines of the nearest children, the highest first, by comparing with every one. */
function nearest(texts: readonly string[], question: string, identity: EmbedderIdentity): readonly number[] {
  const query = sampleVector(question, identity)
  const cosines = texts.flatMap((text, at) =>
    sampleDocument(`d${at}`, text).tree.children.map((child) =>
      sampleVector(ownText(child), identity).reduce((sum, value, place) => sum + value * (query[place] as number), 0),
    ),
  )
  return cosines.sort((one, other) => other - one).slice(0, limit)
}

function inGroups(documents: readonly StoredDocument[]): readonly (readonly StoredDocument[])[] {
  return Array.from({ length: Math.ceil(documents.length / 4) }, (_, at) => documents.slice(4 * at, 4 * at + 4))
}
