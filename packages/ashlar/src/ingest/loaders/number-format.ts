/** Formats that files name by number only. Those that depend on the reader's country are given in the unambiguous way. */
const builtIn: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0;-"$"#,##0',
  6: '"$"#,##0;-"$"#,##0',
  7: '"$"#,##0.00;-"$"#,##0.00',
  8: '"$"#,##0.00;-"$"#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  41: '#,##0',
  42: '"$"#,##0',
  43: '#,##0.00',
  44: '"$"#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
}

/** Languages by the numbers that formats name them by. */
const languages: Readonly<Record<string, string>> = {
  '407': 'de',
  '409': 'en-US',
  '809': 'en-GB',
  '40a': 'es',
  c0a: 'es',
  '40c': 'fr',
  '410': 'it',
  '413': 'nl',
  '415': 'pl',
  '416': 'pt-BR',
  '419': 'ru',
  '41d': 'sv',
  '41f': 'tr',
  '411': 'ja',
  '412': 'ko',
  '804': 'zh-CN',
}

/** The code of a format that is known by its number; `General` for others. */
export function builtInFormat(id: number): string {
  return builtIn[id] ?? 'General'
}

/**
 * A number as a spreadsheet shows it under a format code: `1,234.50`, `12 %`, `2026-11-15`.
 *
 * @param from1904 Whether days are counted from 1904, as old files of the Macintosh do.
 */
export function formatNumber(value: number, code: string, from1904 = false): string {
  const sections = splitSections(code)
  const { section, value: shown } = chooseSection(value, sections)
  if (/^\s*(?:\[[^\]]*\])*\s*general\s*$/i.test(section) || section === '') return general(shown)
  const tokens = tokenize(section)
  if (tokens.some(({ kind }) => kind === 'date')) return formatDate(value, tokens, language(section), from1904)
  return formatDigits(shown, tokens)
}

interface Token {
  readonly kind: 'text' | 'digit' | 'point' | 'comma' | 'percent' | 'exponent' | 'slash' | 'date' | 'at' | 'general'
  readonly text: string
}

function splitSections(code: string): readonly string[] {
  const sections = ['']
  for (let at = 0; at < code.length; at++) {
    const sign = code[at] as string
    let part = sign
    if (sign === '\\' || sign === '_' || sign === '*') part += code[++at] ?? ''
    else if (sign === '"' || sign === '[') {
      const end = code.indexOf(sign === '"' ? '"' : ']', at + 1)
      part = code.slice(at, end < 0 ? undefined : end + 1)
      at += part.length - 1
    } else if (sign === ';') {
      sections.push('')
      continue
    }
    sections[sections.length - 1] += part
  }
  return sections
}

function chooseSection(value: number, sections: readonly string[]): { readonly section: string; readonly value: number } {
  for (const section of sections) {
    const condition = /\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/.exec(section)
    if (condition !== null && holds(value, condition[1] as string, Number(condition[2])))
      return { section, value: Math.abs(value) }
  }
  const plain = sections.filter((section) => !/\[(?:<|>|=)/.test(section))
  if (plain.length === 0) return { section: 'General', value }
  if (value < 0 && plain.length > 1) return { section: plain[1] as string, value: -value }
  if (value === 0 && plain.length > 2) return { section: plain[2] as string, value }
  return { section: plain[0] as string, value }
}

function holds(value: number, sign: string, than: number): boolean {
  if (sign === '<') return value < than
  if (sign === '>') return value > than
  if (sign === '<=') return value <= than
  if (sign === '>=') return value >= than
  return sign === '=' ? value === than : value !== than
}

function language(section: string): string {
  const id = /\[\$[^\]]*-(?:[0-9a-f]*?)([0-9a-f]{3,4})\]/i.exec(section)?.[1]?.toLowerCase().replace(/^0/, '')
  return languages[id ?? ''] ?? 'en-US'
}

function tokenize(section: string): readonly Token[] {
  const tokens: Token[] = []
  const add = (kind: Token['kind'], text: string): void => void tokens.push({ kind, text })
  for (let at = 0; at < section.length; ) {
    const rest = section.slice(at)
    const quoted = /^"([^"]*)"?/.exec(rest) ?? /^\\(.?)/.exec(rest)
    const bracket = /^\[([^\]]*)\]?/.exec(rest)
    const date = /^(?:am\/pm|a\/p|y+|m+|d+|h+|s+(?:\.0+)?|\.0+(?=$|[^0#?]))/i.exec(rest)
    if (quoted !== null) {
      add('text', quoted[1] as string)
      at += quoted[0].length
    } else if (rest.startsWith('_') || rest.startsWith('*')) at += 2
    else if (bracket !== null) {
      const inner = bracket[1] as string
      if (/^(?:h+|m+|s+)$/i.test(inner)) add('date', `[${inner.toLowerCase()}]`)
      else if (inner.startsWith('$')) add('text', inner.slice(1).replace(/-[0-9a-f]+$/i, ''))
      at += bracket[0].length
    } else if (/^general/i.test(rest)) {
      add('general', '')
      at += 7
    } else if (/^E[+-]/i.test(rest)) {
      add('exponent', rest.slice(0, 2))
      at += 2
    } else if (date !== null && !rest.startsWith('.')) {
      add('date', date[0].toLowerCase())
      at += date[0].length
    } else {
      const sign = rest[0] as string
      if (sign === '0' || sign === '#' || sign === '?') add('digit', sign)
      else if (sign === '.') add('point', sign)
      else if (sign === ',') add('comma', sign)
      else if (sign === '%') add('percent', sign)
      else if (sign === '/') add('slash', sign)
      else if (sign === '@') add('at', sign)
      else add('text', sign)
      at++
    }
  }
  return tokens
}

/** As a cell without a format shows it: 11 significant digits, without the noise of binary fractions. */
function general(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e15 || size < 1e-9))
    return value
      .toExponential(5)
      .replace(/\.?0+e/, 'E')
      .replace(/e/, 'E')
  return String(Number(value.toPrecision(15)))
}

