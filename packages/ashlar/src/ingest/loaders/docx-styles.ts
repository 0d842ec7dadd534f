import { XmlReader } from '../xml-reader.ts'

/** What a paragraph's style says about it. */
export interface DocxStyle {
  readonly name: string
  readonly basedOn?: string
  /** Level of a heading, 0 for the highest; 9 is body text. */
  readonly outline?: number
  readonly list?: { readonly id?: string; readonly level?: number }
}

/** A level of a numbering: how its labels look, `%1.%2` standing for the numbers. */
export interface DocxLevel {
  readonly format: string
  readonly label: string
  readonly start: number
}

/** Styles of paragraphs by their ids. */
export function readStyles(xml: string): ReadonlyMap<string, DocxStyle> {
  const reader = new XmlReader(xml)
  const styles = new Map<string, DocxStyle>()
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event !== 'open' || reader.name !== 'style') continue
    const id = reader.attribute('styleId') ?? ''
    const type = reader.attribute('type')
    const style = readStyle(reader)
    if (type === 'paragraph' || type === undefined) styles.set(id, style)
  }
  return styles
}

function readStyle(reader: XmlReader): DocxStyle {
  let style: DocxStyle = { name: '' }
  for (let depth = 1; depth > 0; ) {
    const event = reader.next()
    if (event === undefined) break
    if (event === 'close') depth--
    if (event !== 'open') continue
    depth++
    const value = reader.attribute('val')
    if (reader.name === 'name') style = { ...style, name: value ?? '' }
    else if (reader.name === 'basedOn' && value !== undefined) style = { ...style, basedOn: value }
    else if (reader.name === 'outlineLvl') style = { ...style, outline: Number(value) }
    else if (reader.name === 'ilvl') style = { ...style, list: { ...style.list, level: Number(value) } }
    else if (reader.name === 'numId' && value !== undefined) style = { ...style, list: { ...style.list, id: value } }
  }
  return style
}

/** Something of a style or of the first style below it that has it. */
export function inherited<Value>(
  styles: ReadonlyMap<string, DocxStyle>,
  id: string | undefined,
  pick: (style: DocxStyle) => Value | undefined,
): Value | undefined {
  let style = id === undefined ? undefined : styles.get(id)
  // Styles of a damaged file may be based on each other.
  for (let steps = 0; style !== undefined && steps < 32; steps++) {
    const value = pick(style)
    if (value !== undefined) return value
    style = style.basedOn === undefined ? undefined : styles.get(style.basedOn)
  }
  return undefined
}

/** The level of a heading from 1, by a style's outline level or its name; undefined for other text. */
export function headingLevel(styles: ReadonlyMap<string, DocxStyle>, id: string | undefined): number | undefined {
  const outline = inherited(styles, id, ({ outline }) => outline)
  if (outline !== undefined) return outline < 9 ? Math.min(6, outline + 1) : undefined
  const name = styles.get(id ?? '')?.name ?? id ?? ''
  const named = /^heading ?(\d)$/i.exec(name)
  if (named !== null) return Math.min(6, Math.max(1, Number(named[1])))
  return /^title$/i.test(name) ? 1 : undefined
}

/** Levels of each numbering by its id. */
export function readNumbering(xml: string): ReadonlyMap<string, ReadonlyMap<number, DocxLevel>> {
  const reader = new XmlReader(xml)
  const abstracts = new Map<string, ReadonlyMap<number, DocxLevel>>()
  const numberings = new Map<string, ReadonlyMap<number, DocxLevel>>()
  let abstract: Map<number, DocxLevel> | undefined
  let number: { readonly id: string; levels: Map<number, DocxLevel> } | undefined
  let level = 0
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event === 'close') {
      if (reader.name === 'abstractNum') abstract = undefined
      else if (reader.name === 'num' && number !== undefined) {
        numberings.set(number.id, number.levels)
        number = undefined
      }
      continue
    }
    if (event !== 'open') continue
    const value = reader.attribute('val')
    const levels = abstract ?? number?.levels
    const change = (part: Partial<DocxLevel>): void => {
      levels?.set(level, { ...(levels.get(level) ?? { format: 'decimal', label: '', start: 1 }), ...part })
    }
    if (reader.name === 'abstractNum') {
      abstract = new Map()
      abstracts.set(reader.attribute('abstractNumId') ?? '', abstract)
    } else if (reader.name === 'num') number = { id: reader.attribute('numId') ?? '', levels: new Map() }
    else if (reader.name === 'abstractNumId' && number !== undefined) number.levels = new Map(abstracts.get(value ?? '') ?? [])
    else if (reader.name === 'lvl' || reader.name === 'lvlOverride') level = Number(reader.attribute('ilvl') ?? 0)
    else if (reader.name === 'start' || reader.name === 'startOverride') change({ start: Number(value ?? 1) })
    else if (reader.name === 'numFmt') change({ format: value ?? 'decimal' })
    else if (reader.name === 'lvlText') change({ label: value ?? '' })
  }
  return numberings
}
