import type { Asked, ComparisonReport, Corpus, DocumentSpan, Estimate, Question } from 'ashlar/evaluation'
import { type DifferingQuestion, differingQuestions } from './differing-questions.ts'
import { escapeHtml, htmlPage } from './html-page.ts'
import { count, counted, duration, money, percent, points } from './numbers.ts'

const mostQuestions = 200
const longestQuote = 400

/** What an evaluation found, as a page: what to take, how sure that is, what it costs, and the questions to judge it by oneself. */
export function evalPage(report: ComparisonReport, questions: readonly Question[], corpus: Corpus): string {
  const { results, comparisons, hits, tokens } = report
  const differing = differingQuestions(report)
  const of = corpus.documents.length === corpus.all.documents ? '' : ` of ${count(corpus.all.documents)}`
  return htmlPage({
    title: 'Evaluation',
    style,
    body: `<main>
<h1>Evaluation</h1>
<p class="facts">${counted(questions.length, 'question')} about ${count(corpus.documents.length)}${of} documents, ${count(corpus.characters)} characters</p>
${comparisons.map(({ recommendation }) => `<p class="advice">${escapeHtml(recommendation)}</p>`).join('\n')}
<h2>Results</h2>
${resultsTable(report)}
<h2>Evidence found</h2>
${intervalPlot(
  results.flatMap(({ name, evaluation }) => [
    { label: name, note: `${hits} hits`, estimate: evaluation.completeness },
    { label: '', note: `${count(tokens)} tokens`, estimate: evaluation.withinTokens },
  ]),
  [0, 1],
)}
${
  comparisons.length === 0
    ? ''
    : `<h2>Difference from ${escapeHtml(comparisons[0]?.first ?? '')}</h2>
${intervalPlot(
  comparisons.flatMap(({ second, completeness, withinTokens }) => [
    { label: second, note: `${hits} hits`, estimate: completeness.difference },
    { label: '', note: `${count(tokens)} tokens`, estimate: withinTokens.difference },
  ]),
  differenceRange(report),
)}`
}
${results.length < 2 ? '' : `<h2>Evidence found and text read</h2>\n${costPlot(report)}`}
<h2>By kind of question</h2>
${kindsTable(report)}
<h2>${results.length < 2 ? 'Questions that found not all' : 'Questions that differ'}</h2>
<p class="facts">${count(Math.min(differing.length, mostQuestions))} of ${count(differing.length)}, ${results.length < 2 ? 'those that found least first' : 'those that differ most first'}</p>
${differing
  .slice(0, mostQuestions)
  .map((one) => questionHtml(one, report, corpus))
  .join('\n')}
</main>`,
  })
}

