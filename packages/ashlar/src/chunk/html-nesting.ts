import { type ElementRule, elementRule, foreignPointRule, foreignRule, groups } from './html-element.ts'

/** A start or end tag, as much of it as nesting depends on. */
export interface Tag {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly selfClosing: boolean
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}

/** An element whose end has not come yet. `Note` is whatever the reader wants to remember with it. */
export interface OpenElement<Note> {
  readonly name: string
  readonly rule: ElementRule
  readonly at: number
  /** Levels of lists, cells and quotes around its content. */
  readonly level: number
  /** Blocks around its content that are not levels. */
  readonly wrap: number
  /** Sections around its content. */
  readonly sections: number
  /** Whether line breaks in its content are meant. */
  readonly lines: boolean
  /** Set for SVG and MathML elements. */
  readonly foreign: 'svg' | 'math' | undefined
  /** Whether it stands as a block, which for scripts and metadata depends on the place. */
  readonly block: boolean
  readonly note: Note | undefined
}

/**
 * How deep elements are told apart: as deep as browsers build their tree. Deeper ones are only counted, so that their end
 * tags close nothing else. It also bounds every search for an open element.
 */
const deepest = 512

const { scope, list, wrapper, heading, term, table, rows, row, cell, columns, template, select, inSelect, endsSelect } = groups
const tablePart: number = rows | row | cell | columns
const tableBase: number = table | template
const rowBase: number = tableBase | rows
const cellBase: number = rowBase | row

const breakouts = new Set(
  (
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p ' +
    'pre ruby s small span strong strike sub sup table tt u ul var'
  ).split(' '),
)
const svgPoints = new Set(['foreignobject', 'desc', 'title'])
const mathPoints = new Set(['mi', 'mo', 'mn', 'ms', 'mtext'])

const item: ElementRule = elementRule('li')
const button: ElementRule = elementRule('button')
const tableRule: ElementRule = elementRule('table')
const rowsRule: ElementRule = elementRule('tbody')
const rowRule: ElementRule = elementRule('tr')

/**
 * Follows which elements are open, with HTML's rules for tags that are left out, misplaced or crossed, as far as they decide
 * where blocks start and end; `closed` hears of each end (-1: too deep to be followed). Formatting elements never end a
 * block and paragraphs hold none, so they are not kept.
 *
 * Scripting counts as off, since nothing is run here: the content of `noscript` is content.
 */
