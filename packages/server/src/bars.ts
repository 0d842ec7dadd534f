/** Eighths of a column, so that small numbers are seen too. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar of so many columns for a share from 0 to 1; whatever is more than nothing shows. */
export function bar(share: number, columns: number): string {
  const full = Math.max(share > 0 ? 1 : 0, Math.round(share * columns * 8))
  return '█'.repeat(full >> 3) + (eighths[full & 7] ?? '')
}
