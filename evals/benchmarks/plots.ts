import { knownSets } from '../known-sets.ts'
import type { SetName } from '../sets/sets.ts'
import { costNames, type Standing } from './standing.ts'

const style = `<style>
  text { font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: #1f2328; }
  .title { font-size: 15px; font-weight: 600; }
  .panel { font-size: 13px; font-weight: 600; }
  .quiet { fill: #57606a; font-size: 11px; }
  .ground { fill: #ffffff; }
  .line { fill: none; stroke-width: 1.6; }
  .grid { stroke: #d8dee4; stroke-width: 1; }
  .ours { fill: #1a6fb5; } .ours-line { stroke: #1a6fb5; }
  .other { fill: #8b949e; } .other-line { stroke: #a3adb8; }
  .on { fill: #ffffff; font-size: 9px; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .quiet { fill: #9aa4af; }
    .ground { fill: #0d1117; }
    .grid { stroke: #30363d; }
    .ours { fill: #5aa9e6; } .ours-line { stroke: #5aa9e6; }
    .other { fill: #6e7681; } .other-line { stroke: #5b6570; }
    .on { fill: #0d1117; }
  }
</style>`

/** A point of a panel: a system by its number in the legend. */
interface Point {
  readonly number: number
  readonly ours: boolean
  readonly x: number
  readonly y: number
}

const panel = { width: 290, height: 230, left: 44, top: 48, right: 14, bottom: 34 }
const columns = 3

/** How well each system finds against the CPU time of a search with its question's embedding, one panel a set. */
export function drawQualityAgainstCost(standing: Standing, sets: readonly SetName[]): string {
  const systems = [...standing.ours, ...standing.peers]
  const panels = sets.flatMap((set) => {
    const { headline, title, unit } = knownSets[set]
    const points = systems.flatMap((system, at): Point[] => {
      const [quality, search, embedding] = [headline, costNames.search, costNames.embedding].map(
        (name) => standing.figure(set, system, name)?.value,
      )
      if (quality === undefined || search === undefined) return []
      const milliseconds = Math.max(0.1, search + (embedding ?? 0))
      return [{ number: at + 1, ours: standing.ours.includes(system), x: Math.log10(milliseconds), y: quality }]
    })
    return points.length === 0 ? [] : [{ title, measure: `${headline}${unit === '' ? '' : `, ${unit}`}`, points }]
  })
  const rows = Math.ceil(panels.length / columns)
  const legendColumns = 4
  const legendTop = 64 + rows * panel.height
  const height = legendTop + 24 + Math.ceil(systems.length / legendColumns) * 18
  const width = columns * panel.width + 24
  const drawn = panels.map(({ title, measure, points }, at) => {
    const [x, y] = [12 + (at % columns) * panel.width, 56 + Math.floor(at / columns) * panel.height]
    return `<g transform="translate(${x} ${y})">${drawPanel(title, measure, points)}</g>`
  })
  const legend = systems.map((system, at) => {
    const x = 24 + (at % legendColumns) * ((width - 24) / legendColumns)
    const y = legendTop + 14 + Math.floor(at / legendColumns) * 18
    const kind = standing.ours.includes(system) ? 'ours' : 'other'
    return `<circle class="${kind}" cx="${x.toFixed(1)}" cy="${y - 4}" r="7"/><text class="on" x="${x.toFixed(1)}" y="${y - 1}" text-anchor="middle">${at + 1}</text><text x="${(x + 12).toFixed(1)}" y="${y}">${escapeXml(system)}</text>`
  })
  return page(
    width,
    height,
    'Quality against cost',
    'Upwards: better. To the right: more CPU a query, in milliseconds, its embedding included; each line ten times the one before.',
    [...drawn, ...legend],
  )
}