function resultsTable({ results, comparisons, hits, tokens }: ComparisonReport): string {
  const head = [
    '',
    `evidence in ${hits} hits`,
    `in ${count(tokens)} tokens`,
    'MRR',
    'tokens read',
    'search',
    'p95',
    'pieces',
    'indexing',
    'tokens',
    'cost',
    'difference',
    'sign test',
  ]
  const rows = results.map(({ name, index, evaluation }, at) => {
    const comparison = comparisons[at - 1]
    return [
      name,
      shares(evaluation.completeness),
      shares(evaluation.withinTokens),
      evaluation.reciprocalRank.mean.toFixed(3),
      count(evaluation.tokens),
      duration(evaluation.milliseconds.median),
      duration(evaluation.milliseconds.p95),
      index === undefined ? '' : count(index.pieces),
      index === undefined ? '' : duration(index.milliseconds),
      index === undefined ? '' : count(index.usage.inputTokens + index.usage.outputTokens),
      index?.money === undefined ? '' : money(index.money),
      comparison === undefined ? '' : points(comparison.completeness.difference),
      comparison === undefined ? '' : `p = ${Number(comparison.completeness.p.toPrecision(2))}`,
    ]
  })
  const used = head.map((_, at) => at === 0 || rows.some((row) => row[at] !== ''))
  const line = (cells: readonly string[], tag: string): string =>
    `<tr>${cells
      .filter((_, at) => used[at])
      .map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`)
      .join('')}</tr>`
  return `<div class="wide"><table>${line(head, 'th')}${rows.map((row) => line(row, 'td')).join('')}</table></div>`
}

function shares({ mean, low, high }: Estimate): string {
  return `${(100 * mean).toFixed(1)} % (${(100 * low).toFixed(1)}-${(100 * high).toFixed(1)})`
}

interface PlotRow {
  readonly label: string
  readonly note: string
  readonly estimate: Estimate
}

/** Means as dots in their intervals, one row each, over a scale of points. */
function intervalPlot(rows: readonly PlotRow[], [from, to]: readonly [number, number]): string {
  const [left, right, row] = [250, 620, 26]
  const height = rows.length * row + 30
  const x = (value: number): string => (left + ((value - from) / (to - from)) * (right - left)).toFixed(1)
  const ticks = Array.from({ length: 5 }, (_, at) => from + ((to - from) * at) / 4)
  const scale = ticks.map(
    (tick) =>
      `<line class="tick" x1="${x(tick)}" y1="0" x2="${x(tick)}" y2="${height - 22}"/><text x="${x(tick)}" y="${height - 6}" text-anchor="middle">${(100 * tick).toFixed(0)}</text>`,
  )
  const zero = from < 0 ? `<line class="zero" x1="${x(0)}" y1="0" x2="${x(0)}" y2="${height - 22}"/>` : ''
  const dots = rows.map(({ label, note, estimate: { mean, low, high } }, at) => {
    const y = at * row + 14
    const title = `<title>${escapeHtml(`${label} ${note}`)}: ${(100 * mean).toFixed(1)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})</title>`
    return `<g>${title}<text x="0" y="${y + 4}">${escapeHtml(short(label))}</text><text class="dim" x="${left - 12}" y="${y + 4}" text-anchor="end">${escapeHtml(note)}</text><line class="range" x1="${x(low)}" y1="${y}" x2="${x(high)}" y2="${y}"/><circle cx="${x(mean)}" cy="${y}" r="4.5"/></g>`
  })
  return `<svg viewBox="0 0 640 ${height}" role="img" aria-label="Means with 95 % intervals, in points">${scale.join('')}${zero}${dots.join('')}</svg>`
}

function differenceRange({ comparisons }: ComparisonReport): readonly [number, number] {
  const ends = comparisons
    .flatMap(({ completeness, withinTokens }) => [completeness.difference, withinTokens.difference])
    .flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)])
  const most = Math.max(0.04, Math.ceil(Math.max(...ends) * 25) / 25)
  return [-most, most]
}

/** Each configuration by what it gives to read and how much of the evidence is in it. */
function costPlot({ results, hits }: ComparisonReport): string {
  const most = Math.max(...results.map(({ evaluation }) => evaluation.tokens)) * 1.15
  const least = Math.min(...results.map(({ evaluation }) => evaluation.completeness.low), 0.9)
  const x = (tokens: number): number => 50 + (tokens / most) * 560
  const y = (share: number): number => 250 - ((share - least) / (1 - least)) * 230
  const scale = Array.from({ length: 5 }, (_, at) => {
    const share = least + ((1 - least) * at) / 4
    const tokens = (most * at) / 4
    return `<line class="tick" x1="50" y1="${y(share).toFixed(1)}" x2="610" y2="${y(share).toFixed(1)}"/><text x="44" y="${(y(share) + 4).toFixed(1)}" text-anchor="end">${(100 * share).toFixed(0)} %</text><text x="${x(tokens).toFixed(1)}" y="268" text-anchor="middle">${count(tokens)}</text>`
  })
  const dots = results.map(({ name, evaluation: { tokens, completeness } }) => {
    const [cx, cy] = [x(tokens).toFixed(1), y(completeness.mean).toFixed(1)]
    const isRight = x(tokens) > 430
    return `<g><line class="range" x1="${cx}" y1="${y(completeness.low).toFixed(1)}" x2="${cx}" y2="${y(completeness.high).toFixed(1)}"/><circle cx="${cx}" cy="${cy}" r="5"/><text x="${(x(tokens) + (isRight ? -10 : 10)).toFixed(1)}" y="${(y(completeness.mean) + 4).toFixed(1)}" text-anchor="${isRight ? 'end' : 'start'}">${escapeHtml(short(name))}</text></g>`
  })
  return `<svg viewBox="0 0 640 290" role="img" aria-label="Evidence in ${hits} hits against tokens read">${scale.join('')}${dots.join('')}<text x="330" y="286" text-anchor="middle">tokens read for a question</text></svg>`
}

function kindsTable({ results }: ComparisonReport): string {
  const kinds = Map.groupBy(results[0]?.evaluation.asked ?? [], ({ question }) => question.kind)
  const mean = (asked: readonly Asked[], kind: string): string => {
    const own = asked.filter(({ question }) => question.kind === kind)
    return percent(own.reduce((sum, { completeness }) => sum + completeness, 0) / own.length)
  }
  const rows = Array.from(
    kinds,
    ([kind, own]) =>
      `<tr><td>${kind}</td><td>${count(own.length)}</td>${results.map(({ evaluation }) => `<td>${mean(evaluation.asked, kind)}</td>`).join('')}</tr>`,
  )
  return `<div class="wide"><table><tr><th></th><th>questions</th>${results.map(({ name }) => `<th>${escapeHtml(name)}</th>`).join('')}</tr>${rows.join('')}</table></div>`
}

function questionHtml({ question, asked, scores }: DifferingQuestion, { results }: ComparisonReport, corpus: Corpus): string {
  const found = asked.map(({ found: hits }, at) => {
    const items = hits.map(
      ({ citation, share }) =>
        `<li${share > 0 ? ' class="gold"' : ''}>${escapeHtml(citation)}${share > 0 ? ` (${percent(share)} of the evidence)` : ''}</li>`,
    )
    return `<div><h3>${escapeHtml(results[at]?.name ?? '')}: ${percent(scores[at] ?? 0)}</h3><ol>${items.join('')}</ol></div>`
  })
  return `<details><summary><b>${scores.map(percent).join(' | ')}</b> ${escapeHtml(question.text)} <span>${question.kind}</span></summary>
