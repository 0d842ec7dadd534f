import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { html } from '../../src/chunk/html.ts'
import { type Seam, strength } from '../../src/chunk/seam.ts'
import { checkSeams } from './check-seams.ts'

const { heading, section, block, item, line, sentence, clause, wrap, word, grapheme } = strength

/** Strength of a cut beside markup: between a hard cut and a word. */
const joint = grapheme + 2
const inlineEdge = joint + 2

/** Strength and beginning of each seam; those that only keep markup together are left out. */
function places(text: string, length = 8): [number, string][] {
  return checkSeams(html, text)
    .filter((seam) => seam.strength !== joint)
    .map((seam) => [seam.strength, text.slice(seam.at, seam.at + length)])
}

function seamsOf(text: string, kind: string): Seam[] {
  return checkSeams(html, text).filter((seam) => seam.kind === kind)
}

function units(text: string): string[] {
  return checkSeams(html, text)
    .filter(({ end }) => end !== undefined)
    .map(({ at, end }) => text.slice(at, end))
}

describe('blocks', () => {
  test('are stronger than items, and weaker the more is wrapped around them', () => {
    expect(places('<p>One</p><p>Two</p><div><p>Three</p><p>Four</p></div>')).toEqual([
      [block, '<p>One</'],
      [block, '<p>Two</'],
      [block, '<div><p>'],
      [block - 1, '<p>Four<'],
    ])
    const deep = `${'<div>'.repeat(20)}x<p>y`
    expect(places(deep).at(-1)).toEqual([item + 2, '<p>y'])
  })

  test('that begin together are one place, before the first of them, as strong as the strongest', () => {
    expect(places('<p>x</p>\n<div class="a b">\n  <section><h2>T</h2></section></div>', 4)).toEqual([
      [block, '<p>x'],
      [heading - 2, '<div'],
    ])
    expect(places('x<ul><li><a href="#"><b>One</b></a><li>Two</ul>', 4).slice(1)).toEqual([
      [block, '<ul>'],
      [item, '<li>'],
    ])
  })

  test('without an element are found: text behind a block is a block', () => {
    expect(places('<p>One</p> two <b>three</b>', 4)).toEqual([
      [block, '<p>O'],
      [block, 'two '],
      [word, '<b>t'],
    ])
    expect(places('<p>One</p> <b>two</b> three', 4)).toEqual([
      [block, '<p>O'],
      [block, '<b>t'],
      [word, 'thre'],
    ])
  })

  test('inside items and cells are weaker than the items around, but stronger than lines', () => {
    const list = places('<ul><li>a<p>b</p><ul><li>c<li>d<p>e</ul><li>f</ul>', 4)
    expect(list.map(([force]) => force)).toEqual([block, item - 2, item - 2, item - 4, item - 6, item])
    const table = places('<table><tr><td>a<p>b<td>c<tr><td>d</table>', 4)
    expect(table.map(([force]) => force)).toEqual([block, item - 2, item - 1, item])
    const deep = places(`${'<ul><li>x'.repeat(30)}`, 4).map(([force]) => force)
    expect(Math.min(...deep)).toBe(line + 1)
  })

  test('sections and rules are stronger than blocks', () => {
    expect(places('<main>a<article>b<hr>c</article></main>', 4)).toEqual([
      [section, '<mai'],
      [section - 2, '<art'],
      [section - 4, '<hr>'],
      [block - 2, 'c</a'],
    ])
  })

  test('a comment above a block belongs to it, one behind an end tag to what ended', () => {
    expect(places('<p>a</p> <!-- /a -->\n<!-- b -->\n<p>b', 6)).toEqual([
      [block, '<p>a</'],
      [block, '<!-- b'],
    ])
  })

  test('metadata and scripts are blocks only where no text is before them', () => {
    expect(places('<head><title>T</title>\n<meta a><link b></head><script>x</script><p>a <script>y</script>', 7)).toEqual([
      [block, '<head><'],
      [line + 1, '<meta a'],
      [line + 1, '<link b'],
      [block, '<script'],
      [block, '<p>a <s'],
      [word, '<script'],
    ])
  })
})