function formatDigits(value: number, tokens: readonly Token[]): string {
  const digits = tokens.filter(({ kind }) => kind === 'digit')
  if (digits.length === 0) {
    return tokens.map((token) => (token.kind === 'general' || token.kind === 'at' ? general(value) : token.text)).join('')
  }
  if (tokens.some(({ kind }) => kind === 'slash')) return formatFraction(value, tokens)
  const first = tokens.findIndex(({ kind }) => kind === 'digit')
  const last = tokens.findLastIndex(({ kind }) => kind === 'digit')
  const point = tokens.findIndex(({ kind }) => kind === 'point')
  const exponent = tokens.findIndex(({ kind }) => kind === 'exponent')
  const percent = tokens.filter(({ kind }) => kind === 'percent').length
  // Commas behind the digits divide by a thousand each, one between them groups.
  let thousands = 0
  for (let at = last + 1; tokens[at]?.kind === 'comma'; at++) thousands++
  const wholeEnd = point < 0 ? (exponent < 0 ? last : exponent - 1) : point
  const groups = tokens.slice(first, wholeEnd + 1).some(({ kind }, at) => kind === 'comma' && first + at < last)
  const decimals =
    point < 0 ? [] : tokens.slice(point + 1, exponent < 0 ? undefined : exponent).filter(({ kind }) => kind === 'digit')
  const whole = tokens.slice(0, point < 0 ? (exponent < 0 ? undefined : exponent) : point).filter(({ kind }) => kind === 'digit')
  const least = decimals.filter(({ text }) => text === '0').length
  const scaled = (Math.abs(value) * 100 ** percent) / 1000 ** thousands
  const number =
    exponent < 0
      ? grouped(fixed(scaled, decimals.length, least), whole.filter(({ text }) => text === '0').length, groups)
      : scaled.toExponential(decimals.length).replace(/e([+-])(\d+)$/, (_, sign, power) => {
          const width = tokens.slice(exponent).filter(({ kind }) => kind === 'digit').length
          return `E${sign === '-' ? '-' : (tokens[exponent] as Token).text[1] === '+' ? '+' : ''}${power.padStart(width, '0')}`
        })
  const before = tokens.slice(0, first).map(literal).join('')
  const after = tokens
    .slice(last + 1)
    .filter(({ kind }) => kind !== 'comma')
    .map(literal)
    .join('')
  // Signs in the middle, as in a telephone number, divide the digits from the right.
  const inner = point < 0 && exponent < 0 && !groups ? spread(number, tokens.slice(first, last + 1)) : number
  const negative = value < 0 && /[1-9]/.test(number)
  return `${negative ? '-' : ''}${before}${inner}${after}`.trim()
}

function literal({ kind, text }: Token): string {
  return kind === 'digit' || kind === 'general' ? '' : text
}

function spread(number: string, tokens: readonly Token[]): string {
  if (!tokens.some(({ kind }) => kind === 'text')) return number
  const left = [...number]
  let text = ''
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at] as Token
    if (token.kind === 'digit') text = (left.pop() ?? '') + text
    else if (token.kind === 'text') text = token.text + text
  }
  return left.join('') + text
}

function fixed(value: number, most: number, least: number): string {
  // The decimal digits of the number as written, so that 1.005 rounds as people expect.
  const text =
    value < 1e21 ? (Math.round(Number(`${value}e${most}`)) / 10 ** most || 0).toFixed(Math.min(most, 100)) : String(value)
  const exact = text.includes('NaN') || text.includes('e') ? value.toFixed(Math.min(most, 100)) : text
  if (most === least) return exact
  let end = exact.length
  const shortest = exact.length - (most - least)
  while (end > shortest && exact[end - 1] === '0') end--
  return exact.slice(0, exact[end - 1] === '.' ? end - 1 : end)
}

