import { type Token, Tokenizer, TokenizerMode } from 'parse5'
import { isTerminator, sentenceEndAt } from '../text/sentence.ts'
import type { ElementRule } from './html-element.ts'
import { type OpenElement, OpenElements, type Tag } from './html-nesting.ts'
import { entityEnd, inlineEdge, isCloser, joint, strengthInCode, textFrom } from './html-text.ts'
import { type Seam, strength } from './seam.ts'

type Draft = { -readonly [Key in keyof Seam]: Seam[Key] }

/** What is remembered with an open element: its seam, and for tables what a header is told by. */
interface Note {
  readonly seam: Draft
  rows: number
  headerCells: number
  dataCells: number
}

/** The weakest seam of structure. */
const least: number = strength.line + 1

/** More tags than this opened in a row are no longer taken as the beginning of one thing. */
const longestRun = 32
const longestTitle = 256
/** A comment longer than this is text that was commented out, and is cut between words. */
const longComment = 1000
/** Number of seams read ahead. */
const batch = 64

const rawModes = {
  rcdata: TokenizerMode.RCDATA,
  raw: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
  plain: TokenizerMode.PLAINTEXT,
} as const

/** What stood before: a block's end, a start tag, text, or line breaks made with `br`. */
type Before = 'block' | 'start' | 'text' | 'break' | 'breaks'

/** What must stay with what follows it: nothing, a heading of level 1-6, or a caption, term, summary or header row. */
const label = 7

/**
 * Turns an HTML text into seams, a few at a time, from the tokens of parse5.
 *
 * Seams are held back while something about them is not known: the end of an open unit, the title of a heading, and which
 * tags begin together. Tags that open one after the other are one place to cut, before the first; it is as strong as
 * the strongest of them, and a heading among them counts from there.
 */
export class HtmlReader {
  readonly #text: string
  readonly #tokenizer: Tokenizer
  readonly #open: OpenElements<Note>
  #drafts: Draft[] = []
  #ready: Draft[] = []
  #state: 'new' | 'reading' | 'done' = 'new'
  #openUnits = 0
  #run: Draft | undefined
  #runStrength = 0
  #runLength = 0
  #title: { readonly seam: Draft; readonly level: number; text: string } | undefined
  #before: Before = 'block'
  /** 0, a heading's level, or `label`. */
  #stays = 0
  /** White space since the last text: 0 none, 1 some, 2 with a line break. */
  #space = 2
  /** Where the last sign of text stands that is no closing quote or bracket; -1 where there is none in this block. */
  #lastSign = -1
  /** Where the stretch of text with the last sign began. */
  #stretch = 0
  #markupEnd = 0
  #charactersEnd = 0

