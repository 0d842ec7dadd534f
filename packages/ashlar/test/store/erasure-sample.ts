import type { StoredDocument } from '../../src/store/store.ts'
import { letterDocument } from './letter-vectors.ts'

/** A document whose text nobody else has: long words, short ones, several scripts. Its versions share nothing but their length. */
export function secretDocument(number: number, version = 0): StoredDocument {
  const document = letterDocument(`document-${number}`, secretText(number, version), {
    owner: `owner of ${spelled(500_000 + number * 31 + version)} the ${spelled(600_000 + number)}`,
  })
  const [first] = document.tree.children
  return {
    ...document,
    tree: { ...document.tree, title: `A title about ${spelled(700_000 + number * 37 + version)} only` },
    notes: [{ child: first?.id as string, context: `Generated about ${spelled(800_000 + number * 41 + version)} for readers.` }],
  }
}

const versions = new Map<number, readonly string[]>()

/** All that was ever in it: text, title, metadata and notes of every version. */
function secretVersions(number: number): readonly string[] {
  const known = versions.get(number)
  if (known !== undefined) return known
  const made = [0, 1, 2].flatMap((version) => {
    const { tree, metadata, notes } = secretDocument(number, version)
    return [tree.text, tree.title, String(metadata?.['owner']), String(notes?.[0]?.context)]
  })
  versions.set(number, made)
  return made
}

/**
 * Windows of twelve characters that are found in the bytes and that, of all samples up to `count`, only this one ever had: as many as
 * `most` of them.
 */
export function findTraces(
  bytes: Buffer,
  number: number,
  { count = 30, most = 10 }: { readonly count?: number; readonly most?: number } = {},
): readonly string[] {
  const others = Array.from({ length: count }, (_, at) => at)
    .filter((at) => at !== number)
    .flatMap(secretVersions)
    .join('\u0000')
  const found: string[] = []
  for (const window of findWindows(bytes, secretVersions(number))) {
    if (!others.includes(window)) found.push(window)
    if (found.length === most) break
  }
  return found
}

function findWindows(bytes: Buffer, texts: readonly string[]): readonly string[] {
  const windows = new Map<number, Buffer[]>()
  for (const text of new Set(texts)) {
    const characters = [...text]
    for (let at = 0; at + 12 <= characters.length; at++) {
      const window = characters.slice(at, at + 12).join('')
      const wanted = Buffer.from(window)
      const start = wanted.readUInt32LE(0)
      const known = windows.get(start)
      if (known === undefined) windows.set(start, [wanted])
      else known.push(wanted)
    }
  }
  const isStart = new Uint8Array(65_536)
  for (const start of windows.keys()) isStart[start & 0xffff] = 1
  const found = new Set<string>()
  for (let at = 0; at + 12 <= bytes.length; at++) {
    if (isStart[(bytes[at] as number) | ((bytes[at + 1] as number) << 8)] === 0) continue
    for (const wanted of windows.get(bytes.readUInt32LE(at)) ?? [])
      if (bytes.compare(wanted, 0, wanted.length, at, Math.min(at + wanted.length, bytes.length)) === 0)
        found.add(wanted.toString())
  }
  return [...found]
}

function secretText(number: number, version: number): string {
  const seed = 1_000 * number + 100 * version
  return Array.from({ length: 40 }, (_, at) => {
    const word = spelled(seed + at)
    return `${word}${spelled(seed * 7 + at)}${word} ${word} zu ${spelled(at * 13 + seed)}ß Привет${word} 東京${word}都庁舎\n\n`
  }).join('')
}

/** A number as a word. */
function spelled(number: number): string {
  let state = (number + 1) * 2_654_435
  let word = ''
  for (let at = 0; at < 7; at++) {
    state = (state * 48_271 + 11) % 2_147_483_647
    word += 'bcdfghjklmnprstvwxz'[state % 19] ?? ''
    word += 'aeiou'[Math.floor(state / 19) % 5] ?? ''
  }
  return word
}
