import fc from 'fast-check'

const signs = [
  ...['\n', '\n', '\n', '\n\n', '\r\n', '\r', ' ', '  ', '   ', '    ', '      ', '\t', 'a', 'b', 'x', '.', '\\', '_'],
  ...['>', '> ', '#', '# ', '## ', '---', '===', '=', '***', '```', '~~~', '```js', '`', '[', ']('],
  ...['<div>', '</div>', '<!--', '-->', '<pre>', '</pre>', '<?', '?>', '<!X', '<![CDATA[', ']]>', '<b>', '</b>', '<b c="d">'],
]
const lists = ['- ', '-', '* ', '+ ', '1. ', '2) ', '10. ', '1.', '   -']
const extensions = ['|', '| a ', '|-', '|:-:|', '-|-', '$$', '$', '[^a]: ', '[a]: b', '[a]:', '"t"', '(t', ')', ':-', ':']

/** Random texts out of the signs of CommonMark's blocks, definitions apart. */
export const commonmarkTexts: fc.Arbitrary<string> = textOf([...signs, ...lists])

/** Random texts out of the signs of all blocks but lists. */
export const extendedTexts: fc.Arbitrary<string> = textOf([
  ...signs.filter((sign) => !/^<(\/pre|\/?b)/.test(sign)),
  ...extensions,
])

/** Random texts out of the signs of all blocks, all of Unicode, lone surrogates and NUL between them. */
export const anyTexts: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...signs, ...lists, ...extensions, '\uFEFF', '+++', '\0', '\ud800', '😀'),
      fc.string({ unit: 'binary' }),
    ),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''))

function textOf(parts: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 14 }).map((chosen) => chosen.join(''))
}