describe('headings', () => {
  test('carry level and title: decoded, without markup, white space made one space, no link signs', () => {
    const text = '<h2 id="x">\n  Caf&eacute; &amp;\n <code>a&lt;b</code> <a href="#x">¶</a></h2><h6>§Last<h1>🏛 One'
    const headings = checkSeams(html, text).filter((seam) => seam.heading !== undefined)
    expect(headings.map((seam) => seam.heading)).toEqual([
      { level: 2, title: 'Café & a<b' },
      { level: 6, title: 'Last' },
      { level: 1, title: '🏛 One' },
    ])
    expect(headings.map((seam) => seam.strength)).toEqual([heading - 2, joint, heading])
  })

  test('stay with what follows, unless that is a heading of the same or a higher level', () => {
    expect(places('<h1>A</h1><p>b</p><p>c</p>', 4)).toEqual([
      [heading, '<h1>'],
      [block, '<p>c'],
    ])
    expect(places('<header><h1>A</h1></header> b<p>c', 4).map(([, text]) => text)).toEqual(['<hea', '<p>c'])
    expect(places('<h2>A</h2><h3>B</h3>', 4).map(([, text]) => text)).toEqual(['<h2>'])
    expect(places('<h2>A</h2><h2>B</h2>', 4).map(([, text]) => text)).toEqual(['<h2>', '<h2>'])
  })

  test('count from where the tags around them begin', () => {
    const [first, second] = checkSeams(html, '<section>\n<h1>A</h1>x</section>')
    expect(first).toMatchObject({ at: 0, kind: 'section', heading: { level: 1, title: 'A' } })
    expect(second).toMatchObject({ at: 10, kind: 'heading', strength: joint })
    expect(second?.heading).toBeUndefined()
  })

  test('have titles of bounded length, also when they are never closed', () => {
    const title = checkSeams(html, `<h1>${'🏛'.repeat(1000)}`)[0]?.heading?.title
    expect(title).toBe('🏛'.repeat(128))
    expect(checkSeams(html, `<h1>x${'🏛'.repeat(1000)}`)[0]?.heading?.title).toBe(`x${'🏛'.repeat(127)}`)
    expect(checkSeams(html, '<h1>Title<p>text<p>more')[0]?.heading?.title).toBe('Title')
    expect(checkSeams(html, '<h1><img src=x></h1>')[0]?.heading).toBeUndefined()
  })
})

describe('units', () => {
  test('reach to the end of their end tag', () => {
    const text = 'a<ol> <li>b</li> </ol>c<pre>d</pre>e<math><mi>x</mi></math><svg/><script>"</p>"</script>'
    expect(units(text)).toEqual([
      '<ol> <li>b</li> </ol>',
      '<li>b</li>',
      '<pre>d</pre>',
      '<math><mi>x</mi></math>',
      '<svg/>',
      '<script>"</p>"</script>',
    ])
  })

  test('end where HTML ends them when the end tag is left out', () => {
    expect(units('<ul><li>a<li>b<ul><li>c</ul></ul>d')).toEqual([
      '<ul><li>a<li>b<ul><li>c</ul></ul>',
      '<li>a',
      '<li>b<ul><li>c</ul>',
      '<ul><li>c</ul>',
      '<li>c',
    ])
    expect(units('<div><ul><li>a</div>b')).toEqual(['<ul><li>a', '<li>a'])
    expect(units('<dl><dt>a<dd>b<dt>c</dl>')).toEqual(['<dl><dt>a<dd>b<dt>c</dl>', '<dt>a', '<dd>b', '<dt>c'])
    expect(units('<table><tr><td>a<tr><td>b')).toEqual(['<table><tr><td>a<tr><td>b', '<tr><td>a', '<tr><td>b'])
  })

  test('are not ended by end tags that belong to something else', () => {
    expect(units('<ul><li>a</b></div></td>b</ul>')[0]).toBe('<ul><li>a</b></div></td>b</ul>')
    expect(units('<li><table><tr><td></li>a</table></li>')[0]).toBe('<li><table><tr><td></li>a</table></li>')
  })

  test('raw text hides tags', () => {
    expect(units('<textarea><ul></textarea><title><ol></title><style><li></style><iframe><dl></iframe>')).toEqual([
      '<style><li></style>',
    ])
    expect(units('<svg><style><p></style></svg>')).toEqual(['<svg><style>'])
    expect(units('<noscript><ul><li>a</ul></noscript>')).toEqual(['<ul><li>a</ul>', '<li>a'])
  })
})

