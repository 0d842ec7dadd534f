/** Texts that wear a careless reader down, by format and name; each takes the number of code units it should have. */
export const hostileTexts: Readonly<
  Record<'csv' | 'json' | 'json-lines' | 'html', Readonly<Record<string, (size: number) => string>>>
> = {
  csv: {
    'tiny rows': (size) => fill('a,b\n', size),
    'one row of cells': (size) => fill('a,', size),
    'one cell': (size) => fill('x', size),
    quotes: (size) => fill('"', size),
    'open quotes': (size) => fill('"a\n', size),
    'open quotes, closed at the end': (size) => `${fill('a,"b,\n', size)}"`,
    'blank lines': (size) => fill('\r\n', size),
  },
  json: {
    'open brackets': (size) => fill('[', size),
    'open objects': (size) => fill('{"a":', size),
    'closing brackets': (size) => fill('[]]}', size),
    numbers: (size) => `[${fill('1,', size)}1]`,
    'numbers, 63 deep': (size) => `${'[1,'.repeat(63)}${fill('1,', size)}`,
    records: (size) => `{"data":[${fill('{"id":1,"tags":["x","y"]},', size)}1]}`,
    'one string': (size) => `"${fill('word. ', size)}"`,
    escapes: (size) => `["${fill('\\na', size)}"]`,
    quotes: (size) => fill('"', size),
    'open comments': (size) => fill('[/*', size),
    comments: (size) => `[${fill('1,/**/', size)}`,
  },
  'json-lines': {
    'tiny records': (size) => fill('1\n', size),
    'long records': (size) => fill(`{"a":[${'1,2,'.repeat(40)}3]}\n`, size),
    'open comments': (size) => fill(`${'['.repeat(130)}/*\n`, size),
    'one line': (size) => fill('[', size),
  },
  html: {
    'nested div': (size) => fill('<div>', size),
    'nested and closed div': (size) => `${fill('<div>', size / 2.2)}${fill('</div>', size / 1.84)}`,
    'nested lists': (size) => fill('<ul><li>', size),
    'nested quotes': (size) => fill('<blockquote>', size),
    'nested b': (size) => fill('<b>', size),
    'nested tables': (size) => fill('<table><tr><td>', size),
    'nested svg': (size) => fill('<svg>', size),
    'nested headings': (size) => fill('<h1>', size),
    'open items': (size) => fill('<li>', size),
    'open paragraphs': (size) => fill('<p><b>x', size),
    'open brackets': (size) => fill('<', size),
    'open tag': (size) => `<a b="${fill('x ', size)}`,
    'long attribute': (size) => `<a b="${fill('x ', size)}">`,
    'open comment': (size) => `<!--${fill('x ', size)}`,
    'empty comments': (size) => fill('<!---->', size),
    entities: (size) => fill('&amp;', size),
    ampersands: (size) => fill('&', size),
    'crossed tags': (size) => fill('<div></b></ul><b></div>', size),
    'end tags of what is not open, deep inside': (size) => `<ul><table><tr><td>${'<div>'.repeat(500)}${fill('</ul>', size)}`,
    'items deep inside': (size) => `<li><ul>${'<div>'.repeat(500)}${fill('<li></li>', size)}`,
    'an open heading': (size) => `<h1>${fill('<i></i>', size)}`,
    'a row of cells': (size) => `<table><tr>${fill('<td>x', size)}`,
    'code of tags': (size) => `<pre>${fill('<i>x</i>\n', size)}`,
    'open script': (size) => `<script>${fill('if(a<b)x;\n', size)}`,
    sentences: (size) => fill('Foo. <b>Bar.</b> ', size),
    'white space': (size) => fill('\r\n', size),
  },
}

function fill(part: string, size: number): string {
  return part.repeat(Math.ceil(size / part.length)).slice(0, size)
}
