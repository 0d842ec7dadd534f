/** A vocabulary of word pieces as a tree of code units, laid out in a hash table. */
export interface WordPieceVocabulary {
  /**
   * The longest piece that `units[from, to)` begins with, for the start of a word or for what follows it: its id, or -1.
   * `matchEnd` is then where it ends.
   */
  match(units: Uint16Array, from: number, to: number, continuing: boolean): number
  readonly matchEnd: number
}

/**
 * Lays out a vocabulary whose entries inside words begin with `continuingPrefix`: about 4 MB for 30,000 entries. What a later list has
 * counts more.
 */
export function wordPieceVocabulary(
  lists: readonly ReadonlyMap<string, number>[],
  continuingPrefix: string,
): WordPieceVocabulary {
  let units = 0
  for (const ids of lists) for (const piece of ids.keys()) units += piece.length
  let bits = 8
  while (1 << bits < units * 2) bits++
  const wrap = (1 << bits) - 1
  const shift = 32 - bits
  // An edge is known by its parent node and its code unit.
  const parents = new Int32Array(1 << bits).fill(-1)
  const edgeUnits = new Uint16Array(1 << bits)
  const children = new Int32Array(1 << bits)
  const pieces = new Int32Array(units + 3).fill(-1)
  const wordRoot = 0
  const continuingRoot = 1
  let nodes = 2
  let matchEnd = 0

  const slotOf = (node: number, unit: number): number => {
    let slot = Math.imul(node * 0x9e37 + unit, 0x85eb_ca6b) >>> shift
    while (parents[slot] !== -1 && (parents[slot] !== node || edgeUnits[slot] !== unit)) slot = (slot + 1) & wrap
    return slot
  }
  const add = (piece: string, root: number, id: number): void => {
    let node = root
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at)
      const slot = slotOf(node, unit)
      if (parents[slot] === -1) {
        parents[slot] = node
        edgeUnits[slot] = unit
        children[slot] = nodes++
      }
      node = children[slot] as number
    }
    pieces[node] = id
  }
  for (const ids of lists) {
    for (const [piece, id] of ids) {
      if (piece !== '') add(piece, wordRoot, id)
      if (piece.length > continuingPrefix.length && piece.startsWith(continuingPrefix)) {
        add(piece.slice(continuingPrefix.length), continuingRoot, id)
      }
    }
  }
  return {
    match(word, from, to, continuing) {
      let node = continuing ? continuingRoot : wordRoot
      let found = -1
      for (let at = from; at < to; at++) {
        const slot = slotOf(node, word[at] as number)
        if (parents[slot] === -1) break
        node = children[slot] as number
        const piece = pieces[node] as number
        if (piece >= 0) {
          found = piece
          matchEnd = at + 1
        }
      }
      return found
    },
    get matchEnd() {
      return matchEnd
    },
  }
}
