import type { Format, Seam } from './seam.ts'
import { strength } from './seam.ts'

/** The separators of recursive splitters: paragraph, line, sentence, space. Between graphemes is always the last resort. */
export const recursiveSeparators: readonly string[] = ['\n\n', '\n', '. ', ' ']

/**
 * Cuts by a list of separators, strongest first, and by nothing else: recursive splitting as a setting of the same packer.
 *
 * @example
 * const byLine = separators(['\n', ','])
 * console.log([...chunk('a,b\nc,d', { format: byLine, size: 4, overlap: 0 })].map(({ text }) => text)) // => [ 'a,b', 'c,d' ]
 */
export function separators(list: readonly string[] = recursiveSeparators): Format {
  const wanted = list.filter((separator) => separator !== '')
  // Evenly spread between a block and a word, in the order given.
  const strengthOf = (rank: number): number => strength.block - (rank * (strength.block - strength.word)) / wanted.length
  return {
    id: `separators(${JSON.stringify(wanted)})`,
    *seams(text) {
      yield { at: 0, strength: strength.glue, kind: 'start', inside: 'whole' }
      // One search runs ahead per separator; each is repeated only once it has been passed, so the whole costs one pass each.
      const found = wanted.map((separator) => text.indexOf(separator))
      for (;;) {
        let next = -1
        for (let rank = 0; rank < wanted.length; rank++) {
          const at = found[rank] as number
          if (at === -1) continue
          if (next === -1 || end(at, rank) < end(found[next] as number, next)) next = rank
        }
        if (next === -1) return
        const at = end(found[next] as number, next)
        if (at >= text.length) return
        const seam: Seam = { at, strength: strengthOf(next), kind: 'separator', inside: 'whole' }
        yield seam
        for (let rank = 0; rank < wanted.length; rank++) {
          if (found[rank] !== -1 && end(found[rank] as number, rank) <= at)
            found[rank] = text.indexOf(wanted[rank] as string, (found[rank] as number) + 1)
        }
      }
    },
  }

  function end(at: number, rank: number): number {
    return at + (wanted[rank] as string).length
  }
}
