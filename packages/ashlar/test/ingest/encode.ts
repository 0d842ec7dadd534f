const tables = new Map<string, ReadonlyMap<string, readonly number[]>>()

/** Bytes of a text in an encoding of one or two bytes a character, by turning the platform's decoder around. */
export function encode(text: string, encoding: string): Uint8Array {
  if (encoding.startsWith('utf-16')) {
    const little = encoding === 'utf-16le'
    return Uint8Array.from(
      Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)).flatMap((unit) =>
        little ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255],
      ),
    )
  }
  const table = tables.get(encoding) ?? turnAround(encoding)
  tables.set(encoding, table)
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = table.get(character)
      if (bytes === undefined) throw new Error(`${character} is not in ${encoding}`)
      return bytes
    }),
  )
}

function turnAround(encoding: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, readonly number[]>()
  const add = (bytes: readonly number[]): void => {
    const character = decoder.decode(Uint8Array.from(bytes))
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) table.set(character, bytes)
  }
  for (let one = 0; one < 256; one++) add([one])
  if (encoding !== 'windows-1252')
    for (let lead = 0x81; lead < 0xff; lead++) for (let trail = 0x40; trail < 0xff; trail++) add([lead, trail])
  return table
}
