import fc from 'fast-check'

/** Signs that tokenizers treat in ways of their own, and words that are one or several tokens. */
const particular: readonly string[] = [
  ..."aZ09 \t\n\r'/-.,!?_中文字あアАбΣσς가ǅʰ१²ªéÉßİ",
  ...[
    '\u0000',
    '\u0001',
    '\u0085',
    '\u00a0',
    '\u00ad',
    '\u0301',
    '\u0903',
    '\u200b',
    '\u200d',
    '\u2028',
    '\u3000',
    '\ufeff',
    '\ufffd',
  ],
  ...['\ud83d', '\udc4d', '👍', '👨‍👩‍👧', '🇩🇪', '❤️', '𝐀', '𝟎', '𠀀', '\u{e0100}', '\u{1d165}', '\u{1e900}'],
  ...[
    "'s",
    "'T",
    "'re",
    "'LL",
    "'ſ",
    ' the',
    ' don',
    'tion',
    'Token',
    'HTTPServer',
    ' naïve',
    'ing',
    ' Straße',
    ' Ελλάς',
    ' слово',
  ],
  ...[
    '<|endoftext|>',
    '<|fim_prefix|>',
    '<|im_start|>',
    '[CLS]',
    '[SEP]',
    '[UNK',
    '##ing',
    '   ',
    '\n\n',
    '\r\n',
    '\t\t',
    '12345678',
    '....',
    '----',
  ],
]

const sign = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...particular) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }).map((point) => String.fromCodePoint(point)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
  { weight: 1, arbitrary: fc.integer({ min: 0x20, max: 0x7e }).map((unit) => String.fromCharCode(unit)) },
)

/** Texts of all of Unicode, lone surrogates included: any signs at all, or a few signs over and over. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  const mixed = fc.array(sign, { maxLength }).map((signs) => signs.join(''))
  const repeated = fc
    .array(sign, { minLength: 1, maxLength: 4 })
    .chain((few) => fc.array(fc.constantFrom(...few), { maxLength }).map((signs) => signs.join('')))
  return fc.oneof(mixed, repeated)
}
