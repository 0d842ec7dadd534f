import { LineMap } from '../text/line-map.ts'
import type { TreePiece } from '../tree/tree.ts'
import type { CheckedDocument, CheckedEmbedding } from './checked-document.ts'
import { invalidDocument } from './checked-document.ts'
import type { DocumentRow, EngineWriter, ParentRow } from './engine.ts'
import { type Fingerprints, packFingerprints, readFingerprints } from './fingerprints.ts'
import { type Layout, packLayout, readLayout, type WindowLayout, type WindowsLayout, windowFrom } from './layout.ts'
import { type PackedChild, packChildren, readChildren } from './parent-children.ts'
import type { RowCollector } from './row-collector.ts'
import type { ChildToIndex, SectionToIndex } from './section-to-index.ts'
import type { PutReceipt } from './store.ts'
import { packPieces, readPieces } from './word-pieces.ts'

/** A document as it is stored. */
interface Stored {
  readonly row: DocumentRow
  readonly layout: Layout
  readonly fingerprints: Fingerprints
  /** Index of each parent's first child, and after the last the number of children. */
  readonly firsts: readonly number[]
}

/** What every change of one write needs. */
export interface ChangeScope {
  readonly writer: EngineWriter
  readonly workspace: string
  /** Keys of the workspace's embeddings by identity; those of the document are among them. */
  readonly embeddings: ReadonlyMap<string, number>
  /** Of the embedding that searches use. */
  readonly active: number | undefined
}

/**
 * The difference between a document and what is stored of it, made in steps so that the reads of many documents can go together: what
 * stays is neither read nor written.
 *
 * A parent stays when its text, its children's ids and their places are the same; a child keeps its key when its id is the same, also
 * when its parent is rewritten. Vectors, notes and windows are compared by hashes kept a parent, so only those of changed parents are
 * looked at. The lexical index is rewritten by the section.
 */
export class DocumentChange {
  readonly document: CheckedDocument
  readonly #scope: ChangeScope
  readonly #stored: Stored | undefined
  /** For each new parent the index of the stored one that it is, or -1. */
  readonly #same: Int32Array
  /** Stored parents that go or are rewritten, by index. */
  readonly #changedOld: readonly number[]
  readonly #rows = new Map<number, readonly PackedChild[]>()
  /** Keys of the new children; 0 where not known, which is where nothing is done with them. */
  #childKeys: number[] = []
  #parentKeys: number[] = []
  #sectionKeys: number[] = []
  /** For each new section the stored one with the same parents, notes and windows; where there is none, it is indexed again. */
  #sameSections: (number | undefined)[] = []
  #windows: WindowsLayout[] = []
  #added = 0
  #removed: number[] = []
  /** Keys of stored children whose entries in the index no longer hold. */
  #unindexed: number[] = []
  #documentKey = 0
  #version = 0

