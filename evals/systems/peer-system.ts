import { openPeerEmbedder } from '../peers/embed.ts'
import { peers } from '../peers/peers.ts'
import type { System } from '../system.ts'

/** A peer as one of the systems that a set can be asked of; its best settings may be others for another set. */
export async function peerSystem(name: string, set: string): Promise<System> {
  const peer = await peers[name]!(set)
  let report = (_embedded: number): void => {}
  const embedder = await openPeerEmbedder((embedded) => report(embedded))
  return {
    name,
    settings: `${peer.name}: ${peer.settings}`,
    embeddingTime: () => embedder.time,
    async open(documents, { fresh, progress }) {
      report = (embedded) => progress(`${embedded} texts embedded`)
      embedder.fresh = fresh
      const opened = await peer.open(documents, embedder.embed)
      embedder.fresh = false
      return {
        async search(question, limit, options = {}) {
          embedder.fresh = options.fresh === true
          const found = await opened.search(question, limit)
          embedder.fresh = false
          return found
        },
        close: () => opened.close(),
      }
    },
    async [Symbol.asyncDispose]() {
      await peer.close?.()
      await embedder[Symbol.asyncDispose]()
    },
  }
}
