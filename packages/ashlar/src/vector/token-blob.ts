import { AshlarError } from '../error/ashlar-error.ts'
import { sha256 } from '../text/sha-256.ts'
import type { TokenCodec, TokenRows, TokenRun } from './token-codec.ts'

/** The token states of a window as they are kept, opened for reading. */
export interface TokenBlob {
  readonly dimensions: number
  /** The tokens of each child of the window, in the children's order. */
  readonly children: readonly TokenRun[]
}

const magic = 0x31544c41
const headSize = 16

/**
 * Writes some token states of a window's children into one blob: those with the indices in `which`, of which `counts` says how many
 * belong to each child.
 *
 * All numbers are little-endian:
 *
 * | bytes | what |
 * |---|---|
 * | 0-3 | `ALT1` |
 * | 4-7 | first 32 bits of the SHA-256 of the codec's id |
 * | 8-11 | dimensions |
 * | 12-15 | number of children, c |
 * | 4c | tokens of each child |
 * | rest | codes of all tokens, `codec.size(dimensions)` bytes each |
 */
export function writeTokenBlob(tokens: TokenRows, which: Uint32Array, counts: readonly number[], codec: TokenCodec): Uint8Array {
  const codes = codec.encode(tokens, which)
  const bytes = new Uint8Array(headSize + 4 * counts.length + codes.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, magic, true)
  view.setUint32(4, codecTag(codec), true)
  view.setUint32(8, tokens.dimensions, true)
  view.setUint32(12, counts.length, true)
  for (const [child, count] of counts.entries()) view.setUint32(headSize + 4 * child, count, true)
  bytes.set(codes, headSize + 4 * counts.length)
  return bytes
}

/**
 * Opens a blob. Nothing is copied: the runs point into `bytes`.
 *
 * @throws AshlarError `INVALID_TOKENS` when these are not the bytes that {@link writeTokenBlob} made with this codec.
 */
export function readTokenBlob(bytes: Uint8Array, codec: TokenCodec): TokenBlob {
  // Drivers hand out subclasses of Uint8Array; one class keeps the inner loops fast.
  const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (plain.length < headSize || view.getUint32(0, true) !== magic) throw invalid('They do not begin like token states.', plain)
  if (view.getUint32(4, true) !== codecTag(codec)) throw invalid(`They were not written by the codec ${codec.id}.`, plain)
  const dimensions = view.getUint32(8, true)
  const count = view.getUint32(12, true)
  const codes = headSize + 4 * count
  if (dimensions === 0 || dimensions > 0xffff || codes > plain.length) throw invalid('Their head is damaged.', plain)
  const size = codec.size(dimensions)
  const children: TokenRun[] = []
  let from = codes
  for (let child = 0; child < count; child++) {
    const tokens = view.getUint32(headSize + 4 * child, true)
    children.push({ bytes: plain, from, count: tokens, dimensions })
    from += tokens * size
  }
  if (from !== plain.length) throw invalid(`They should have ${from} bytes and have ${plain.length}.`, plain)
  return { dimensions, children }
}

const tags = new Map<string, number>()

function codecTag({ id }: TokenCodec): number {
  const tag = tags.get(id) ?? Number.parseInt(sha256(id, 64).slice(0, 8), 16)
  tags.set(id, tag)
  return tag
}

function invalid(what: string, bytes: Uint8Array): AshlarError {
  return new AshlarError('INVALID_TOKENS', `These bytes are not token states that can be read. ${what}`, {
    details: { bytes: bytes.length },
  })
}
