import { existsSync, readFileSync } from 'node:fs'
import { sqliteStore } from 'ashlar/sqlite'
import { analyseQuery, type Store, type StoredDocument } from 'ashlar/stores'
import { buildTree } from 'ashlar/tree'

/** What a writing process is told. */
export interface WriterJob {
  readonly engine: StoreEngine
  /** The file or the address of the database. */
  readonly place: string
  readonly log: string
  /** Documents whose ids begin so are its own. */
  readonly name: string
  /** Writers in this process, beside each other. */
  readonly writers: number
  /** Documents that all writers write to, besides. */
  readonly shared: number
  /** Stops by itself after so many milliseconds. */
  readonly for: number
  readonly seed: number
}

/** Engines that the suites can do harm to. */
export type StoreEngine = 'sqlite'

/** A line of a writer's log: version 0 is a removal. A line is begun, then done: done only after the store has said so. */
export interface HistoryLine {
  readonly is: 'begun' | 'done'
  readonly id: string
  readonly version: number
}

export const historyIdentity = {
  model: 'faults/letters',
  options: {},
  dimensions: 32,
  pooling: 'mean',
  normalized: false,
  queryPrefix: '',
  documentPrefix: '',
  maxTokens: undefined,
} as const

export async function openHistoryStore(engine: StoreEngine, place: string): Promise<Store> {
  const scope = { workspace: 'history', fields: { version: 'number' } } as const
  switch (engine) {
    case 'sqlite':
      return sqliteStore(place, scope)
  }
}

/** A version of a document. Some of its words are found nowhere else; most of its paragraphs are those of the version before. */
export function historyDocument(id: string, version: number): StoredDocument {
  const tree = buildTree(historyText(id, version), { document: id, least: 0, child: 90, parent: 240, section: 600 })
  return {
    tree,
    metadata: { version },
    embeddings: [
      {
        identity: historyIdentity,
        vectors: tree.children.map(({ text }) => historyVector(text)),
        contentKeys: tree.children.map((child) => child.id),
      },
    ],
  }
}

function historyText(id: string, version: number): string {
  const paragraphs = Array.from({ length: 30 }, (_, at) => {
    const since = Math.floor((version + at) / 6)
    return `Paragraph ${at} of ${id} is about stone, slate and the courses of wall ${since}, as it was left at mark${id}x${at}x${since}.`
  })
  return `${paragraphs.join('\n\n')}\n\nThis is ${versionWord(id, version)}.`
}

function versionWord(id: string, version: number): string {
  return `version${id}x${version}`
}

function historyVector(text: string): Float32Array {
  const vector = new Float32Array(historyIdentity.dimensions)
  for (let at = 0; at < text.length; at++) {
    const place = (text.charCodeAt(at) * 31 + (text.charCodeAt(at + 1) || 0)) % vector.length
    vector[place]! += 1
  }
  return vector
}

/** What a writer's log says, also of one that was killed in the middle of a line. */
export function readHistory(log: string): readonly HistoryLine[] {
  if (!existsSync(log)) return []
  const lines = readFileSync(log, 'utf8').split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line) as HistoryLine)
}

/** The version that each document of a store has. */
export async function presentVersions(store: Store): Promise<ReadonlyMap<string, number>> {
  const { items } = await store.list({ limit: 1_000 })
  return new Map(items.map(({ id, metadata }) => [id, metadata['version'] as number]))
}

/** The versions that each document may have after a history: the last that was reported, or the one that was under way. */
export function possibleVersions(
  history: readonly HistoryLine[],
  before: ReadonlyMap<string, number>,
): ReadonlyMap<string, readonly number[]> {
  const versions = new Map<string, readonly number[]>(Array.from(before, ([id, version]) => [id, [version]]))
  for (const { is, id, version } of history) {
    versions.set(id, is === 'done' ? [version] : [...(versions.get(id) ?? [0]), version])
  }
  return versions
}

/** What is wrong with what a store has of a document, judged by the versions that it may have; nothing where all is well. */
export async function wrongWith(store: Store, id: string, versions: readonly number[]): Promise<readonly string[]> {
  const [record] = await store.get([id])
  const version = (record?.metadata['version'] as number | undefined) ?? 0
  const wrong: string[] = []
  if (!versions.includes(version)) wrong.push(`${id} has version ${version} and may have ${versions.join(' or ')}`)
  if (record !== undefined)
    wrong.push(...tornParts(record.id, record.tree.text, record.tree.children.length, record.children, version))
  for (const one of new Set(versions)) {
    if (one === 0) continue
    const isFound = await findsVersion(store, id, one)
    if (isFound !== (one === version))
      wrong.push(`${id} at version ${version} is ${isFound ? '' : 'not '}found by words of ${one}`)
  }
  if (record !== undefined) {
    const near = await store.nominate({
      vector: { identity: historyIdentity, values: historyVector(record.tree.children[0]?.text ?? ''), limit: 1_000 },
      where: { op: 'document', ids: [id] },
    })
    if (near.children.length !== record.children)
      wrong.push(`${id} has ${record.children} children, and ${near.children.length} of them have vectors`)
    const { children } = await store.children(near.children, { vectors: historyIdentity })
    if (children.length !== record.children) wrong.push(`${id}: children found by vectors cannot be fetched`)
  }
  return wrong
}

/** Parts of one version in another. */
export function tornParts(id: string, text: string, children: number, counted: number, version: number): readonly string[] {
  const wrong: string[] = []
  if (text !== historyText(id, version)) wrong.push(`the text of ${id} is not that of its version ${version}`)
  if (children !== counted) wrong.push(`${id} counts ${counted} children and has ${children}`)
  return wrong
}

async function findsVersion(store: Store, id: string, version: number): Promise<boolean> {
  const word = versionWord(id, version)
  const found = await store.nominate({
    terms: { terms: analyseQuery(word), limits: { child: 20, parent: 0, section: 0, document: 0 } },
    where: { op: 'document', ids: [id] },
  })
  const { children } = await store.children(found.children)
  return children.some(({ parent }) => parent.text.includes(`${word}.`))
}
