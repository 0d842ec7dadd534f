import { describe, expect, test } from 'vitest'
import { decodeText } from '../../src/ingest/text-encoding.ts'
import { encode } from './encode.ts'

const german = 'Die Mauer wurde größer als geplant; über dem Bogen fehlte ein Schlußstein. Ärgerlich, aber nicht zu ändern.'
const french = 'L’été dernier, nous avons réparé la façade : ça a coûté 1 200 € et duré près d’un mois.'
const spanish = '¿Cuánto cuesta la señal del año próximo? Más de lo que creíamos, según el señor Núñez.'
const swedish = 'På våren lägger vi sten på sten, och när året är över står huset färdigt.'
const english = 'The mason said: “It’s done” — and it was, after three weeks…'
const japanese = '石を積む前に、地面をよく固めておくことが大切です。水はけも確かめましょう。'
const chinese = '砌墙之前，先把地基夯实，再检查排水。石头要选平整的，灰浆不要太稀。'

describe.each([
  ['windows-1252', [german, french, spanish, swedish, english, 'Größe', 'café', 'naïve', 'Ærø', 'Übergabe', 'à']],
  ['shift_jis', [japanese, '日本語', '石垣', 'テスト', 'ひらがな', '東京は雨 (5 mm)', 'id,name\n1,石\n2,砂利']],
  ['gb18030', [chinese, '你好', '石头墙', '中文测试', 'id,name\n1,石头\n2,沙子', '北京今天下雨 (5 mm)']],
  [
    'utf-16le',
    [german, japanese, chinese, 'Plain text, nothing else.', 'Привет, мир.\nИ ещё строка.', '你好，世界。\n再见。', 'ok'],
  ],
  [
    'utf-16be',
    [german, japanese, chinese, 'Plain text, nothing else.', 'Привет, мир.\nИ ещё строка.', '你好，世界。\n再见。', 'ok'],
  ],
])('bytes of %s', (encoding, texts) => {
  test.each(texts)('are read back: %s', (text) => {
    const decoded = decodeText(encode(text, encoding))
    expect(decoded).toMatchObject({ text, encoding })
    expect(decoded?.confidence).toBeGreaterThan(0)
  })

  test('and with a longer text there is little doubt', () => {
    const decoded = decodeText(encode((texts[0] as string).repeat(3), encoding))
    expect(decoded?.confidence).toBeGreaterThan(0.7)
  })
})

test('a byte order mark decides', () => {
  for (const [encoding, mark] of [
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16be', [0xfe, 0xff]],
  ] as const)
    expect(decodeText(Uint8Array.of(...mark, ...encode(chinese, encoding)))).toMatchObject({
      text: chinese,
      encoding,
      confidence: 1,
    })
  expect(decodeText(new TextEncoder().encode(`\ufeff${german}`))).toMatchObject({
    text: german,
    encoding: 'utf-8',
    confidence: 1,
  })
})

test('valid UTF-8 is UTF-8, whatever else it could be', () => {
  for (const text of [german, french, japanese, chinese, 'é', 'Привет', 'सड़क', '😀', ''])
    expect(decodeText(new TextEncoder().encode(text))).toMatchObject({ text, encoding: 'utf-8', confidence: 1 })
})

test('UTF-8 with a few bad bytes stays UTF-8, and they are counted', () => {
  const bytes = new TextEncoder().encode(german.repeat(4))
  bytes[40] = 0xff
  expect(decodeText(bytes)).toMatchObject({ encoding: 'utf-8', replaced: 1 })
  // Cut off in the middle of a character.
  expect(decodeText(new TextEncoder().encode(japanese).subarray(0, 100))).toMatchObject({ encoding: 'utf-8', replaced: 1 })
})

test('what a page says of itself is believed where it can be true', () => {
  const russian = Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2)
  expect(decodeText(russian, 'windows-1251')).toMatchObject({ text: 'Привет', encoding: 'windows-1251' })
  expect(decodeText(new TextEncoder().encode('é'), 'windows-1251')).toMatchObject({ text: 'é', encoding: 'utf-8' })
  expect(decodeText(encode(german, 'windows-1252'), 'no-such-encoding')).toMatchObject({ encoding: 'windows-1252' })
})

test('bytes that are no text are not called text', () => {
  let state = 1
  const noise = Uint8Array.from({ length: 4000 }, () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state >> 16
  })
  expect(decodeText(noise)).toBeUndefined()
  expect(decodeText(new Uint8Array(1000))).toBeUndefined()
  expect(
    decodeText(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0)),
  ).toBeUndefined()
})
