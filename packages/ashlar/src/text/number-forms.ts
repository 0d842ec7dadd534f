const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
const groupedByPoints = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/

/**
 * The terms of a number: without the separators of its thousands, with a point before its decimals. "5.120" may be either, so it gives
 * both; "1.2.3" stays what it is.
 */
export function numberForms(number: string): readonly string[] {
  if (grouped.test(number)) return [number.replaceAll(',', '')]
  if (groupedByPoints.test(number)) {
    const plain = number.replaceAll('.', '').replace(',', '.')
    return number.indexOf('.') === number.lastIndexOf('.') && !number.includes(',') ? [plain, number] : [plain]
  }
  const comma = number.indexOf(',')
  return [comma >= 0 && comma === number.lastIndexOf(',') && !number.includes('.') ? number.replace(',', '.') : number]
}
