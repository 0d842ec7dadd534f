import type { Metadata } from '../store/filter.ts'
import type { Library } from './library.ts'
import type { OpenOptions } from './open-options.ts'

/**
 * Opens a library over a store: documents that can be added, kept in step with their source, searched, read and erased.
 *
 * With a type of the metadata, filters are checked as you write: `open<{ year: number }>({ … })`. What a library is made of is loaded
 * here and not before, so that who only cuts text loads nothing of it. `ashlar/node` opens one by path or URL.
 */
export async function open<Fields extends object = Metadata>(options: OpenOptions): Promise<Library<Fields>> {
  const { TreeLibrary } = await import('./tree-library.ts')
  return new TreeLibrary<Fields>(options)
}
