import { isZip } from './zip.ts'

const signatures: readonly (readonly [string, readonly (number | undefined)[]])[] = [
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['a TIFF image', [0x49, 0x49, 0x2a, 0x00]],
  ['a TIFF image', [0x4d, 0x4d, 0x00, 0x2a]],
  ['a recording or an image in a RIFF file', [0x52, 0x49, 0x46, 0x46]],
  ['an MP3 recording', [0x49, 0x44, 0x33]],
  ['an Ogg recording', [0x4f, 0x67, 0x67, 0x53]],
  ['a FLAC recording', [0x66, 0x4c, 0x61, 0x43]],
  ['a video', [undefined, undefined, undefined, undefined, 0x66, 0x74, 0x79, 0x70]],
  ['a video', [0x1a, 0x45, 0xdf, 0xa3]],
  ['a gzip archive', [0x1f, 0x8b]],
  ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a RAR archive', [0x52, 0x61, 0x72, 0x21, 0x1a]],
  ['an xz archive', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a bzip2 archive', [0x42, 0x5a, 0x68, undefined, 0x31, 0x41, 0x59]],
  ['a Zstandard archive', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a program', [0x7f, 0x45, 0x4c, 0x46]],
  ['a program', [0x4d, 0x5a, undefined, 0x00]],
  ['a WebAssembly program', [0x00, 0x61, 0x73, 0x6d]],
  ['a Java class', [0xca, 0xfe, 0xba, 0xbe]],
  ['a SQLite database', [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ['a font', [0x77, 0x4f, 0x46]],
  ['a font', [0x4f, 0x54, 0x54, 0x4f]],
  ['a font', [0x00, 0x01, 0x00, 0x00, 0x00]],
]

const compoundFile = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

/** What a file that is not read is, by its first bytes, as `a PNG image`; undefined where they say nothing. */
export function fileSignature(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, compoundFile)) {
    return holdsWide(bytes, 'EncryptedPackage') ? 'encrypted office file' : 'a Microsoft Office file of before 2007'
  }
  if (isZip(bytes)) return 'a zip archive that is no document we read'
  return signatures.find(([, signature]) => startsWith(bytes, signature))?.[0]
}

function startsWith(bytes: Uint8Array, signature: readonly (number | undefined)[]): boolean {
  return bytes.length >= signature.length && signature.every((byte, at) => byte === undefined || bytes[at] === byte)
}

/** Whether a name stands in the directory of a compound file, where names are UTF-16. */
function holdsWide(bytes: Uint8Array, name: string): boolean {
  const first = name.charCodeAt(0)
  const end = Math.min(bytes.length, 2 ** 24) - name.length * 2
  for (let at = bytes.indexOf(first); at >= 0 && at <= end; at = bytes.indexOf(first, at + 1)) {
    let same = 0
    while (same < name.length && bytes[at + same * 2] === name.charCodeAt(same) && bytes[at + same * 2 + 1] === 0) same++
    if (same === name.length) return true
  }
  return false
}
