import type { Chart, ChartBar } from './bench.ts'

const rowHeight = 26
const barHeight = 16
const labelWidth = 280
const plotWidth = 420
const noteWidth = 250
const top = 64

/**
 * Draws a horizontal bar chart as SVG text.
 *
 * Colours are set by a style element that follows the reader's light or dark scheme, so the file can be put into a page
 * of either kind; without support for that the light one shows.
 */
export function drawChart(chart: Chart): string {
  const width = labelWidth + plotWidth + noteWidth
  const height = top + chart.bars.length * rowHeight + 34
  const finite = chart.bars.map((bar) => bar.value).filter(Number.isFinite)
  const most = Math.max(...finite, chart.limit?.value ?? 0, Number.MIN_VALUE)
  const scale = (value: number): number => (Number.isFinite(value) ? Math.max((value / most) * plotWidth, 1) : plotWidth)
  const rows = chart.bars.map((bar, i) => drawBar(bar, top + i * rowHeight, scale(bar.value)))
  const limit = chart.limit === undefined ? '' : drawLimit(chart.limit, scale(chart.limit.value), height)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(chart.title)}">
<style>
  text { font: 13px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .quiet { fill: #57606a; font-size: 12px; }
  .ground { fill: #ffffff; }
  .ours { fill: #1a6fb5; }
  .other { fill: #a3adb8; }
  .limit { stroke: #b3412e; stroke-width: 1.5; stroke-dasharray: 4 3; }
  .limit-label { fill: #b3412e; font-size: 12px; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .quiet { fill: #9aa4af; }
    .ground { fill: #0d1117; }
    .ours { fill: #5aa9e6; }
    .other { fill: #5b6570; }
    .limit { stroke: #ff8a73; }
    .limit-label { fill: #ff8a73; }
  }
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
<text class="title" x="16" y="26">${escapeXml(chart.title)}</text>
<text class="quiet" x="16" y="46">${escapeXml(chart.axis)}</text>
${rows.join('\n')}
${limit}</svg>
`
}

function drawBar(bar: ChartBar, y: number, length: number): string {
  const note = bar.note ?? String(bar.value)
  const middle = y + rowHeight / 2 + 4.5
  return `<text x="${labelWidth - 10}" y="${middle}" text-anchor="end">${escapeXml(bar.label)}</text>
<rect class="${bar.ours ? 'ours' : 'other'}" x="${labelWidth}" y="${y + (rowHeight - barHeight) / 2}" width="${length.toFixed(1)}" height="${barHeight}" rx="2"/>
<text x="${(labelWidth + length + 8).toFixed(1)}" y="${middle}">${escapeXml(note)}</text>`
}

function drawLimit(limit: { readonly value: number; readonly label: string }, offset: number, height: number): string {
  const x = (labelWidth + offset).toFixed(1)
  return `<line class="limit" x1="${x}" x2="${x}" y1="${top - 4}" y2="${height - 28}"/>
<text class="limit-label" x="${x}" y="${height - 12}" text-anchor="middle">${escapeXml(limit.label)}</text>
`
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
