import type { Figure, Table } from './bench.ts'

/** Aligned columns for a terminal: text to the left, numbers to the right. */
export function formatTable(table: Table): string {
  const cells = table.rows.map((row) => row.map(formatCell))
  const widths = table.columns.map((name, i) => Math.max(width(name), ...cells.map((row) => width(row[i] ?? ''))))
  const right = table.columns.map((_, i) => table.rows.some((row) => typeof row[i] === 'number'))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (right[i] ? ' '.repeat(widths[i]! - width(cell)) + cell : cell + ' '.repeat(widths[i]! - width(cell))))
      .join('  ')
      .trimEnd()
  const rule = widths.map((n) => '-'.repeat(n)).join('  ')
  return [...(table.title ? [table.title, ''] : []), line(table.columns), rule, ...cells.map(line)].join('\n')
}

const most = 40

/** The figures that have a bar, each with its verdict. */
export function formatVerdicts(figures: readonly Figure[]): string {
  const barred = figures.filter((figure) => figure.bar !== null)
  if (barred.length === 0) return ''
  // Benches with hundreds of bars (hostile) print the missed ones only; the count of the others says enough.
  const missed = barred.filter((figure) => !figure.ok)
  const shown = (barred.length <= 16 ? barred : missed).slice(0, most)
  const rows = shown.map((figure) => [
    figure.ok ? 'ok' : 'MISSED',
    figure.name,
    `${formatCell(figure.value)} ${figure.unit}`.trim(),
    figure.bar!,
  ])
  const head = rows.length === 0 ? '' : `${formatTable({ columns: ['', 'figure', 'measured', 'bar'], rows })}\n\n`
  return `${head}${barred.length - missed.length} of ${barred.length} bars cleared${missed.length > 0 ? `, ${missed.length} missed` : ''}`
}

function formatCell(cell: string | number): string {
  if (typeof cell === 'string') return cell
  if (!Number.isFinite(cell)) return '-'
  if (Number.isInteger(cell)) return cell.toLocaleString('en')
  if (Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en')
  return Number(cell.toPrecision(3)).toString()
}

/** Terminal columns: East Asian characters and emoji take two. */
function width(text: string): number {
  let columns = 0
  for (const character of text)
    columns += /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u.test(
      character,
    )
      ? 2
      : 1
  return columns
}