${question.gold.map((span) => `<blockquote>${escapeHtml(quoted(span, corpus))}<footer>${escapeHtml(span.document)}</footer></blockquote>`).join('')}
<div class="sides">${found.join('')}</div></details>`
}

function quoted({ document, start, end }: DocumentSpan, { documents }: Corpus): string {
  const text = documents.find(({ id }) => id === document)?.text.slice(start, end) ?? ''
  return text.length > longestQuote ? `${text.slice(0, longestQuote)} …` : text
}

function short(name: string): string {
  return name.length > 26 ? `${name.slice(0, 25)}…` : name
}

const style = `
main { max-width: 62rem; margin: 0 auto }
h2 { font-size: 1.05rem; margin: 2rem 0 .5rem } h3 { font-size: .9rem; margin: .4rem 0 }
.advice { border-left: 4px solid var(--on); padding: .2rem .9rem; font-size: 1.05rem }
.wide { overflow-x: auto } table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .3rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap }
th:first-child, td:first-child { text-align: left } th { font-weight: 600; color: var(--dim) }
svg { width: 100%; max-width: 46rem; font-size: 12px; fill: var(--ink) } svg .dim { fill: var(--dim) }
circle { fill: var(--on) } .range { stroke: var(--on); stroke-width: 2.5; opacity: .55 } .tick { stroke: var(--line); stroke-width: .6 } .zero { stroke: var(--ink); stroke-width: 1.2 }
details { border-bottom: 1px solid var(--line); padding: .45rem 0 } summary { cursor: pointer; overflow-wrap: anywhere } summary span { color: var(--dim) }
blockquote { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; font-size: .9rem } footer { color: var(--dim) }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: 1rem; font-size: .88rem } ol { margin: 0; padding-left: 1.4rem } .gold { font-weight: 600; color: var(--on) }
`