  constructor(document: CheckedDocument, row: DocumentRow | undefined, scope: ChangeScope) {
    this.document = document
    this.#scope = scope
    this.#stored = row === undefined ? undefined : openStored(row, new Set(scope.embeddings.values()))
    this.#same = new Int32Array(document.parents.length).fill(-1)
    const byContent = new Map(this.#stored?.fingerprints.parents.map(({ content }, index) => [content, index]))
    const kept = new Set<number>()
    for (const [index, { content }] of document.parents.entries()) {
      const old = byContent.get(content)
      // Children's ids are part of the hash and occur once, so no parent can be matched twice.
      if (old === undefined) continue
      this.#same[index] = old
      kept.add(old)
    }
    this.#changedOld = (this.#stored?.layout.parents ?? []).map((_, index) => index).filter((index) => !kept.has(index))
  }

  /** Whether nothing at all would be written. */
  get isUnchanged(): boolean {
    const stored = this.#stored
    if (stored === undefined || stored.row.contentHash !== this.document.contentHash) return false
    return this.document.embeddings.every(({ key, parents, windows }) => {
      const embedding = this.#embedding(key)
      const old = stored.fingerprints.vectors.find((one) => one.embedding === embedding)?.parents
      const oldWindows = stored.layout.windows.find((one) => one.embedding === embedding)?.windows ?? []
      return (
        (old === undefined ? parents.length === 0 : sameItems(old, parents)) &&
        sameItems(oldWindows.map(windowText), windows.map(windowText))
      )
    })
  }

  get unchangedReceipt(): PutReceipt {
    const { id, tree } = this.document
    return {
      document: id,
      changed: false,
      rows: { written: 0, deleted: 0 },
      children: { added: 0, kept: tree.children.length, removed: 0 },
    }
  }

  /** Keys of the parents whose children must be known to tell which children stay. */
  get firstParents(): readonly number[] {
    const stored = this.#stored
    if (stored === undefined) return []
    // Windows of an identity that this write does not name are carried over child by child.
    const all = this.#changedOld.length > 0 && this.#unnamed().some(({ windows }) => windows.length > 0)
    const indices = all ? stored.layout.parents.keys() : this.#changedOld
    return [...indices].map((index) => (stored.layout.parents[index] as { key: number }).key)
  }

  takeRows(rows: ReadonlyMap<number, ParentRow>): void {
    for (const { key } of this.#stored?.layout.parents ?? []) {
      const row = rows.get(key)
      if (row !== undefined && !this.#rows.has(key)) this.#rows.set(key, readChildren(row.children))
    }
  }

  /** After the rows of {@link firstParents} are there: settles what is indexed again, and says which rows are needed for the rest. */
  plan(): readonly number[] {
    this.#windows = this.#newWindows()
    const stored = this.#stored
    const starts = new Map<number, number>()
    let start = 0
    for (const [index, { parents }] of (stored?.layout.sections ?? []).entries()) {
      starts.set(start, index)
      start += parents
    }
    this.#sameSections = this.document.tree.sections.map((section) => this.#storedSection(section, starts))
    if (stored === undefined) return []
    const needed = new Set<number>()
    for (const [index, old] of this.#same.entries()) {
      if (old < 0) continue
      const section = (this.document.tree.parents[index] as TreePiece).above
      const touched =
        this.#sameSections[section] === undefined ||
        this.#notesChanged(index) ||
        this.document.embeddings.some((embedding) => this.#vectorsChanged(embedding, index))
      if (touched) needed.add((stored.layout.parents[old] as { key: number }).key)
    }
    for (const index of this.#unindexedParents()) needed.add((stored.layout.parents[index] as { key: number }).key)
    return [...needed].filter((key) => !this.#rows.has(key))
  }

  /** After all rows are there: which children stay, and how many keys the rest needs. */
  settle(): number {
    const { tree } = this.document
    const stored = this.#stored
    const old = new Map<string, number>()
    for (const index of this.#changedOld) for (const { id, key } of this.#childrenOf(index)) old.set(id, key)
    this.#childKeys = tree.children.map(() => 0)
    this.#parentKeys = tree.parents.map(() => 0)
    this.#sectionKeys = tree.sections.map(() => 0)
    // One for the version, which a new document also takes as its key.
    let keys = 1
    this.#documentKey = stored?.row.key ?? 0
    const parentOf = new Map(this.#changedOld.flatMap((index) => this.#childrenOf(index).map(({ key }) => [key, index] as const)))
    const free = new Set(this.#changedOld)
    for (const [index, parent] of tree.parents.entries()) {
      const same = this.#same[index] as number
      if (same >= 0) {
        const { key } = (stored as Stored).layout.parents[same] as { key: number }
        this.#parentKeys[index] = key
        for (const [at, child] of (this.#rows.get(key) ?? []).entries()) this.#childKeys[parent.first + at] = child.key
        continue
      }
      for (let child = parent.first; child < parent.after; child++) {
        const key = old.get((tree.children[child] as TreePiece).id)
        if (key === undefined) {
          keys++
          this.#added++
          continue
        }
        this.#childKeys[child] = key
        old.delete((tree.children[child] as TreePiece).id)
        const home = parentOf.get(key) as number
        if (this.#parentKeys[index] === 0 && free.delete(home))
          this.#parentKeys[index] = ((stored as Stored).layout.parents[home] as { key: number }).key
      }
      if (this.#parentKeys[index] === 0) keys++
    }
    this.#removed = [...old.values()]
    for (const [index, same] of this.#sameSections.entries())
      if (same !== undefined) this.#sectionKeys[index] = ((stored as Stored).layout.sections[same] as { key: number }).key
    keys += this.#sectionKeys.filter((key) => key === 0).length
    this.#unindexed = this.#unindexedParents().flatMap((index) => this.#childrenOf(index).map(({ key }) => key))
    return keys
  }

  /** Whether children would be added that searches could not find by their vectors. */
  get leavesOutActive(): boolean {
    const { embeddings } = this.document
    const { active } = this.#scope
    return (
      this.#added > 0 &&
      active !== undefined &&
      embeddings.length > 0 &&
      !embeddings.some(({ key }) => this.#embedding(key) === active)
    )
  }

  /** Gives out keys, from `first` on, as many as {@link settle} asked for. */
  takeKeys(first: number): void {
    const fill = (keys: number[], needed: (index: number) => boolean): void => {
      for (const [index, key] of keys.entries()) if (key === 0 && needed(index)) keys[index] = first++
    }
    this.#version = first++
    if (this.#documentKey === 0) this.#documentKey = this.#version
    fill(this.#sectionKeys, () => true)
    fill(this.#parentKeys, () => true)
    fill(this.#childKeys, (index) => (this.#same[(this.document.tree.children[index] as TreePiece).above] as number) < 0)
  }

  /** Adds everything that changed to the rows of the write. */
  async collect(rows: RowCollector): Promise<Omit<PutReceipt, 'rows'>> {
    const { id, tree } = this.document
    this.#collectParents(rows)
    await this.#collectNotes(rows)
    for (const embedding of this.document.embeddings) await this.#collectVectors(embedding, rows)
    const pieces = this.#piecesByChild(await this.#collectWindows(rows))
    for (const [index, section] of tree.sections.entries()) {
      if (this.#sameSections[index] === undefined) rows.index(this.#sectionToIndex(section, index, pieces))
    }
    if (this.#stored !== undefined && this.#unindexed.length > 0) rows.unindex(this.#documentKey, this.#unindexed)
    rows.documents.push(this.#documentRow())
    return {
      document: id,
      changed: true,
      children: { added: this.#added, kept: tree.children.length - this.#added, removed: this.#removed.length },
    }
  }

  #embedding(identity: string): number {
    return this.#scope.embeddings.get(identity) as number
  }

  /** Windows of identities that are stored and not named by this write. */
  #unnamed(): readonly WindowsLayout[] {
    const named = new Set(this.document.embeddings.map(({ key }) => this.#embedding(key)))
    return (this.#stored?.layout.windows ?? []).filter(({ embedding }) => !named.has(embedding))
  }

  #newWindows(): WindowsLayout[] {
    const named = this.document.embeddings.map(({ key, windows }) => ({ embedding: this.#embedding(key), windows }))
    return [...named, ...this.#unnamed().map(({ embedding, windows }) => ({ embedding, windows: this.#carried(windows) }))]
      .filter(({ windows }) => windows.length > 0)
      .sort((left, right) => left.embedding - right.embedding)
  }

  /** The windows whose children are all still there, one after the other. */
  #carried(windows: readonly WindowLayout[]): WindowLayout[] {
    const { firsts, layout } = this.#stored as Stored
    const { tree } = this.document
    if (this.#changedOld.length === 0 && this.#same.every((old, index) => old === index)) return [...windows]
    const places = new Map(tree.children.map(({ id }, index) => [id, index]))
    const now = new Int32Array(firsts[layout.parents.length] as number).fill(-1)
    for (const index of layout.parents.keys()) {
      for (const [at, { id }] of this.#childrenOf(index).entries()) now[(firsts[index] as number) + at] = places.get(id) ?? -1
    }
    return windows
      .map(({ key, first, after }) => ({ key, first: now[first] as number, after: (now[after - 1] as number) + 1, old: first }))
      .filter(
        ({ first, after, old }) =>
          first >= 0 && now.subarray(old, old + after - first).every((place, at) => place === first + at),
      )
      .filter(({ first, after }) => after > first)
      .map(({ key, first, after }) => ({ key, first, after }))
      .sort((left, right) => left.first - right.first)
  }

  #childrenOf(index: number): readonly PackedChild[] {
    const { key } = (this.#stored as Stored).layout.parents[index] as { key: number }
    return this.#rows.get(key) ?? []
  }

  /** The stored section with the same parents, notes and windows as a new one; `starts` has stored sections by their first parents. */
  #storedSection(section: TreePiece, starts: ReadonlyMap<number, number>): number | undefined {
    const stored = this.#stored
    if (stored === undefined) return undefined
    const first = this.#same[section.first] as number
    const count = section.after - section.first
    const index = starts.get(first)
    if (index === undefined || stored.layout.sections[index]?.parents !== count) return undefined
    for (let at = 0; at < count; at++) {
      if (this.#same[section.first + at] !== first + at || this.#notesChanged(section.first + at)) return undefined
    }
    const { parents } = this.document.tree
    const from = (parents[section.first] as TreePiece).first
    const to = (parents[section.after - 1] as TreePiece).after
    const before = windowsWithin(stored.layout.windows, stored.firsts[first] as number, stored.firsts[first + count] as number)
    return sameItems(before, windowsWithin(this.#windows, from, to)) ? index : undefined
  }

  /** Stored parents, by index, in sections that are not the same any more. */
  #unindexedParents(): number[] {
    const stored = this.#stored
    if (stored === undefined) return []
    const same = new Set(this.#sameSections)
    const parents: number[] = []
    let first = 0
    for (const [index, section] of stored.layout.sections.entries()) {
      if (!same.has(index)) for (let at = 0; at < section.parents; at++) parents.push(first + at)
      first += section.parents
    }
    return parents
  }

  #notesChanged(parent: number): boolean {
    const old = this.#same[parent] as number
    const before = old < 0 ? undefined : this.#stored?.fingerprints.parents[old]?.notes
    return before !== this.document.parents[parent]?.notes
  }

  #vectorsChanged({ key, parents }: CheckedEmbedding, parent: number): boolean {
    const old = this.#same[parent] as number
    const embedding = this.#embedding(key)
    const before = this.#stored?.fingerprints.vectors.find((one) => one.embedding === embedding)
    return old < 0 || before?.parents[old] !== parents[parent]
  }

  #collectParents(rows: RowCollector): void {
    const { parents } = this.document.tree
    for (const [index, parent] of parents.entries()) {
      if ((this.#same[index] as number) >= 0) continue
      const key = this.#parentKeys[index] as number
      rows.parents.push({
        key,
        document: this.#documentKey,
        id: parent.id,
        text: parent.text,
        children: this.#packedChildren(parent),
      })
    }
    const used = new Set(this.#parentKeys)
    for (const index of this.#changedOld) {
      const { key } = (this.#stored as Stored).layout.parents[index] as { key: number }
      if (!used.has(key)) rows.gone.parents.push(key)
    }
    rows.gone.children.push(...this.#removed)
  }

  #packedChildren({ first, after }: TreePiece): Uint8Array {
    return packChildren(
      this.document.tree.children.slice(first, after).map(({ id, lead, start, end }, at) => ({
        key: this.#childKeys[first + at] as number,
        id,
        lead,
        length: end - start - lead,
      })),
    )
  }

  async #collectNotes(rows: RowCollector): Promise<void> {
    const { parents } = this.document.tree
    const changed = parents.filter((_, index) => this.#notesChanged(index))
    if (changed.length === 0) return
    const hadNotes = this.#stored?.fingerprints.parents.some(({ notes }) => notes !== '') === true
    const kept = hadNotes ? changed.flatMap(({ first, after }) => this.#childKeys.slice(first, after)) : []
    const stored = kept.length === 0 ? [] : await this.#scope.writer.notes(kept)
    const before = new Map(stored.map(({ child, note }) => [child, note]))
    for (const { first, after } of changed) {
      for (let index = first; index < after; index++) {
        const child = this.#childKeys[index] as number
        const note = this.document.notes[index]
        if (note === before.get(child)) continue
        if (note === undefined) rows.gone.notes.push(child)
        else rows.notes.push({ child, document: this.#documentKey, note })
      }
    }
  }

  async #collectVectors(given: CheckedEmbedding, rows: RowCollector): Promise<void> {
    const embedding = this.#embedding(given.key)
    const changed = this.document.tree.parents.filter((_, index) => this.#vectorsChanged(given, index))
    if (changed.length === 0) return
    const had = this.#stored?.fingerprints.vectors.some((one) => one.embedding === embedding) === true
    const kept = had ? changed.flatMap(({ first, after }) => this.#childKeys.slice(first, after)) : []
    const before = kept.length === 0 ? new Map<number, string>() : await this.#scope.writer.contentKeys(embedding, kept)
    for (const { first, after } of changed) {
      for (let index = first; index < after; index++) {
        const child = this.#childKeys[index] as number
        const contentKey = given.contentKeys[index] as string
        if (before.get(child) === contentKey) continue
        const vector = given.vectors[index]
        if (vector === undefined)
          throw invalidDocument(
            this.document.id,
            `child ${index} has no vector of ${given.identity.model}, and the store has none of the same content either`,
          )
        rows.vectors.push({ embedding, child, document: this.#documentKey, contentKey, vector })
      }
    }
  }

  /** Writes windows that are new and drops those that are not there any more; the word pieces of all that are indexed again. */
  async #collectWindows(rows: RowCollector): Promise<ReadonlyMap<string, readonly Uint32Array[]>> {
    const pieces = new Map<string, readonly Uint32Array[]>()
    const toRead: { embedding: number; document: number; key: string }[] = []
    const given = new Map(this.document.embeddings.map(({ key, windows }) => [this.#embedding(key), windows]))
    for (const { embedding, windows } of this.#stored?.layout.windows ?? []) {
      const now = new Set(this.#windows.find((one) => one.embedding === embedding)?.windows.map(({ key }) => key))
      for (const key of new Set(windows.map((window) => window.key)))
        if (!now.has(key)) rows.gone.windows.push({ embedding, document: this.#documentKey, key })
    }
    for (const { embedding, windows } of this.#windows) {
      const old = new Set(this.#stored?.layout.windows.find((one) => one.embedding === embedding)?.windows.map(({ key }) => key))
      const blobs = new Map(
        given
          .get(embedding)
          ?.filter(({ blob }) => blob !== undefined)
          .map((window) => [window.key, window]),
      )
      for (const { key, first, after } of windows) {
        const name = `${embedding} ${key}`
        const window = blobs.get(key)
        if (pieces.has(name)) continue
        if (!old.has(key)) {
          if (window?.blob === undefined) {
            throw invalidDocument(
              this.document.id,
              `the window at child ${first} has no token states, and the store has none under its key either`,
            )
          }
          const own = window.pieces ?? []
          pieces.set(name, own)
          rows.windows.push({ embedding, document: this.#documentKey, key, blob: window.blob, pieces: packPieces(own) })
        } else if (this.#isIndexedAgain(first, after)) {
          pieces.set(name, [])
          toRead.push({ embedding, document: this.#documentKey, key })
        }
      }
    }
    for (const row of toRead.length === 0 ? [] : await this.#scope.writer.windows(toRead))
      pieces.set(`${row.embedding} ${row.key}`, readPieces(row.pieces))
    return pieces
  }

  #isIndexedAgain(first: number, after: number): boolean {
    const { children, parents } = this.document.tree
    return children.slice(first, after).some(({ above }) => this.#sameSections[(parents[above] as TreePiece).above] === undefined)
  }

  #piecesByChild(byWindow: ReadonlyMap<string, readonly Uint32Array[]>): ReadonlyMap<number, ChildToIndex['pieces']> {
    const pieces = new Map<number, ChildToIndex['pieces']>()
    for (const { embedding, windows } of this.#windows) {
      for (const { key, first } of windows) {
        for (const [at, ids] of (byWindow.get(`${embedding} ${key}`) ?? []).entries())
          pieces.set(first + at, [...(pieces.get(first + at) ?? []), { embedding, ids }])
      }
    }
    return pieces
  }

  #sectionToIndex(section: TreePiece, index: number, pieces: ReadonlyMap<number, ChildToIndex['pieces']>): SectionToIndex {
    const { tree, notes } = this.document
    const { first } = tree.parents[section.first] as TreePiece
    const { after } = tree.parents[section.after - 1] as TreePiece
    const children = tree.children.slice(first, after).map((child, at) => ({
      key: this.#childKeys[first + at] as number,
      parent: this.#parentKeys[child.above] as number,
      text: child.text.slice(child.lead),
      note: notes[first + at],
      pieces: pieces.get(first + at) ?? [],
    }))
    return { section: this.#sectionKeys[index] as number, document: this.#documentKey, children }
  }

  #documentRow(): DocumentRow {
    const { id, tree, metadata, notes, contentHash, parents } = this.document
    const lines = new LineMap(tree.text)
    const layout: Layout = {
      sections: tree.sections.map(({ first, after, outline, header }, index) => ({
        key: this.#sectionKeys[index] as number,
        parents: after - first,
        outline,
        header,
      })),
      parents: tree.parents.map(({ start, first, after, text, outline, header }, index) => ({
        key: this.#parentKeys[index] as number,
        length: text.length,
        children: after - first,
        ...lines.at(start),
        outline,
        header,
      })),
      outlines: tree.children.map(({ outline }) => outline),
      headers: tree.children.map(({ header }) => header),
      windows: this.#windows,
    }
    const fingerprints: Fingerprints = {
      sections: tree.sections.map((section) => section.id),
      parents: parents.map(({ content, notes }, index) => ({ id: (tree.parents[index] as TreePiece).id, content, notes })),
      vectors: this.#vectorFingerprints(),
    }
    return {
      key: this.#documentKey,
      workspace: this.#scope.workspace,
      id,
      title: tree.title,
      format: tree.format,
      metadata,
      length: tree.text.length,
      children: tree.children.length,
      contentHash,
      version: this.#version,
      notes: notes.filter((note) => note !== undefined).length,
      layout: packLayout(layout),
      fingerprints: packFingerprints(fingerprints),
    }
  }

  #vectorFingerprints(): Fingerprints['vectors'] {
    const named = this.document.embeddings.map(({ key, parents }) => ({ embedding: this.#embedding(key), parents }))
    const others = (this.#stored?.fingerprints.vectors ?? [])
      .filter(({ embedding }) => !named.some((one) => one.embedding === embedding))
      .map(({ embedding, parents }) => ({
        embedding,
        // A parent that was rewritten may have children without a vector, so the next write looks at all of them.
        parents: Array.from(this.#same, (old) => (old < 0 ? '' : (parents[old] as string))),
      }))
    return [...named, ...others].sort((left, right) => left.embedding - right.embedding)
  }
}

/** What was kept of embeddings that are forgotten by now is left out. */
function openStored(row: DocumentRow, known: ReadonlySet<number>): Stored {
  const { windows, ...layout } = readLayout(row.layout)
  const { vectors, ...fingerprints } = readFingerprints(row.fingerprints)
  const firsts = [0]
  for (const { children } of layout.parents) firsts.push((firsts.at(-1) as number) + children)
  return {
    row,
    layout: { ...layout, windows: windows.filter(({ embedding }) => known.has(embedding)) },
    fingerprints: { ...fingerprints, vectors: vectors.filter(({ embedding }) => known.has(embedding)) },
    firsts,
  }
}

function windowText({ key, first, after }: { readonly key: string; readonly first: number; readonly after: number }): string {
  return `${key} ${first} ${after}`
}

/** The windows that lie within a run of children, as texts that do not depend on where the run stands. */
function windowsWithin(all: readonly WindowsLayout[], from: number, to: number): string[] {
  const found: string[] = []
  for (const { embedding, windows } of all) {
    for (let at = windowFrom(windows, from); at < windows.length; at++) {
      const { key, first, after } = windows[at] as WindowLayout
      if (first >= to) break
      found.push(`${embedding} ${key} ${first - from} ${after - from}`)
    }
  }
  return found
}

function sameItems(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}
