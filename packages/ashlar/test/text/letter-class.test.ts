import { Tiktoken } from 'tiktoken'
import { expect, test } from 'vitest'
import { letterClass, letterClasses, surrogateClass } from '../../src/text/letter-class.ts'

test('every code point has the class that tiktoken gives it', { timeout: 120_000 }, () => {
  const { space, newline, number, mark, lower, upper, caseless } = letterClass
  const patterns: readonly (readonly [number, string])[] = [
    [space, '[\\s--[\\r\\n]]'],
    [newline, '[\\r\\n]'],
    [number, '\\p{N}'],
    [mark, '\\p{M}'],
    [lower, '\\p{Ll}'],
    [upper, '[\\p{Lu}\\p{Lt}]'],
    [caseless, '[\\p{Lm}\\p{Lo}]'],
  ]
  const expected = new Uint8Array(0x110000)
  // A vocabulary of single bytes and a pattern of one class give back the bytes of the code points in it.
  const bytes = `! 0 ${Array.from({ length: 256 }, (_, byte) => Buffer.from([byte]).toString('base64')).join(' ')}`
  for (const [code, pattern] of patterns) {
    const encoding = new Tiktoken(bytes, {}, pattern)
    for (let page = 0; page < 0x110000; page += 0x2000) {
      let text = ''
      for (let point = page; point < page + 0x2000; point++)
        if (point < 0xd800 || point > 0xdfff) text += String.fromCodePoint(point)
      for (const sign of Buffer.from(Uint8Array.from(encoding.encode(text, [], []))).toString('utf8')) {
        expected[sign.codePointAt(0)!] = code
      }
    }
    encoding.free()
  }
  const classes = letterClasses()
  const wrong: string[] = []
  for (let point = 0; point < 0x110000; point++) {
    const sign = String.fromCodePoint(point)
    const found = point < 0x10000 ? classes[point] : surrogateClass(classes, sign.charCodeAt(0), sign.charCodeAt(1))
    if (found !== expected[point]) wrong.push(point.toString(16))
  }
  expect(wrong).toEqual([])
})
