import type { Store, StoredDocument } from '../../src/store/store.ts'
import { letterDocument } from './letter-vectors.ts'

/** What the stores in `fixtures/` were opened for. */
export const fixtureScope = { workspace: 'fixture', fields: { year: 'number', tags: 'strings' } } as const

const texts: Readonly<Record<string, string>> = {
  wall: 'Stone on stone, and mortar between.\n\nThe lintel carries what is above the door, and the arch carries itself.\n\nGröße: 5,120 mm.',
  roof: 'Slate on wood.\n\nRafters stand on the wall plate, which lies on the wall, and a ridge beam holds them together at the top.',
  東京: '東京都庁舎は新宿にある。石の上に石を置く。',
  gone: 'This one was removed before the fixture was closed.',
}

/** A document of the fixtures, as it was first or as it was last. */
export function fixtureDocument(id: string, isEdited = false): StoredDocument {
  const text = `${isEdited ? 'An edit near the top.\n\n' : ''}${texts[id]}`
  const document = letterDocument(id, text, { year: 2000 + text.length, tags: ['old', id] })
  const { tree, embeddings } = document
  const [embedding] = embeddings as [NonNullable<StoredDocument['embeddings']>[number]]
  const window = {
    key: `window-${text.length}`,
    first: 0,
    after: 1,
    blob: Uint8Array.from({ length: 40 }, (_, at) => (at * text.length) & 255),
    pieces: [Uint32Array.of(1, 7, text.length)],
  }
  return {
    ...document,
    tree: { ...tree, title: `About ${id}` },
    notes: [{ child: tree.children[0]?.id as string, context: `Says something about ${id}.`, provenance: { model: 'none' } }],
    embeddings: [{ ...embedding, windows: [window] }],
  }
}

/** What the fixtures hold in the end. */
export const fixtureDocuments: readonly StoredDocument[] = [
  fixtureDocument('wall', true),
  fixtureDocument('roof'),
  fixtureDocument('東京'),
]

/** Fills a store as the fixtures were: several segments, an edit, a removal that is struck out and not yet purged. */
export async function fillFixture(store: Store): Promise<void> {
  for (const id of Object.keys(texts)) await store.put([fixtureDocument(id)])
  await store.put([fixtureDocument('wall', true)])
  await store.remove(['gone'], { purge: false })
}
