/** A line of a page: what it says, where it stands, and how large it is written. */
export interface PdfLine {
  text: string
  readonly left: number
  /** Height of its base above the lower edge of the page. */
  readonly base: number
  readonly size: number
  right: number
}

/** A piece of a line as pdf.js gives it. */
export interface PdfItem {
  readonly str: string
  readonly hasEOL: boolean
  readonly width: number
  readonly height: number
  readonly transform: readonly number[]
}

/** Characters that only show how a letter looks: radicals of Chinese dictionaries, ligatures, Arabic letters by their place in a word. */
const shapes = /[\u2e80-\u2ef3\u2f00-\u2fd5\ufb00-\ufb06\ufb50-\ufdf1\ufe70-\ufefc]/g

/** Radicals that stand for whole characters and that Unicode does not decompose, and those characters. */
const radicals = '⺁⺎⺝⺠⺩⺮⺶⺼⺽⻁⻄⻅⻆⻉⻋⻑⻓⻔⻗⻘⻙⻚⻛⻜⻝⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲'
const characters = '厂兀月民王竹羊肉臼虎西见角贝车長长门雨青韦页风飞食马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀'

function unshaped(sign: string): string {
  const at = radicals.indexOf(sign)
  return at < 0 ? sign.normalize('NFKC') : (characters[at] as string)
}

/** Puts the pieces of a page together to lines, in the order in which they are drawn. */
export class PdfLines {
  readonly lines: PdfLine[] = []
  length = 0
  #line: PdfLine | undefined

  add({ str, hasEOL, width, height, transform }: PdfItem): void {
    const left = transform[4] ?? 0
    const base = transform[5] ?? 0
    const size = height > 0 ? height : Math.hypot(transform[2] ?? 0, transform[3] ?? 0)
    if (str !== '') {
      const text = str.replace(shapes, unshaped)
      const line = this.#line
      // A raised or lowered sign, such as a note's number, stays in its line.
      if (line !== undefined && Math.abs(line.base - base) < Math.max(line.size, size) * 0.6) {
        const gap = left - line.right
        const space = gap > Math.max(line.size, size) * 0.25 && !/\s$/.test(line.text) && !/^\s/.test(text)
        line.text += space ? ` ${text}` : text
        line.right = Math.max(line.right, left + width)
      } else if (text.trim() !== '') {
        this.#end()
        this.#line = { text, left, base, size, right: left + width }
      }
    }
    if (hasEOL) this.#end()
  }

  #end(): void {
    if (this.#line === undefined) return
    this.#line.text = this.#line.text.trimEnd()
    this.length += this.#line.text.length + 1
    this.lines.push(this.#line)
    this.#line = undefined
  }

  /** To be called after the last piece. */
  finish(): this {
    this.#end()
    return this
  }
}