export class OpenElements<Note> {
  readonly #closed: (element: OpenElement<Note>, end: number) => void
  /** The first is no element but what stands around all of them. */
  readonly #stack: OpenElement<Note>[] = [
    {
      name: '',
      rule: elementRule(''),
      at: 0,
      level: 0,
      wrap: 0,
      sections: 0,
      lines: false,
      foreign: undefined,
      block: true,
      note: undefined,
    },
  ]
  #beyond = 0
  #formOpen = false

  constructor(closed: (element: OpenElement<Note>, end: number) => void) {
    this.#closed = closed
  }

  /** The innermost open element that is kept. */
  get top(): OpenElement<Note> {
    return this.#at(this.#stack.length - 1)
  }

  /** Whether a tag would be read as SVG or MathML here. */
  get inForeign(): boolean {
    const { top } = this
    return top.foreign !== undefined && top.rule !== foreignPointRule
  }

  /** The nearest open element of a name, not looking out of the table that it would belong to. */
  inTable(name: string): OpenElement<Note> | undefined {
    const place = this.#find(elementRule(name), 0, tableBase)
    return place < 0 ? undefined : this.#at(place)
  }

  /** Takes in the ends that a start tag implies. Returns its rule, or nothing where HTML ignores the tag or reads it as foreign. */
  beforeStart(tag: Tag): ElementRule | undefined {
    const rule = elementRule(tag.name)
    if (this.#beyond > 0) return this.inForeign ? undefined : rule
    if (this.inForeign && !this.#breaksOut(tag)) return undefined
    if (this.top.rule.groups & select && !(rule.groups & inSelect)) {
      const leaves = (rule.groups & (tablePart | table)) !== 0 && this.#find(undefined, tableBase) >= 0
      if (!leaves && !(rule.groups & endsSelect)) return undefined
      this.#popFrom(this.#stack.length - 1, tag.start)
      if (rule.groups & select) return undefined
    }
    if (rule.groups & tablePart) {
      const place = this.#find(undefined, this.#baseOf(rule))
      if (place < 0) return undefined
      this.#popFrom(place + 1, tag.start)
      this.#implyParts(tag, rule)
    } else if (rule === tableRule) {
      if (this.#betweenCells()) this.#popFrom(this.#find(tableRule, 0), tag.start)
    } else if (rule === item) this.#endItem(item, 0, tag.start)
    else if (rule.groups & term) this.#endItem(undefined, term, tag.start)
    else if (rule === button) this.#popFrom(this.#find(button, 0, scope), tag.start)
    else if (rule.name === 'form') {
      if (this.#formOpen && this.#find(undefined, template) < 0) return undefined
      this.#formOpen = true
    } else if (rule.groups & heading && this.top.rule.groups & heading) this.#popFrom(this.#stack.length - 1, tag.start)
    return rule
  }

  /** Opens the element of a start tag that `beforeStart` has seen. */
  open(tag: Tag, rule: ElementRule | undefined, block: boolean, note: Note | undefined): void {
    if (rule === undefined) {
      if (this.inForeign && !tag.selfClosing) this.#openForeign(tag)
      return
    }
    if (!rule.tracked) return
    const foreign = rule.name === 'svg' || rule.name === 'math' ? rule.name : undefined
    const element = this.#element(tag, rule, foreign, block, note)
    if (foreign !== undefined && tag.selfClosing) this.#closed(element, tag.end)
    // Between cells a form holds nothing: it is closed as soon as it is opened.
    else if (rule.name !== 'form' || !this.#betweenCells()) this.#push(element)
  }

  /** Takes in an end tag. Returns whether it ended something, and whether that was a block. */
  end(tag: Tag): 'nothing' | 'inline' | 'block' {
    const { name } = tag
    const rule = elementRule(name)
    if (this.#beyond > 0) {
      if (rule.tracked) this.#beyond--
      return rule.place === 'block' ? 'block' : 'inline'
    }
    if (this.top.foreign !== undefined && this.#endForeign(tag)) return 'inline'
    if (!rule.tracked) return rule.place === 'block' ? 'block' : 'inline'
    const place = this.#matching(rule)
    if (place < 0) return 'nothing'
    const { block } = this.#at(place)
    if (name === 'form') this.#endForm(place, tag.start)
    else this.#popFrom(place, tag.start, rule.name, tag.end)
    return block ? 'block' : 'inline'
  }

  /** Ends everything that is still open at the end of the text. */
  finish(at: number): void {
    this.#popFrom(1, at)
  }

  /** The place of the element that an end tag ends, or -1. */
  #matching(rule: ElementRule): number {
    const { name } = rule
    if (rule.groups & template) return this.#find(rule, 0)
    if (rule.groups & (tablePart | table)) return this.#find(rule, 0, tableBase)
    if (this.top.rule.groups & select) return rule.groups & select ? this.#stack.length - 1 : -1
    if (rule.groups & heading) return this.#find(undefined, heading, scope)
    if (name === 'form') {
      this.#formOpen = false
      return this.#find(rule, 0, scope)
    }
    if (rule === item) return this.#find(item, 0, scope | list)
    if (rule.raw !== undefined || name === 'noscript') return this.top.rule === rule ? this.#stack.length - 1 : -1
    return this.#find(rule, 0, scope)
  }

  /** The place of the nearest open element of a rule or some groups that nothing of the groups in `hidden` hides, or -1. */
  #find(rule: ElementRule | undefined, wanted: number, hidden = 0): number {
    for (let place = this.#stack.length - 1; place > 0; place--) {
      const found = this.#at(place).rule
      if (found === rule || found.groups & wanted) return place
      if (found.groups & hidden) return -1
    }
    return -1
  }

  #at(place: number): OpenElement<Note> {
    return this.#stack[place] as OpenElement<Note>
  }

  /** What a part of a table stands in directly. */
  #baseOf(rule: ElementRule): number {
    if (rule.groups & row) return rowBase
    return rule.rank === 'cell' ? cellBase : tableBase
  }

  /** Rows and groups of rows that are left out have no place in the text but are ended like any other. */
  #implyParts(tag: Tag, rule: ElementRule): void {
    const isCell = rule.rank === 'cell'
    if (!isCell && !(rule.groups & row)) return
    if (this.top.rule === tableRule) this.#push(this.#element(tag, rowsRule, undefined, true, undefined))
    if (isCell && this.top.rule.groups & rows) this.#push(this.#element(tag, rowRule, undefined, true, undefined))
  }

  /** Whether the nearest part of a table around this place is not a cell. */
  #betweenCells(): boolean {
    const place = this.#find(undefined, cellBase | cell)
    return place > 0 && (this.#at(place).rule.groups & (table | rows | row)) !== 0
  }

  /** Ends the item that a new item follows, unless another kind of block stands between them. */
  #endItem(rule: ElementRule | undefined, wanted: number, at: number): void {
    for (let place = this.#stack.length - 1; place > 0; place--) {
      const found = this.#at(place).rule
      if (found === rule || found.groups & wanted) this.#popFrom(place, at)
      else if (found.groups & wrapper) continue
      return
    }
  }

  /** The end of a form ends items at the end of it, but nothing else: what is open inside goes on. */
  #endForm(place: number, at: number): void {
    while (this.#stack.length - 1 > place && (this.top.rule === item || this.top.rule.groups & term)) {
      this.#popFrom(this.#stack.length - 1, at)
    }
    this.#stack.splice(place, 1)
  }

  /** Ends all elements from a place on; the one that the end tag names reaches to the tag's end. */
  #popFrom(place: number, at: number, name = '', tagEnd: number = at): void {
    if (place < 1) return
    while (this.#stack.length > place) {
      const element = this.#stack.pop() as OpenElement<Note>
      this.#closed(element, this.#stack.length === place && element.name === name ? tagEnd : at)
    }
  }

  #push(element: OpenElement<Note>): void {
    if (this.#stack.length <= deepest) this.#stack.push(element)
    else {
      this.#beyond++
      this.#closed(element, -1)
    }
  }

  #element(
    tag: Tag,
    rule: ElementRule,
    foreign: 'svg' | 'math' | undefined,
    block: boolean,
    note: Note | undefined,
  ): OpenElement<Note> {
    const { top } = this
    const section = rule.rank === 'section'
    const wraps = rule.place === 'block' && !rule.level && !rule.unit && (section || rule.rank === 'block')
    return {
      name: rule.name || tag.name,
      rule,
      at: tag.start,
      level: top.level + (rule.level ? 1 : 0),
      wrap: top.wrap + (wraps ? 1 : 0),
      sections: top.sections + (section ? 1 : 0),
      lines: top.lines || rule.lines,
      foreign,
      block,
      note,
    }
  }

  #openForeign(tag: Tag): void {
    const { name } = tag
    const { foreign } = this.top
    const annotation = name === 'annotation-xml' && foreign === 'math'
    const point = foreign === 'svg' ? svgPoints.has(name) : mathPoints.has(name) || (annotation && holdsHtml(tag))
    if (!point && !annotation && name !== 'svg' && name !== 'math') return
    this.#push(this.#element(tag, point ? foreignPointRule : foreignRule, foreign, false, undefined))
  }

  /** Takes in an end tag inside SVG or MathML; false where it belongs to the HTML around. */
  #endForeign(tag: Tag): boolean {
    if (tag.name === 'p' || tag.name === 'br') {
      this.#leaveForeign(tag.start)
      return false
    }
    for (let place = this.#stack.length - 1; place > 0; place--) {
      const element = this.#at(place)
      if (element.foreign === undefined) return false
      if (element.name !== tag.name) continue
      this.#popFrom(place, tag.start, element.name, tag.end)
      return true
    }
    return false
  }

  /** Ends SVG or MathML where a tag cannot belong to it. Returns whether the tag is HTML. */
  #breaksOut(tag: Tag): boolean {
    if (this.top.name === 'annotation-xml' && tag.name === 'svg') return true
    const font = tag.name === 'font' && tag.attributes.some(({ name }) => name === 'color' || name === 'face' || name === 'size')
    if (!font && !breakouts.has(tag.name)) return false
    this.#leaveForeign(tag.start)
    return true
  }

  #leaveForeign(at: number): void {
    while (this.inForeign) this.#popFrom(this.#stack.length - 1, at)
  }
}

function holdsHtml(tag: Tag): boolean {
  const encoding = tag.attributes.find(({ name }) => name === 'encoding')?.value.toLowerCase()
  return encoding === 'text/html' || encoding === 'application/xhtml+xml'
}
