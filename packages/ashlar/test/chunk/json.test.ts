import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { json } from '../../src/chunk/json.ts'
import { jsonLines } from '../../src/chunk/json-lines.ts'
import { strength } from '../../src/chunk/seam.ts'
import { checkSeams, outlineOf } from './check-seams.ts'

const { glue, block, section, item } = strength

describe('json', () => {
  test('members and elements are units; a first one stays with the bracket before it', () => {
    expect(outlineOf(json, '{"a": [1, [2]],\n "b": {"c": null, "d": true}}')).toEqual([
      `${section} element words unit "{\\"a\\": [1, [2]],\\n \\"b\\": {\\"c\\": null, \\"d\\": true}}"`,
      `${glue} member words unit "\\"a\\": [1, [2]]"`,
      `${glue} element words unit "1"`,
      `${block - 4} element words unit "[2]"`,
      `${glue} element words unit "2"`,
      `${block} member words unit "\\"b\\": {\\"c\\": null, \\"d\\": true}"`,
      `${glue} member words unit "\\"c\\": null"`,
      `${block - 4} member words unit "\\"d\\": true"`,
    ])
  })

  test('deeper items are weaker, but stronger than lines', () => {
    const depth = 10
    const text = `${'[0,'.repeat(depth)}1${']'.repeat(depth)}`
    const second = checkSeams(json, text).filter(({ strength: force }) => force !== glue)
    expect(second.map((seam) => seam.strength)).toEqual([84, 70, 66, 62, 58, 54, 51, 51, 51, 51, 51])
  })

  test('signs inside strings are no structure', () => {
    const text = '{"a\\"b": "[{,", "c": "\\\\"}'
    const members = checkSeams(json, text).filter(({ kind }) => kind === 'member')
    expect(members.map(({ at, end }) => text.slice(at, end))).toEqual(['"a\\"b": "[{,"', '"c": "\\\\"'])
  })

  test('long strings are prose, with seams at escaped line breaks', () => {
    const long = 'A sentence here. '.repeat(15)
    const text = JSON.stringify({ title: 'x', body: `${long}\nNext\n\nlast\nwraps` })
    const seams = checkSeams(json, text).slice(3)
    expect(seams.map(({ at, kind, inside, strength: force }) => [text.slice(at, at + 4), kind, inside, force])).toEqual([
      ['"A s', 'string', 'prose', glue],
      ['Next', 'line', 'prose', strength.sentence + 5],
      ['last', 'line', 'prose', strength.line],
      ['wrap', 'line', 'prose', strength.wrap],
    ])
  })

  test('several values and comments are read, a comment with what it stands above', () => {
    const text = '{"a": 1, // one\n  // about b\n  "b": /* two */ 2}\n[3]'
    const units = checkSeams(json, text).map(({ at, end }) => text.slice(at, end))
    expect(units).toEqual([text.slice(0, -4), '"a": 1', '// about b\n  "b": /* two */ 2', '[3]', '3'])
  })

  test('text that is no JSON is text', () => {
    expect(outlineOf(json, 'Dear reader, [see] {this}')).toEqual([`${strength.line} text text "Dear reader,"`])
    expect(outlineOf(json, '[1]\nlog line')).toContain(`${strength.line} text text "log line"`)
  })

  test('a missing end, a wrong bracket and an open string are read as far as they go', () => {
    expect(outlineOf(json, '{"a": [1, 2')).toEqual([
      `${section} element words "{\\"a\\": [1, 2"`,
      `${glue} member words "\\"a\\": [1, 2"`,
      `${glue} element words unit "1"`,
      `${block - 4} element words "2"`,
    ])
    expect(checkSeams(json, '{"a": [1}, "b"]}]]').length).toBeGreaterThan(0)
    expect(outlineOf(json, '["open\r\n, 2]')).toContain(`${glue} element words unit "\\"open"`)
  })

  test('nesting deeper than 64 is not cut apart, however deep it goes', () => {
    const text = '['.repeat(1_000_000)
    expect(checkSeams(json, text).length).toBe(65)
    expect(checkSeams(json, `${text}1${']'.repeat(1_000_000)}`).length).toBe(65)
  })

  test('a value too long for any chunk is no unit', () => {
    const text = `{"data": [${'{"id": 1}, '.repeat(100_000)}{}]}`
    const seams = checkSeams(json, text)
    expect(seams.filter(({ end }) => end === undefined).map(({ at }) => at)).toEqual([0, 1])
    expect(seams.filter(({ kind }) => kind === 'element')).toHaveLength(100_002)
  })

  test('every member and element of real values is found', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const found = checkSeams(json, text)
          .filter(({ kind }) => kind === 'member' || kind === 'element')
          .map(({ at, end }) => text.slice(at, end).replaceAll(/[\s]/g, ''))
        const wanted: string[] = []
        const visit = (node: unknown, key: string): void => {
          wanted.push(`${key}${JSON.stringify(node)}`.replaceAll(/[\s]/g, ''))
          if (Array.isArray(node)) for (const element of node) visit(element, '')
          else if (typeof node === 'object' && node !== null) {
            for (const [name, member] of Object.entries(node)) visit(member, `${JSON.stringify(name)}:`)
          }
        }
        visit(value, '')
        expect(found).toEqual(wanted)
      }),
      { numRuns: 1000 },
    )
  })

  test('any text gives sound seams', () => {
    const signs = fc.constantFrom(
      ...'[]{}:,"\\/* \n\r1a',
      '\r\n',
      'null',
      '"a":',
      '//',
      '/*',
      '*/',
      '\\n',
      '\ud83d',
      '\ude00',
      'x'.repeat(210),
    )
    fc.assert(
      fc.property(fc.string({ unit: signs, maxLength: 60 }), (text) => {
        checkSeams(json, text)
        checkSeams(jsonLines, text)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('json lines', () => {
  test('every line is a record', () => {
    expect(outlineOf(jsonLines, '\ufeff{"a":1}\n\n  {"b":2}\r\n[3]\rrest')).toEqual([
      `${item} record words unit "{\\"a\\":1}"`,
      `${item} record words unit "{\\"b\\":2}"`,
      `${item} record words unit "[3]"`,
      `${item} record words unit "rest"`,
    ])
  })

  test('a long record is cut like JSON, at weaker seams than between records', () => {
    const record = JSON.stringify({ role: 'user', content: 'Tell me. '.repeat(30), tags: ['a', 'b'] })
    const seams = checkSeams(jsonLines, `${record}\n${record}`)
    const kinds = seams.slice(0, seams.length / 2).map(({ kind }) => kind)
    expect(kinds).toEqual(['record', 'member', 'member', 'string', 'member', 'element', 'element'])
    expect(Math.max(...seams.filter(({ kind }) => kind !== 'record').map((seam) => seam.strength))).toBe(item - 4)
  })
})
