import type { DocxLevel } from './docx-styles.ts'

/** Counts the items of numbered lists, and says what stands before each: `-`, `3.`, `2.1`, `b)`. */
export class DocxLabels {
  readonly #numberings: ReadonlyMap<string, ReadonlyMap<number, DocxLevel>>
  readonly #counts = new Map<string, number[]>()

  constructor(numberings: ReadonlyMap<string, ReadonlyMap<number, DocxLevel>>) {
    this.#numberings = numberings
  }

  /** The label of the next item at a level of a list; undefined where the list has no labels. */
  next(list: string, level: number): string | undefined {
    const levels = this.#numberings.get(list)
    const own = levels?.get(level)
    if (levels === undefined || own === undefined || own.format === 'none') return undefined
    if (own.format === 'bullet') return '-'
    const counts = this.#counts.get(list) ?? []
    this.#counts.set(list, counts)
    counts[level] = (counts[level] ?? own.start - 1) + 1
    // Items below begin again.
    counts.length = level + 1
    const label = own.label.replace(/%(\d)/g, (_, place: string) => {
      const at = Number(place) - 1
      const shown = levels.get(at)
      return written(counts[at] ?? shown?.start ?? 1, shown?.format ?? 'decimal')
    })
    return label === '' ? undefined : label
  }
}

function written(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(value).toLowerCase()
    case 'upperLetter':
      return letters(value)
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperRoman':
      return roman(value)
    case 'decimalZero':
      return String(value).padStart(2, '0')
    default:
      return String(value)
  }
}

/** A, B … Z, AA, BB: as word processors count on. */
function letters(value: number): string {
  return value < 1 ? '' : String.fromCharCode(65 + ((value - 1) % 26)).repeat(Math.min(16, Math.ceil(value / 26)))
}

const romans = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
] as const

function roman(value: number): string {
  let rest = Math.min(value, 4999)
  let text = ''
  for (const [worth, sign] of romans) {
    for (; rest >= worth; rest -= worth) text += sign
  }
  return text
}