  constructor(text: string) {
    this.#text = text
    this.#open = new OpenElements<Note>((element, end) => this.#closed(element, end))
    this.#tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onStartTag: (token) => {
          this.#textBefore(token)
          this.#startTag(toTag(token))
          this.#markupRead(token)
        },
        onEndTag: (token) => {
          this.#textBefore(token)
          this.#endTag(toTag(token))
          this.#markupRead(token)
        },
        onComment: (token) => {
          this.#textBefore(token)
          this.#comment(startOf(token), endOf(token))
          this.#markupRead(token)
        },
        onDoctype: (token) => {
          this.#textBefore(token)
          this.#addToRun(startOf(token), 'doctype', 0)
          this.#markupRead(token)
        },
        onCharacter: (token) => this.#characters(token),
        onNullCharacter: (token) => this.#characters(token),
        onWhitespaceCharacter: (token) => this.#characters(token),
        onEof: () => this.#end(),
      },
    )
  }

  /** The next seams, or nothing when all have been given. */
  next(): readonly Seam[] | undefined {
    while (this.#ready.length === 0 && this.#state !== 'done') {
      if (this.#state === 'reading') this.#tokenizer.resume()
      else {
        // Given whole and paused, not in slices: a token that spans many slices would be copied once for each.
        this.#state = 'reading'
        this.#tokenizer.write(this.#text, true)
      }
    }
    const ready = this.#ready
    this.#ready = []
    return ready.length > 0 ? ready : undefined
  }

  #textBefore(token: Token.Token): void {
    const start = startOf(token)
    if (start > this.#markupEnd) this.#textBetween(this.#markupEnd, start)
  }

  #markupRead(token: Token.Token): void {
    this.#markupEnd = endOf(token)
    if (this.#drafts.length > 0) this.#release()
  }

  #release(): void {
    if (this.#openUnits > 0 || this.#run !== undefined || this.#title !== undefined) return
    if (this.#ready.length === 0) this.#ready = this.#drafts
    else for (const draft of this.#drafts) this.#ready.push(draft)
    this.#drafts = []
    if (this.#ready.length >= batch) this.#tokenizer.pause()
  }

  #end(): void {
    const { length } = this.#text
    const end = Math.max(this.#markupEnd, this.#charactersEnd)
    this.#textBetween(this.#markupEnd, end)
    this.#endRun()
    // A tag that the text ends in is no token: what looks like one is read as text.
    if (end < length) this.#push(end, joint, 'text', 'text')
    this.#open.finish(length)
    this.#finishTitle()
    this.#release()
    this.#state = 'done'
  }

  #push(at: number, force: number, kind: string, inside: NonNullable<Seam['inside']>): Draft {
    const draft: Draft = { at, strength: force, kind, inside }
    this.#drafts.push(draft)
    return draft
  }

  #startTag(tag: Tag): void {
    const rule = this.#open.beforeStart(tag)
    const atBlock = this.#run !== undefined || this.#before === 'block'
    const block = rule?.place === 'block' || (rule?.place === 'quiet' && atBlock)
    const seam = block ? this.#startBlock(tag, rule as ElementRule) : this.#startInline(tag, rule, atBlock)
    let note: Note | undefined
    if (rule !== undefined) {
      if (rule.unit) this.#openUnits++
      if (rule.unit) note = { seam, rows: 0, headerCells: 0, dataCells: 0 }
      if (rule.kind === 'row' || rule.kind === 'cell') this.#countTable(tag.name)
      if (rule.raw !== undefined) this.#tokenizer.state = rawModes[rule.raw]
    }
    this.#open.open(tag, rule, block, note)
    this.#tokenizer.inForeignNode = this.#open.inForeign
  }

  #startBlock(tag: Tag, rule: ElementRule): Draft {
    const { heading } = rule
    if (heading > 0) {
      // A heading that is not below the one before leaves that one without text; there is nothing to keep together.
      if (this.#stays !== label && heading <= this.#stays) this.#stays = 0
      if (this.#title !== undefined) this.#endRun()
      this.#finishTitle()
    } else if (this.#title !== undefined && this.#title.text.trim() !== '') this.#finishTitle()
    const seam = this.#addToRun(tag.start, rule.kind, this.#strengthOf(rule.rank, heading))
    if (heading > 0) this.#title = { seam: this.#run ?? seam, level: heading, text: '' }
    this.#before = 'start'
    this.#lastSign = -1
    if (rule.empty) {
      this.#endRun()
      this.#before = 'block'
    }
    return seam
  }

  #startInline(tag: Tag, rule: ElementRule | undefined, atBlock: boolean): Draft {
    const kind = rule?.kind ?? 'tag'
    const empty = rule === undefined ? tag.selfClosing && this.#open.inForeign : rule.empty
    const breaks = tag.name === 'br' && rule !== undefined
    let seam: Draft
    if (atBlock) {
      seam = this.#addToRun(tag.start, kind, this.#run === undefined ? this.#strengthOf('block') : 0)
      if (empty) this.#endRun()
    } else seam = this.#push(tag.start, breaks ? joint : this.#strengthOfText(tag.start), kind, 'whole')
    if (breaks) this.#before = this.#before === 'break' || this.#before === 'breaks' ? 'breaks' : 'break'
    else this.#before = empty ? 'text' : 'start'
    this.#space = 0
    if (empty) this.#lastSign = -1
    return seam
  }

  #endTag(tag: Tag): void {
    const ended = this.#open.end(tag)
    this.#tokenizer.inForeignNode = this.#open.inForeign
    if (ended === 'block') {
      this.#endRun()
      this.#push(tag.start, joint, 'tag', 'whole')
      this.#before = 'block'
      this.#space = 0
      this.#lastSign = -1
    } else if (this.#run !== undefined) this.#addToRun(tag.start, 'tag', 0)
    else this.#push(tag.start, joint, 'tag', 'whole')
  }

  /** Characters matter decoded for titles only; as text they are read from the source, where their places are certain. */
  #characters(token: Token.CharacterToken): void {
    this.#charactersEnd = endOf(token)
    const title = this.#title
    if (title === undefined || this.#open.top.rule.raw !== undefined) return
    title.text += token.chars.slice(0, longestTitle - title.text.length)
    if (title.text.length >= longestTitle) this.#finishTitle()
  }

  /** Reads a stretch of text between two pieces of markup. Entities in it are stretches of their own, which are not cut. */
  #textBetween(from: number, to: number): void {
    const text = this.#text
    const { lines } = this.#open.top
    const inside = lines ? 'lines' : 'prose'
    let resumes = true
    let word = from
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b) || (at === 0 && code === 0xfeff)) {
        // Inside code the lines are found by the packer, so the white space must belong to the text.
        if (lines && resumes && this.#run === undefined && this.#before !== 'start') {
          this.#beginText(at, 'lines')
          resumes = false
        }
        this.#space = code === 0x0a || code === 0x0d ? 2 : Math.max(this.#space, 1)
        word = at + 1
        continue
      }
      // A word of code is rarely cut, and marking its entities would tear its line apart.
      const entity = code === 0x26 && (!lines || at - word >= 32) ? entityEnd(text, at, to) : 0
      if (resumes || entity > 0) this.#beginText(at, entity > 0 ? 'whole' : inside)
      resumes = entity > 0
      if (entity > 0) at = entity - 1
      else if (!isCloser(code)) {
        this.#lastSign = at
        this.#stretch = from
      }
      this.#space = 0
    }
  }

  #beginText(at: number, inside: 'lines' | 'prose' | 'whole'): void {
    let force = joint
    if (this.#run !== undefined) this.#endRun()
    else force = this.#strengthOfText(at)
    this.#push(at, force, 'text', inside)
    this.#stays = 0
    this.#before = 'text'
  }

  #comment(at: number, end: number): void {
    const inside = end - at > longComment ? 'words' : 'whole'
    const atBlock = this.#before === 'block'
    // A comment on a line of its own is about what follows; behind an end tag it is about what ends there.
    if (this.#run !== undefined || (atBlock && this.#space >= 2)) {
      this.#addToRun(at, 'comment', atBlock ? this.#strengthOf('block') : 0).inside = inside
    } else this.#push(at, this.#before === 'text' ? this.#strengthOfText(at) : joint, 'comment', inside)
  }

  /** Adds a seam to the tags that begin together, as the first if there are none. */
  #addToRun(at: number, kind: string, force: number): Draft {
    if (this.#runLength >= longestRun) this.#endRun()
    const first = this.#run === undefined
    const draft = this.#push(at, first ? force : joint, kind, 'whole')
    if (first) {
      this.#run = draft
      this.#runStrength = 0
      this.#runLength = 0
    }
    this.#runStrength = Math.max(this.#runStrength, force)
    this.#runLength++
    this.#space = 0
    return draft
  }

  #endRun(): void {
    if (this.#run === undefined) return
    this.#run.strength = this.#stays > 0 ? joint : Math.max(joint, this.#runStrength)
    this.#run = undefined
    this.#runLength = 0
    this.#stays = 0
  }

  #closed(element: OpenElement<Note>, end: number): void {
    const { note, rule, name } = element
    if (note !== undefined) {
      this.#openUnits--
      if (end >= 0) note.seam.end = end
    }
    if (rule.heading > 0) {
      this.#endRun()
      this.#finishTitle()
      this.#stays = rule.heading
    } else if (name === 'caption' || name === 'dt' || name === 'summary') this.#stays = label
    else if (name === 'thead' || name === 'tr') this.#closedRow(element, end)
    else if (this.#stays === label && (name === 'table' || name === 'dl' || name === 'details')) this.#stays = 0
  }

  #countTable(name: string): void {
    const row = this.#open.top
    if (name === 'tr') {
      const table = this.#open.inTable('table')?.note
      if (table !== undefined && this.#open.inTable('thead') === undefined) table.rows++
    } else if (row.name === 'tr' && row.note !== undefined) {
      if (name === 'th') row.note.headerCells++
      else row.note.dataCells++
    }
  }

  /** The header of a table is its `thead`, else a first row that is mostly `th`; it stays with the row that follows. */
  #closedRow(element: OpenElement<Note>, end: number): void {
    const table = this.#open.inTable('table')?.note
    if (table === undefined || end < 0) return
    const { note, name } = element
    const inHead = name === 'tr' && this.#open.inTable('thead') !== undefined
    const names =
      note === undefined ? name === 'thead' && table.rows === 0 : table.rows === 1 && note.headerCells > note.dataCells
    if (inHead) this.#stays = label
    else if (names && table.seam.header === undefined) {
      table.seam.header = { start: element.at, end }
      this.#stays = label
    }
  }

  #finishTitle(): void {
    if (this.#title === undefined) return
    const { seam, level, text } = this.#title
    // Signs that documentation tools hang on to headings as links are not part of the title.
    const title = text
      .replace(/[\ud800-\udbff]$/, '')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/^§ ?| ?[¶§]$/g, '')
    if (title !== '') seam.heading = { level, title }
    this.#title = undefined
  }

  /** The strength of a block: nested ones are weaker, and what stands inside an item is weaker than the items around it. */
  #strengthOf(rank: ElementRule['rank'], heading = 0): number {
    const { level, wrap, sections } = this.#open.top
    if (rank === 'heading') return strength.heading - 2 * (heading - 1)
    if (rank === 'metadata') return least
    if (rank === 'option') return strength.line
    if (level === 0 && rank === 'section') return Math.max(strength.block + 1, strength.section - 2 * sections)
    if (level === 0 && rank === 'block') return Math.max(strength.item + 2, strength.block - wrap)
    const more = rank === 'section' ? 3 : rank === 'block' ? 2 : rank === 'item' ? 0 : -1
    return Math.max(least, strength.item + more - 4 * level)
  }

  /** The strength of a seam before text, or before an element that runs with it: what the text before has ended. */
  #strengthOfText(at: number): number {
    const before = this.#before
    if (before === 'start') return joint
    if (before === 'break') return strength.line
    if (before === 'breaks') return least
    if (before === 'block') return this.#stays > 0 ? joint : this.#strengthOf('block')
    const space = this.#space
    if (this.#open.top.lines) return strengthInCode(this.#text, at, space > 0)
    const sign = this.#lastSign < 0 ? 0 : this.#text.charCodeAt(this.#lastSign)
    if (isTerminator(sign) && this.#endsSentence(at)) return strength.sentence
    if (space === 0) return inlineEdge
    if (sign === 0x3b) return strength.clause
    if (sign === 0x3a) return strength.clause - 2
    return space > 1 ? strength.wrap : strength.word
  }

  /** Whether the mark that the text before `at` ends with ends a sentence, the markup between them left out. */
  #endsSentence(at: number): boolean {
    const before = this.#text.slice(Math.max(this.#stretch, this.#lastSign - 40), this.#lastSign + 1)
    const probe = `${before}${this.#space > 0 ? ' ' : ''}${textFrom(this.#text, at)}`
    return sentenceEndAt(probe, before.length - 1) > 0
  }
}

function toTag(token: Token.TagToken): Tag {
  return {
    name: token.tagName,
    start: startOf(token),
    end: endOf(token),
    selfClosing: token.selfClosing,
    attributes: token.attrs,
  }
}

function startOf(token: Token.Token): number {
  return token.location?.startOffset ?? 0
}

function endOf(token: Token.Token): number {
  return token.location?.endOffset ?? 0
}
