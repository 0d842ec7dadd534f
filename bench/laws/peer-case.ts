/** What the peers' laws run in a process of its own: one splitter on one text, with its time. */
import { hostileTexts } from '../inputs/hostile-texts.ts'
import { findPeer, type PeerChunk, type PeerOptions } from '../peers/splitters.ts'
import { ashlarSplitter } from './ashlar-splitter.ts'

export interface PeerJob {
  readonly peer: string
  readonly options: PeerOptions
  /** The text itself, or the name and size of one that is made on this side. */
  readonly text: string | { readonly name: string; readonly size: number }
}

export interface PeerAnswer {
  /** Left out for made texts, whose chunks nobody looks at. */
  readonly chunks: readonly PeerChunk[]
  /** CPU milliseconds. */
  readonly cpu: number
}

type SplitText = (text: string, options: PeerOptions) => Iterable<PeerChunk> | Promise<Iterable<PeerChunk>>
const opened = new Map<string, SplitText>()

export async function work({ peer, options, text }: PeerJob): Promise<PeerAnswer> {
  let splitText = opened.get(peer)
  if (splitText === undefined) {
    splitText = await (peer === ashlarSplitter.id ? ashlarSplitter : findPeer(peer)).open()
    opened.set(peer, splitText)
  }
  const source = typeof text === 'string' ? text : makeText(text.name, text.size)
  const before = process.cpuUsage()
  const chunks: PeerChunk[] = []
  for (const { text: piece, start, end } of await splitText(source, options))
    chunks.push(start === undefined || end === undefined ? { text: piece } : { text: piece, start, end })
  const { user, system } = process.cpuUsage(before)
  return { chunks: typeof text === 'string' ? chunks : [], cpu: (user + system) / 1000 }
}

function makeText(name: string, size: number): string {
  return hostileTexts.find((text) => text.name === name)!.make(size)
}
