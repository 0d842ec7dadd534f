import { deflateRawSync } from 'node:zlib'

/** A zip archive of texts, as office files are; `claimed` is what its directory says of every size instead of the truth. */
export function zipArchive(parts: Readonly<Record<string, string>>, claimed?: number): Uint8Array {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const data = Buffer.from(text)
    const packed = deflateRawSync(data)
    const path = Buffer.from(name)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(path.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt32LE(claimed ?? data.length, 24)
    entry.writeUInt16LE(path.length, 28)
    entry.writeUInt32LE(at, 42)
    files.push(local, path, packed)
    directory.push(entry, path)
    at += 30 + path.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...files, ...directory, end]))
}