function grouped(number: string, width: number, groups: boolean): string {
  const [whole = '', decimals] = number.split('.')
  const padded = width === 0 && whole === '0' && decimals !== undefined ? '' : whole.padStart(width, '0')
  const shown = groups ? padded.replace(/\B(?=(\d{3})+$)/g, ',') : padded
  return decimals === undefined ? shown : `${shown}.${decimals}`
}

function formatFraction(value: number, tokens: readonly Token[]): string {
  const slash = tokens.findIndex(({ kind }) => kind === 'slash')
  const fixedBelow = /^\d+/.exec(
    tokens
      .slice(slash + 1)
      .map(({ text }) => text)
      .join(''),
  )?.[0]
  const width = tokens.slice(slash + 1).filter(({ kind }) => kind === 'digit').length
  const mixed = tokens.slice(0, slash).some(({ kind, text }) => kind === 'text' && text.trim() === '')
  const size = Math.abs(value)
  const whole = mixed ? Math.floor(size) : 0
  const [over, under] =
    fixedBelow !== undefined && Number(fixedBelow) > 0
      ? [Math.round((size - whole) * Number(fixedBelow)), Number(fixedBelow)]
      : nearestFraction(size - whole, 10 ** Math.max(1, width) - 1)
  const sign = value < 0 ? '-' : ''
  if (over === 0) return `${sign}${whole}`
  if (over === under && mixed) return `${sign}${whole + 1}`
  return `${sign}${whole > 0 ? `${whole} ` : ''}${over}/${under}`
}

function nearestFraction(value: number, most: number): readonly [number, number] {
  let best: readonly [number, number] = [Math.round(value), 1]
  for (let under = 1; under <= Math.min(most, 999); under++) {
    const over = Math.round(value * under)
    if (Math.abs(over / under - value) < Math.abs(best[0] / best[1] - value) - 1e-12) best = [over, under]
  }
  return best
}

const day = 86_400_000

function formatDate(serial: number, tokens: readonly Token[], locale: string, from1904: boolean): string {
  // Spreadsheets count a 29 February 1900 that never was.
  const days = from1904 ? serial + 1462 : serial < 60 ? serial + 1 : serial
  const finest = tokens.some(({ text }) => text.startsWith('s.')) ? 1 : 1000
  const time = Math.round(((days - 25_569) * day) / finest) * finest
  if (!Number.isFinite(time) || Math.abs(time) > 8e15) return general(serial)
  const date = new Date(time)
  const twelve = tokens.some(({ kind, text }) => kind === 'date' && (text === 'am/pm' || text === 'a/p'))
  const hour = date.getUTCHours()
  return tokens
    .map(({ kind, text }, at) => {
      if (kind !== 'date') return kind === 'general' ? '' : text
      if (text.startsWith('[')) return elapsed(serial, text)
      if (text === 'am/pm' || text === 'a/p') return hour < 12 ? (text === 'a/p' ? 'A' : 'AM') : text === 'a/p' ? 'P' : 'PM'
      switch (text[0]) {
        case 'y':
          return text.length > 2 ? String(date.getUTCFullYear()) : two(date.getUTCFullYear() % 100)
        case 'd':
          return text.length > 2
            ? named(date, { weekday: text.length === 3 ? 'short' : 'long' }, locale)
            : padded(date.getUTCDate(), text)
        case 'h':
          return padded(twelve ? hour % 12 || 12 : hour, text)
        case 's':
          return text.includes('.')
            ? (date.getUTCSeconds() + date.getUTCMilliseconds() / 1000)
                .toFixed(text.split('.')[1]?.length ?? 0)
                .padStart(text.startsWith('ss') ? 3 + (text.split('.')[1]?.length ?? 0) : 0, '0')
            : padded(date.getUTCSeconds(), text)
        default:
          if (isMinutes(tokens, at)) return padded(date.getUTCMinutes(), text)
          if (text.length === 5) return named(date, { month: 'narrow' }, locale)
          return text.length > 2
            ? named(date, { month: text.length === 3 ? 'short' : 'long' }, locale)
            : padded(date.getUTCMonth() + 1, text)
      }
    })
    .join('')
    .trim()
}

/** An m means minutes behind hours and before seconds, months anywhere else. */
function isMinutes(tokens: readonly Token[], at: number): boolean {
  const dates = (from: readonly Token[]): string =>
    from.find(({ kind, text }) => kind === 'date' && !text.includes('/'))?.text ?? ''
  const before = dates(tokens.slice(0, at).reverse())
  const after = dates(tokens.slice(at + 1))
  return /^\[?h/.test(before) || /^\[?s/.test(after)
}

function elapsed(serial: number, text: string): string {
  const seconds = Math.round(serial * 86_400)
  const whole = text[1] === 'h' ? Math.floor(seconds / 3600) : text[1] === 'm' ? Math.floor(seconds / 60) : seconds
  return String(whole).padStart(text.length - 2, '0')
}

function padded(value: number, text: string): string {
  return text.length > 1 ? two(value) : String(value)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function named(date: Date, options: Intl.DateTimeFormatOptions, locale: string): string {
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(date)
}
