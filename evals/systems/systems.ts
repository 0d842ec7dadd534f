import { openEvalCache } from '../eval-cache.ts'
import { peers } from '../peers/peers.ts'
import type { System } from '../system.ts'
import { type LibraryConfiguration, librarySystem } from './library-system.ts'
import { peerSystem } from './peer-system.ts'

/** Our library in the configurations that are published; the first is the default. */
export const configurations: readonly LibraryConfiguration[] = [
  { name: 'ashlar', model: 'all-MiniLM-L6-v2' },
  { name: 'ashlar+bge', model: 'bge-small-en-v1.5' },
  { name: 'ashlar+potion', model: 'potion-base-8M' },
  { name: 'ashlar+words' },
  { name: 'ashlar+cross-encoder', model: 'all-MiniLM-L6-v2', crossEncoder: true },
  // What the design calls BASE: a vector a child, and words of child, parent and section.
  { name: 'ashlar+base', model: 'all-MiniLM-L6-v2', open: { late: false } },
]

/** Opens systems by name. */
export class Systems implements AsyncDisposable {
  readonly #journal = openEvalCache()

  async open(name: string, set: string): Promise<System> {
    const configuration = configurations.find((one) => one.name === name)
    if (configuration !== undefined) return librarySystem(configuration, this.#journal)
    if (Object.hasOwn(peers, name)) return peerSystem(name, set)
    throw new Error(`No system is called ${name}; there are: ${systemNames().join(', ')}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#journal[Symbol.asyncDispose]()
  }
}

/** The peers whose figures are published: each as documented, and at its best. The others were tried on the way there. */
export function publishedPeers(): string[] {
  return Object.keys(peers).filter((name) => !name.includes('@'))
}

/** Everything that can be asked. */
function systemNames(): string[] {
  return [...configurations.map(({ name }) => name), ...Object.keys(peers)]
}
