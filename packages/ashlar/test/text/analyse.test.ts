import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analyse } from '../../src/text/analyse.ts'
import { analyseQuery } from '../../src/text/analyse-query.ts'
import { anyText } from './any-text.ts'

const wordsOf = (text: string): string[] =>
  analyse(text)
    .terms.filter((term) => term.startsWith('w'))
    .map((term) => term.slice(1))
const gramsOf = (text: string): string[] =>
  analyse(text)
    .terms.filter((term) => term.startsWith('g'))
    .map((term) => term.slice(1))

describe('analyse', () => {
  it('takes words without regard to case, and with their marks', () => {
    expect(wordsOf('The CAFÉ, the café')).toEqual(['the', 'café'])
    expect(analyse('the cat and the dog')).toMatchObject({ length: 5 })
    expect(analyse('the the').counts[analyse('the the').terms.indexOf('wthe')]).toBe(2)
    expect(wordsOf('STRASSE')).toEqual(wordsOf('Straße'))
    expect(wordsOf('ΟΔΟΣ οδος')).toEqual(['οδοσ'])
    expect(wordsOf('İstanbul ISTANBUL')).toEqual(['istanbul'])
    expect(wordsOf('ﬁne ｆｕｌｌ')).toEqual(['fine', 'full'])
  })

  it('gives inflected words, compounds and words without accents something in common', () => {
    const common = (one: string, other: string): string[] => gramsOf(one).filter((gram) => gramsOf(other).includes(gram))
    expect(common('cafe', 'café')).toEqual(gramsOf('cafe'))
    expect(common('Häuser', 'haus')).toEqual(['_hau', 'haus'])
    expect(common('книга', 'книгами')).toEqual(['_кни', 'книг', 'нига'])
    expect(common('Versicherung', 'Krankenversicherung').length).toBeGreaterThan(8)
    expect(gramsOf('it')).toEqual(['_it_'])
    expect(gramsOf('5120')).toEqual([])
  })

  it('keeps the vowel signs of Indian scripts', () => {
    expect(wordsOf('हिन्दी')).toEqual(['हिन्दी'])
    expect(gramsOf('हिन्दी')).not.toEqual(gramsOf('हन्द'))
  })

  it('finds identifiers by their parts and as a whole, however they are written', () => {
    expect(wordsOf('parseHTMLPage')).toEqual(['parse', 'html', 'page', 'parsehtmlpage'])
    expect(wordsOf('snake_case')).toEqual(['snake', 'case', 'snakecase'])
    expect(wordsOf('SNAKE_CASE snakeCase')).toEqual(['snake', 'case', 'snakecase'])
    expect(wordsOf('__init__')).toEqual(['init'])
    expect(wordsOf('my_varName x')).toEqual(['my', 'var', 'name', 'myvarname', 'x'])
    expect(wordsOf('e-mail')).toEqual(['e', 'mail', 'email'])
    expect(wordsOf("John's")).toEqual(['john', 's', 'johns'])
  })

  it('finds numbers with separators and units', () => {
    expect(wordsOf('5,120')).toEqual(['5120'])
    expect(wordsOf('1,234,567.89')).toEqual(['1234567.89'])
    expect(wordsOf('1.234.567,89')).toEqual(['1234567.89'])
    expect(wordsOf('5.120')).toEqual(['5120', '5.120'])
    expect(wordsOf('3,14')).toEqual(['3.14'])
    expect(wordsOf('1.2.3')).toEqual(['1.2.3'])
    expect(wordsOf('5GB')).toEqual(['5', 'gb', '5gb'])
    expect(wordsOf('3.5km')).toEqual(['3.5', 'km', '3.5km'])
    expect(wordsOf('٥١٢٠ ५१२०')).toEqual(['5120'])
    expect(wordsOf('2024-01-05')).toEqual(['2024', '01', '05', '20240105'])
  })

  it('takes characters and pairs of them, or few letters, where a script has no spaces', () => {
    expect(analyse('漢字。かな')).toEqual({
      terms: ['c漢', 'c字', 'p漢字', 'cか', 'cな', 'pかな'],
      counts: [1, 1, 1, 1, 1, 1],
      length: 2,
    })
    expect(analyse('ภาษาไทย').terms.join(' ')).toBe('kภา kาษ lภาษ kษา lาษา kาไ lษาไ kไท lาไท kทย lไทย')
  })

  it('gives few terms of any text, and short ones', () => {
    fc.assert(
      fc.property(anyText(80), (text) => {
        const { terms, counts, length } = analyse(text)
        expect(terms.length).toBe(counts.length)
        expect(new Set(terms).size).toBe(terms.length)
        // One character may stand for many: compatibility forms are written out.
        expect(terms.length).toBeLessThanOrEqual(40 * text.length + 3)
        expect(length).toBeLessThanOrEqual(text.length)
        for (const term of terms) expect(term.length).toBeLessThanOrEqual(200)
      }),
    )
    const long = analyse('x'.repeat(200_000))
    expect(long.terms.length).toBeLessThan(70)
  })

  it('weighs the terms of a query by their kind, each once', () => {
    expect(analyseQuery('to to')).toEqual([
      { term: 'wto', weight: 1 },
      { term: 'g_to_', weight: 0.5 },
    ])
    expect(analyseQuery('')).toEqual([])
  })
})
