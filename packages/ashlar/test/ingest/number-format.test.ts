import { describe, expect, test } from 'vitest'
import { builtInFormat, formatNumber } from '../../src/ingest/loaders/number-format.ts'

describe('numbers as a spreadsheet shows them', () => {
  test.each([
    [1234.5, 'General', '1234.5'],
    [0.1 + 0.2, 'General', '0.3'],
    [1e20, 'General', '1E+20'],
    [1234.5, '0', '1235'],
    [1234.5, '#,##0.00', '1,234.50'],
    [-1234.5, '#,##0.00', '-1,234.50'],
    [1.005, '0.00', '1.01'],
    [0.5, '0%', '50%'],
    [0.1234, '0.0%', '12.3%'],
    [1234567, '#,##0,', '1,235'],
    [0.5, '#.##', '.5'],
    [5, '000', '005'],
    [-5, '0;(0)', '(5)'],
    [0, '0;-0;"none"', 'none'],
    [12.5, '0.00 "EUR"', '12.50 EUR'],
    [12.5, '[$€-407] 0.00', '€ 12.50'],
    [12345, '0.00E+00', '1.23E+04'],
    [1.75, '# ?/?', '1 3/4'],
    [5551234, '000-0000', '555-1234'],
    [3, '[<5]"few";"many"', 'few'],
    [46341, 'yyyy-mm-dd', '2026-11-15'],
    [46341, 'd mmmm yyyy', '15 November 2026'],
    [46341, '[$-407]dddd, d. mmmm yyyy', 'Sonntag, 15. November 2026'],
    [46341.75, 'h:mm AM/PM', '6:00 PM'],
    [46341.5, 'dd/mm/yyyy hh:mm:ss', '15/11/2026 12:00:00'],
    [1.5, '[h]:mm', '36:00'],
    [1, 'yyyy-mm-dd', '1900-01-01'],
    [60.99, 'yyyy', '1900'],
    [0.000011574, 'ss.00', '01.00'],
  ])('%s as %s', (value, code, shown) => {
    expect(formatNumber(value, code)).toBe(shown)
  })

  test('days can be counted from 1904', () => {
    expect(formatNumber(0, 'yyyy-mm-dd', true)).toBe('1904-01-01')
  })

  test('formats known by number are unambiguous', () => {
    expect(formatNumber(46341, builtInFormat(14))).toBe('2026-11-15')
    expect(builtInFormat(9999)).toBe('General')
  })

  test('odd codes give something and never throw', () => {
    for (const code of ['', ';', '"', '[', '\\', '0'.repeat(500), '#/', '[h', '@@@', 'yyyyyyyyy', 'E+', '?/0', '0.0.0', '*'])
      for (const value of [0, -1, 1e308, 0.3, 46341.3, -1e-300]) expect(typeof formatNumber(value, code)).toBe('string')
  })
})
