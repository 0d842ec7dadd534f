/** How the tokenizer must read what stands inside an element. */
type RawText = 'rcdata' | 'raw' | 'script' | 'plain'

/** What an element means for cutting, and how it nests, as far as HTML's parsing rules ask for it. */
export interface ElementRule {
  readonly name: string
  /** What it is called in a seam. */
  readonly kind: string
  /**
   * Where it stands: `block` begins a block, `quiet` does so only where no text stands before it (scripts, metadata), `inline`
   * runs with the text.
   */
  readonly place: 'block' | 'quiet' | 'inline'
  /** How willingly a cut is made before it; see `seamStrength`. */
  readonly rank: 'heading' | 'section' | 'block' | 'item' | 'cell' | 'option' | 'metadata'
  /** 1-6 for a heading, else 0. */
  readonly heading: number
  /** Never has content. */
  readonly empty: boolean
  /** Is kept among the open elements: those that end others, or keep others from being ended. */
  readonly tracked: boolean
  /** Is cut only if it does not fit. */
  readonly unit: boolean
  /** Adds a level of nesting to its content, which makes every seam in there weaker than those around it. */
  readonly level: boolean
  /** Its line breaks are meant. */
  readonly lines: boolean
  readonly raw: RawText | undefined
  /** The {@link groups} it belongs to, as bits. */
  readonly groups: number
}

/** Sets of elements that the nesting rules speak of, one bit each. */
export const groups = {
  /** Hides what is open outside of it from end tags inside. */
  scope: 1,
  /** Hides items in the same way, from the end tags of items only. */
  list: 2,
  /** An item may end through it. */
  wrapper: 4,
  heading: 8,
  term: 16,
  table: 32,
  rows: 64,
  row: 128,
  /** A cell or caption: what lets a table stand inside a table. */
  cell: 256,
  columns: 512,
  template: 1024,
  select: 2048,
  /** May stand inside `select`. */
  inSelect: 4096,
  /** Ends an open `select`. */
  endsSelect: 8192,
} as const

const rules = new Map<string, ElementRule>()

const plainRule: Omit<ElementRule, 'name'> = {
  kind: 'block',
  place: 'block',
  rank: 'block',
  heading: 0,
  empty: false,
  tracked: true,
  unit: false,
  level: false,
  lines: false,
  raw: undefined,
  groups: 0,
}

function define(names: string, rule: Partial<ElementRule>): void {
  for (const name of names.split(' ')) rules.set(name, { ...plainRule, ...rule, name })
}

const { scope, list, wrapper, term, table, rows, row, cell, columns, template, select, inSelect, endsSelect } = groups

define('center details dialog fieldset figcaption figure form hgroup search summary', {})
define('address div', { groups: wrapper })
define('html head body p', { tracked: false })
define('article aside footer header main nav section', { kind: 'section', rank: 'section' })
define('blockquote', { kind: 'quote', level: true })
define('menu dir dl', { kind: 'list', unit: true })
define('ul ol', { kind: 'list', unit: true, groups: list })
define('li', { kind: 'item', rank: 'item', unit: true, level: true })
define('dt dd', { kind: 'item', rank: 'item', unit: true, level: true, groups: term })
define('table', { kind: 'table', unit: true, groups: scope | table })
define('caption', { kind: 'caption', rank: 'item', level: true, groups: scope | cell })
define('thead tbody tfoot', { kind: 'rows', rank: 'item', groups: rows })
define('tr', { kind: 'row', rank: 'item', unit: true, groups: row })
define('td th', { kind: 'cell', rank: 'cell', level: true, groups: scope | cell })
define('colgroup', { kind: 'columns', rank: 'metadata', tracked: false, groups: columns })
define('col', { kind: 'columns', rank: 'metadata', tracked: false, empty: true, groups: columns })
define('pre listing', { kind: 'code', unit: true, lines: true })
define('xmp', { kind: 'code', unit: true, lines: true, raw: 'raw' })
define('plaintext', { kind: 'code', lines: true, raw: 'plain' })
define('hr', { kind: 'break', rank: 'section', tracked: false, empty: true, groups: inSelect })
define('option optgroup', { kind: 'option', rank: 'option', tracked: false, groups: inSelect })
for (let level = 1; level <= 6; level++) {
  define(`h${level}`, { kind: 'heading', rank: 'heading', heading: level, groups: groups.heading })
}

define('script', { kind: 'script', place: 'quiet', unit: true, lines: true, raw: 'script', groups: inSelect })
define('style', { kind: 'style', place: 'quiet', unit: true, lines: true, raw: 'raw' })
define('template', { kind: 'template', place: 'quiet', unit: true, groups: scope | template | inSelect })
define('noscript', { place: 'quiet' })
define('title', { kind: 'metadata', place: 'quiet', rank: 'metadata', raw: 'rcdata' })
define('link meta base basefont bgsound', { kind: 'metadata', place: 'quiet', rank: 'metadata', tracked: false, empty: true })

define('svg', { kind: 'drawing', place: 'inline', unit: true })
define('math', { kind: 'math', place: 'inline', unit: true })
define('textarea', { kind: 'tag', place: 'inline', lines: true, raw: 'rcdata', groups: endsSelect })
define('iframe noembed noframes', { kind: 'tag', place: 'inline', raw: 'raw' })
define('button', { kind: 'tag', place: 'inline' })
define('select', { kind: 'tag', place: 'inline', groups: select | endsSelect })
define('applet marquee object', { kind: 'tag', place: 'inline', groups: scope })
define('area br embed frame image img param source track wbr', { kind: 'tag', place: 'inline', tracked: false, empty: true })
define('input keygen', { kind: 'tag', place: 'inline', tracked: false, empty: true, groups: endsSelect })

/** Any element without a rule of its own: runs with the text and nests as it likes. */
const inlineRule: ElementRule = { ...plainRule, name: '', kind: 'tag', place: 'inline', tracked: false }

/** An SVG or MathML element that matters for nesting. */
export const foreignRule: ElementRule = { ...inlineRule, tracked: true }

/** An SVG or MathML element with HTML inside. */
export const foreignPointRule: ElementRule = { ...foreignRule, groups: scope }

/** The rule for a tag name in small letters. */
export function elementRule(name: string): ElementRule {
  return rules.get(name) ?? inlineRule
}