function drawPanel(title: string, measure: string, points: readonly Point[]): string {
  const [x0, x1] = [Math.floor(Math.min(...points.map(({ x }) => x))), Math.ceil(Math.max(...points.map(({ x }) => x)) + 1e-9)]
  const [least, most] = [Math.min(...points.map(({ y }) => y)), Math.max(...points.map(({ y }) => y))]
  const room = Math.max((most - least) * 0.12, most * 0.01)
  const [y0, y1] = [least - room, most + room]
  const inner = { width: panel.width - panel.left - panel.right, height: panel.height - panel.top - panel.bottom }
  const px = (x: number): string => (panel.left + ((x - x0) / Math.max(1, x1 - x0)) * inner.width).toFixed(1)
  const py = (y: number): string => (panel.top + (1 - (y - y0) / (y1 - y0)) * inner.height).toFixed(1)
  const powers = Array.from({ length: Math.max(1, x1 - x0) + 1 }, (_, at) => x0 + at)
  const bottom = panel.top + inner.height
  const grid = powers.map(
    (power) =>
      `<line class="grid" x1="${px(power)}" x2="${px(power)}" y1="${panel.top}" y2="${bottom}"/><text class="quiet" x="${px(power)}" y="${bottom + 15}" text-anchor="middle">${Number((10 ** power).toPrecision(1))}</text>`,
  )
  const levels = [least, most].map(
    (level) =>
      `<line class="grid" x1="${panel.left}" x2="${panel.left + inner.width}" y1="${py(level)}" y2="${py(level)}"/><text class="quiet" x="${panel.left - 6}" y="${(Number(py(level)) + 4).toFixed(1)}" text-anchor="end">${short(level)}</text>`,
  )
  // Ours are drawn last, on top of the others.
  const marks = [...points]
    .sort((left, right) => Number(left.ours) - Number(right.ours))
    .map(
      ({ number, ours, x, y }) =>
        `<circle class="${ours ? 'ours' : 'other'}" cx="${px(x)}" cy="${py(y)}" r="7"/><text class="on" x="${px(x)}" y="${(Number(py(y)) + 3).toFixed(1)}" text-anchor="middle">${number}</text>`,
    )
  return `<text class="panel" x="${panel.left}" y="20">${escapeXml(title)}</text><text class="quiet" x="${panel.left}" y="36">${escapeXml(measure)}</text>${grid.join('')}${levels.join('')}${marks.join('')}`
}

/** About how many characters a token has in English. */
const charactersOfToken = 4

const budgets = [800, 1600, 3200]

/** How much of Chroma's evidence is in the first tokens that are read, one line a system. */
export function drawQualityAgainstTokens(standing: Standing): string {
  const systems = [...standing.ours, ...standing.peers]
  const lines = systems.flatMap((system) => {
    const values = budgets.map(
      (budget) => standing.figure('chroma', system, `evidence in ${budget.toLocaleString('en')} characters`)?.value,
    )
    return values.some((value) => value === undefined) ? [] : [{ system, values: values as number[] }]
  })
  const [width, left, right, top] = [820, 56, 250, 70]
  const height = Math.max(420, top + 60 + lines.length * 15)
  const inner = { width: width - left - right, height: height - top - 50 }
  const all = lines.flatMap(({ values }) => values)
  const [y0, y1] = [Math.floor(Math.min(100, ...all) / 10) * 10, 100]
  const px = (at: number): number => left + (at / (budgets.length - 1)) * inner.width
  const py = (y: number): number => top + (1 - (y - y0) / (y1 - y0)) * inner.height
  const grid = Array.from({ length: (y1 - y0) / 10 + 1 }, (_, at) => y0 + 10 * at).map(
    (level) =>
      `<line class="grid" x1="${left}" x2="${left + inner.width}" y1="${py(level).toFixed(1)}" y2="${py(level).toFixed(1)}"/><text class="quiet" x="${left - 8}" y="${(py(level) + 4).toFixed(1)}" text-anchor="end">${level}</text>`,
  )
  const ticks = budgets.map(
    (budget, at) =>
      `<text class="quiet" x="${px(at).toFixed(1)}" y="${top + inner.height + 18}" text-anchor="middle">${budget / charactersOfToken}</text>`,
  )
  let lowest = Number.NEGATIVE_INFINITY
  const drawn = [...lines]
    .sort((a, b) => b.values.at(-1)! - a.values.at(-1)!)
    .map(({ system, values }) => {
      const kind = standing.ours.includes(system) ? 'ours' : 'other'
      const points = values.map((value, at) => `${px(at).toFixed(1)},${py(value).toFixed(1)}`).join(' ')
      // Labels keep a line's height between them, whatever lies where.
      lowest = Math.max(py(values.at(-1)!) + 4, lowest + 15)
      return `<polyline class="line ${kind}-line" points="${points}"/><text x="${left + inner.width + 10}" y="${lowest.toFixed(1)}">${escapeXml(system)} ${short(values.at(-1)!)}</text>`
    })
    .reverse()
  return page(
    width,
    height,
    'Quality against retrieved tokens',
    `Chroma, test part: evidence, %, in the first 200, 400 and 800 tokens that are read (${charactersOfToken} characters a token)`,
    [...grid, ...ticks, ...drawn],
  )
}

function page(width: number, height: number, title: string, about: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(title)}">
${style}
<rect class="ground" width="${width}" height="${height}" rx="6"/>
<text class="title" x="16" y="26">${escapeXml(title)}</text>
<text class="quiet" x="16" y="45">${escapeXml(about)}</text>
${parts.join('\n')}
</svg>
`
}

function short(value: number): string {
  return value > 1.5 ? value.toFixed(1) : value.toFixed(3)
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
