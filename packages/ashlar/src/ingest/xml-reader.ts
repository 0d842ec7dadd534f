const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What {@link XmlReader.next} has come to. */
export type XmlEvent = 'open' | 'close' | 'text'

/**
 * Reads XML from front to back, one tag or text at a time. Elements are known by their names without prefix.
 *
 * It knows the five entities of XML and numbered characters, and no others: what a document type declares is never expanded, so an entity
 * cannot multiply. It forgives: tags that do not match are reported as they stand.
 */
export class XmlReader {
  readonly #source: string
  #at = 0
  #attributes = ''
  #selfClosing = false
  /** Name of the element that opened or closed, without prefix. */
  name = ''
  /** The text that was come to. */
  text = ''

  constructor(source: string) {
    this.#source = source
  }

  /** The next tag or text; undefined at the end. An element without contents opens and closes. */
  next(): XmlEvent | undefined {
    if (this.#selfClosing) {
      this.#selfClosing = false
      return 'close'
    }
    const source = this.#source
    while (this.#at < source.length) {
      if (source.charCodeAt(this.#at) !== 0x3c) {
        const end = this.#find('<', this.#at)
        this.text = decodeXml(source.slice(this.#at, end))
        this.#at = end
        return 'text'
      }
      if (source.startsWith('<![CDATA[', this.#at)) {
        const end = this.#find(']]>', this.#at)
        this.text = source.slice(this.#at + 9, end)
        this.#at = end + 3
        return 'text'
      }
      if (source.startsWith('<!--', this.#at)) this.#at = this.#find('-->', this.#at) + 3
      else if (source.startsWith('<?', this.#at)) this.#at = this.#find('?>', this.#at) + 2
      else if (source.startsWith('<!', this.#at)) this.#skipDeclaration()
      else return this.#tag()
    }
    return undefined
  }

  /** An attribute of the element that opened, by its name without prefix. */
  attribute(name: string): string | undefined {
    const found = attributePattern(name).exec(this.#attributes)
    return found === null ? undefined : decodeXml(found[1] ?? found[2] ?? '')
  }

  /** Goes on to behind the end of the element that has just opened. */
  skip(): void {
    for (let depth = 1; depth > 0; ) {
      const event = this.next()
      if (event === undefined) return
      if (event === 'open') depth++
      else if (event === 'close') depth--
    }
  }

  /** All text up to the end of the element that has just opened. */
  contents(): string {
    let text = ''
    for (let depth = 1; depth > 0; ) {
      const event = this.next()
      if (event === undefined) break
      if (event === 'open') depth++
      else if (event === 'close') depth--
      else text += this.text
    }
    return text
  }

  #find(what: string, from: number): number {
    const found = this.#source.indexOf(what, from)
    return found < 0 ? this.#source.length : found
  }

  /** `<!DOCTYPE …>`, with what it declares in brackets. */
  #skipDeclaration(): void {
    const close = this.#find('>', this.#at)
    const bracket = this.#find('[', this.#at)
    this.#at = bracket < close ? this.#find('>', this.#find(']', bracket)) + 1 : close + 1
  }

  #tag(): XmlEvent {
    const source = this.#source
    const closing = source.charCodeAt(this.#at + 1) === 0x2f
    const start = this.#at + (closing ? 2 : 1)
    let end = this.#find('>', start)
    // A `>` may stand in a quoted value.
    for (let quotes = 0; quotes < 64 && opensQuote(source, start, end); quotes++) end = this.#find('>', end + 1)
    this.#selfClosing = !closing && source.charCodeAt(end - 1) === 0x2f
    const tag = source.slice(start, this.#selfClosing ? end - 1 : end)
    const space = tag.search(/\s/)
    const full = space < 0 ? tag : tag.slice(0, space)
    this.name = full.slice(full.indexOf(':') + 1)
    this.#attributes = space < 0 ? '' : tag.slice(space)
    this.#at = end + 1
    return closing ? 'close' : 'open'
  }
}

const patterns = new Map<string, RegExp>()

/** Names are ours and plain, so that no sign in them means anything to the expression. */
function attributePattern(name: string): RegExp {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  patterns.set(name, pattern)
  return pattern
}

/** Whether a quote that opened in the tag is not yet closed. */
function opensQuote(source: string, start: number, end: number): boolean {
  if (end >= source.length || end - start > 65_536) return false
  let quote = 0
  for (let at = start; at < end; at++) {
    const code = source.charCodeAt(at)
    if (quote === 0 ? code === 0x22 || code === 0x27 : code === quote) quote = quote === 0 ? code : 0
  }
  return quote !== 0
}

/** Text with the entities of XML in it, as they read. */
export function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return entities[name] as string
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