describe('tables', () => {
  test('have their thead as header, which stays with the first row', () => {
    const text = '<table><thead><tr><th>A<tr><th>B</thead><tbody><tr><td>1<tr><td>2</table>'
    const [table] = seamsOf(text, 'table')
    expect(text.slice(table?.header?.start, table?.header?.end)).toBe('<thead><tr><th>A<tr><th>B</thead>')
    expect(seamsOf(text, 'row').map((seam) => seam.strength)).toEqual([joint, joint, joint, item])
    expect(seamsOf(text, 'rows').map((seam) => seam.strength)).toEqual([joint, joint])
  })

  test('or a first row of th cells', () => {
    const text = '<table><caption>C</caption><tr><td></td><th>A</th><th>B</th></tr><tr><th>1<td>2<td>3</table>'
    const [table] = seamsOf(text, 'table')
    expect(text.slice(table?.header?.start, table?.header?.end)).toBe('<tr><td></td><th>A</th><th>B</th></tr>')
    expect(seamsOf('<table><tr><th>A<td>1<tr><th>B<td>2</table>', 'table')[0]?.header).toBeUndefined()
    expect(seamsOf('<table><tr><td>A<tr><th>B</table>', 'table')[0]?.header).toBeUndefined()
  })

  test('inside tables have headers of their own', () => {
    const text = '<table><tr><th>A<tr><td><table><tr><th>B<tr><td>1</table></table>'
    const headers = seamsOf(text, 'table').map(({ header }) => text.slice(header?.start, header?.end))
    expect(headers).toEqual(['<tr><th>A', '<tr><th>B'])
  })
})

describe('text and tags', () => {
  test('inline markup is not cut, and is joined to its text', () => {
    const text = 'A <a href="x y" title="p. q">link</a>s; end: <i>that</i>\n<b>wrapped</b> word'
    expect(places(text, 9)).toEqual([
      [block, 'A <a href'],
      [word, '<a href="'],
      [inlineEdge, 's; end: <'],
      [clause - 2, '<i>that</'],
      [wrap, '<b>wrappe'],
      [word, 'word'],
    ])
    const tag = checkSeams(html, text).find(({ at }) => at === 2)
    expect(tag?.inside).toBe('whole')
  })

  test('sentences end across tags, abbreviations do not', () => {
    expect(places('<b>Note.</b> The <i>Dr.</i> Ames <b>“left.”</b> <u>Then</u> e.g. <code>x</code> <q>Is it?</q> No', 6)).toEqual(
      [
        [block, '<b>Not'],
        [sentence, 'The <i'],
        [word, '<i>Dr.'],
        [word, 'Ames <'],
        [word, '<b>“le'],
        [sentence, '<u>The'],
        [word, 'e.g. <'],
        [word, '<code>'],
        [word, '<q>Is '],
        [sentence, 'No'],
      ],
    )
    expect(places('<p>一。<b>二</b>', 4).at(-1)).toEqual([sentence, '<b>二'])
  })

  test('line breaks made with br are lines, two of them more', () => {
    expect(places('a<br>b<br><br>\n<i>c</i>', 4)).toEqual([
      [block, 'a<br'],
      [line, 'b<br'],
      [line + 1, '<i>c'],
    ])
  })

  test('entities are not cut', () => {
    const text = '<p>Tom &amp; Jerry &#20013;&#25991;&x y;'
    const whole = checkSeams(html, text).filter(({ kind, inside }) => kind === 'text' && inside === 'whole')
    expect(whole.map(({ at, strength: force }) => [text.slice(at, at + 8), force])).toEqual([
      ['&amp; Je', word],
      ['&#20013;', word],
      ['&#25991;', inlineEdge],
    ])
  })

  test('code is cut at its lines, also between tags', () => {
    const text = '<pre><i>a</i>\r\n\r\n<i>b</i>\n  <i>c</i> d\n<i>e</i></pre>'
    const tags = checkSeams(html, text).filter(({ at }) => text.startsWith('<i>', at))
    expect(tags.map((seam) => seam.strength)).toEqual([joint, line + 6, word, line])
    const kinds = new Set(
      checkSeams(html, text)
        .filter(({ kind }) => kind === 'text')
        .map(({ inside }) => inside),
    )
    expect([...kinds]).toEqual(['lines'])
  })

  test('a long comment is cut between words, a short one is not', () => {
    expect(seamsOf(`<!--${'a '.repeat(600)}--><p>x`, 'comment')[0]?.inside).toBe('words')
    expect(seamsOf('<!-- a b --><p>x', 'comment')[0]?.inside).toBe('whole')
  })

  test('a tag that the text ends in is text', () => {
    const seams = checkSeams(html, '<p>a <b class="x y')
    expect(seams.at(-1)).toMatchObject({ at: 5, inside: 'text' })
  })
})

