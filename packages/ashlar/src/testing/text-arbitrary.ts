import fc from 'fast-check'

/** Pieces that have broken splitters before: each stands for a rule of Unicode or of a format that a careless cut violates. */
const awkward: readonly string[] = [
  '\ud83d', // lone high surrogate
  '\udc00', // lone low surrogate
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', // family joined by ZWJ
  '\u{1f44d}\u{1f3fd}', // skin tone
  '\u{1f1eb}\u{1f1f7}\u{1f1e9}\u{1f1ea}', // two flags
  '\u{1f1eb}', // half a flag
  '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', // tag sequence
  '1\ufe0f\u20e3', // keycap
  'e\u0301\u0323', // combining marks
  ' \u0301', // a mark on a space
  '\u0600 \u0601', // prepended signs
  'क्षि', // conjunct
  'ก็', // Thai with a mark
  '각ᄀ', // Hangul, whole and jamo
  '漢字仮名交じり文。', // CJK, no spaces
  'مرحبا بالعالم؟ ', // right to left
  'שלום עולם. ',
  'Τι είναι; Τοίχος. ', // Greek asks with a semicolon
  '\u202eabc\u202c', // direction marks
  '\u0000',
  '\ufeff',
  '\r\n',
  '\r',
  '\n',
  '\n\n',
  '\r\n\r\n',
  '\u2028',
  '\u0085',
  '\t',
  '   ',
  '\u00a0',
  '\u3000',
  'Dr. Smith paid $3.50. ',
  'Is it? Yes! ',
  'etc. and so on; here: there. ',
  '“Quoted.” (Aside.) ',
  'http://example.com/a?b=c#d ',
  'aGVsbG8gd29ybGQ',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
]

const plainWords = fc.stringMatching(/^[a-z]{1,9}$/).map((word) => `${word} `)

/** Fragments of markup, per format, that alone or broken make its reader work. */
const fragments: Readonly<Record<string, readonly string[]>> = {
  markdown: [
    '# Title\n',
    '## Part\n\n',
    'Under\n=====\n',
    '- item\n',
    '  - nested\n',
    '1. one\n',
    '> quoted\n',
    '> > deeper\n',
    '```js\ncode()\n\nmore()\n```\n',
    '```\n',
    '~~~\n',
    '| a | b |\n|---|---|\n',
    '| 1 | 2 |\n',
    '$$\nx^2\n$$\n',
    '---\n',
    '---\ntitle: x\n---\n',
    '<div>\n',
    '<!-- note -->\n',
    '[^1]: note\n',
    '[ref]: /url "t"\n',
    '    indented\n',
    '\n',
    '\n\n',
    '***\n',
    '\t',
  ],
  html: [
    '<p>',
    '</p>',
    '<div class="a b">',
    '</div>',
    '<ul><li>',
    '<li>',
    '</li></ul>',
    '<h1>Title</h1>',
    '<h2>',
    '<table><thead><tr><th>a</th></tr></thead>',
    '<tr><td>1</td><td>2</td></tr>',
    '</table>',
    '<pre>\n a\n  b\n</pre>',
    '<script>if (a < b) c()</script>',
    '<style>p { }</style>',
    '<!-- c -->',
    '<!doctype html>',
    '&amp;',
    '&#x1f600;',
    '<br>',
    '<b>',
    '</b>',
    '<a href="x y">',
    '<',
    '>',
    '</',
    '<textarea>',
    '<math><mi>x</mi></math>',
    '\n',
  ],
  csv: ['a,b,c\n', '1,2,3\r\n', '"x, ""y""\nz",2\n', '"open', ';', '\t', '|', ',,,\n', '\n', '"'],
  json: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"key": ',
    '"va\\"lue"',
    '"',
    '1.5e3',
    'true',
    'null',
    '{"a": [1, 2, {"b": "text. More text."}]}',
    '\n',
    '  ',
  ],
  'json-lines': ['{"a": 1, "b": "text. More."}\n', '{"a": "x\\n"}\r\n', '[]\n', '{', '}\n', '"', '\n'],
}

/** Texts over all of Unicode, lone surrogates included, with the pieces in them that break splitters; markup where a format is named. */
export function textArbitrary(format = 'plain'): fc.Arbitrary<string> {
  const markup = fragments[format]
  const piece = fc.oneof(
    { weight: 6, arbitrary: plainWords },
    { weight: 3, arbitrary: fc.constantFrom(...awkward) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) },
    ...(markup === undefined ? [] : [{ weight: 8, arbitrary: fc.constantFrom(...markup) }]),
  )
  const run = fc.tuple(piece, fc.integer({ min: 1, max: 12 })).map(([text, times]) => text.repeat(times))
  return fc
    .array(fc.oneof({ weight: 5, arbitrary: piece }, { weight: 1, arbitrary: run }), { maxLength: 60, size: 'large' })
    .map((pieces) => pieces.join(''))
}
