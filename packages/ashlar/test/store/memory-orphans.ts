import { readLayout } from '../../src/store/layout.ts'
import type { MemoryData } from '../../src/store/memory-data.ts'
import { readChildren } from '../../src/store/parent-children.ts'

/** Rows of memory stores that belong to nothing. */
export function memoryOrphans(data: MemoryData): readonly string[] {
  const orphans: string[] = []
  const layouts = new Map([...data.documents].map(([key, { layout }]) => [key, readLayout(layout)]))
  const parents = new Set([...layouts.values()].flatMap((layout) => layout.parents.map(({ key }) => key)))
  const children = new Set<number>()
  for (const [key, { children: packed }] of data.parents) {
    if (!parents.has(key)) orphans.push(`parent ${key}`)
    else for (const child of readChildren(packed)) children.add(child.key)
  }
  for (const key of parents) if (!data.parents.has(key)) orphans.push(`no parent ${key}`)
  for (const key of data.notes.keys()) if (!children.has(key)) orphans.push(`note of ${key}`)
  for (const [embedding, block] of data.vectors) {
    if (!data.embeddings.has(embedding)) orphans.push(`vectors of embedding ${embedding}`)
    const known = [...children].filter((child) => block.contentKey(child) !== undefined)
    if (known.length !== block.size) orphans.push(`${block.size - known.length} vectors of embedding ${embedding}`)
  }
  for (const [document, windows] of data.windows) {
    const known = new Set(
      layouts.get(document)?.windows.flatMap((one) => one.windows.map(({ key }) => `${one.embedding} ${key}`)),
    )
    for (const name of windows.keys()) if (!known.has(name)) orphans.push(`window ${name} of document ${document}`)
  }
  for (const [workspace, keys] of data.documentKeys) {
    for (const [id, key] of keys) if (data.documents.get(key)?.id !== id) orphans.push(`id ${id} of ${workspace}`)
  }
  return orphans
}