describe('positions', () => {
  test.each([
    ['CRLF', '\r\n<p>\r\na\r\n</p>\r\n<ul>\r\n<li>b\r\n</ul>\r\n'],
    ['CR', '\r<p>\ra\r</p>\r<ul>\r<li>b\r</ul>\r'],
    ['a byte order mark', '\ufeff<p>a</p><ul><li>b</ul>'],
    ['NUL', '\0<p>\0a\0</p>\0<ul>\0<li>\0b</ul>'],
    ['lone surrogates', '\ud83d<p>\ude00a</p>\ud83d\ud83d<ul><li>\ud83db</ul>'],
    ['pairs and entities', '🏛&#x1f3db;<p>🏛&nbsp;a</p>&notit;🏛<ul><li>&#0;🏛</ul>'],
  ])('are those of the source with %s', (_name, text) => {
    const tags = checkSeams(html, text).filter(({ kind }) => kind !== 'text')
    expect(tags.map(({ at }) => /^<\/?[a-z]+/.exec(text.slice(at))?.[0])).toEqual(['<p', '</p', '<ul', '<li', '</ul'])
    expect(units(text)[0]).toMatch(/^<ul>[\s\S]*<\/ul>$/)
  })

  test('are those of the source far into it', () => {
    const part = '<p title="🏛">\r\n🏛 &amp; <b>x</b></p>\r\n'
    const text = part.repeat(20_000)
    const paragraphs = seamsOf(text, 'block').map(({ at }) => at)
    expect(paragraphs).toEqual(Array.from({ length: 20_000 }, (_, index) => index * part.length))
  })
})

test('any text gives sound seams', () => {
  const names =
    'p div ul li table tr td th h1 pre b br svg math title script style textarea template form select svg foreignObject'.split(
      ' ',
    )
  const tag = fc
    .tuple(fc.constantFrom('<', '</'), fc.constantFrom(...names), fc.constantFrom('>', ' a="b">', '/>', ' x', '>'))
    .map((parts) => parts.join(''))
  const bits = fc.constantFrom(
    ...'<>&;/!-="\' \n\r\tax.',
    '\r\n',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&amp;',
    '&#9;',
    '\0',
    '\ud83d',
    '\ude00',
    '🏛',
    '。',
    '\ufeff',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(tag, bits, fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 40 }), (parts) => {
      checkSeams(html, parts.join(''))
    }),
    { numRuns: 4000 },
  )
})

test('seams are found as they are asked for', () => {
  const text = `<p>first</p>${'<p>more</p>'.repeat(200_000)}`
  const seams = html.seams(text)[Symbol.iterator]()
  const started = process.cpuUsage().user
  expect(seams.next().value?.at).toBe(0)
  const first = process.cpuUsage().user - started
  let count = 1
  while (seams.next().done !== true) count++
  expect(count).toBe(200_001 * 3)
  expect(process.cpuUsage().user - started).toBeGreaterThan(5 * first)
})
