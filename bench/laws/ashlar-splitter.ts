import type { PeerSplitter } from '../peers/splitters.ts'

/** Ashlar through the same door as its peers: a law that no program could keep there would show. */
export const ashlarSplitter: PeerSplitter = {
  id: 'Ashlar',
  package: 'ashlar',
  unit: 'characters',
  async open() {
    const { chunkText } = await import('ashlar')
    return (text, options) => [...chunkText(text, options)]
  },
}
