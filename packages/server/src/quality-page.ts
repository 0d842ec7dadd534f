import type { CitedPiece, DanglingKind, QualityReport } from 'ashlar/evaluation'
import { escapeHtml, htmlPage } from './html-page.ts'
import { count, percent } from './numbers.ts'

/** What each kind of reference lacks, for people. */
export const danglingNames: Readonly<Record<DanglingKind, string>> = {
  pronoun: 'begin with a pronoun',
  before: 'refer to something above',
  after: 'announce what comes next',
  figure: 'name a figure or table elsewhere',
}

/** Everything that `ashlar quality` found, as a page. */
export function qualityPage(report: QualityReport): string {
  const { documents, sizes, orphanHeadings, danglingReferences, nearDuplicates, neverFound } = report
  return htmlPage({
    title: 'Quality of the pieces',
    style,
    body: `<main>
<h1>Quality of the pieces</h1>
<p class="facts">${count(sizes.pieces)} pieces of ${count(documents)} documents</p>
<h2>Sizes</h2>
${histogramSvg(sizes)}
<p class="facts">From ${count(sizes.smallest)} to ${count(sizes.largest)} characters; half have ${count(sizes.median)} or more, nine of ten from ${count(sizes.p5)} to ${count(sizes.p95)}.</p>
${section(
  `${count(orphanHeadings.count)} headings cut off from the text below`,
  orphanHeadings.pieces.map((piece) => item(piece, `${piece.title}${piece.alone ? ', alone' : ''}`)),
)}
${section(
  `${count(danglingReferences.count)} pieces that point to something outside, ${count(danglingReferences.unresolved)} of them to something outside of their parents too`,
  danglingReferences.pieces.map((piece) =>
    item(piece, `“${piece.words}”: ${danglingNames[piece.kind]}${piece.inParent ? ' (in the parent)' : ''}`),
  ),
)}
${section(
  `${count(nearDuplicates.pieces)} pieces that say nearly the same as others, in ${count(nearDuplicates.count)} groups`,
  nearDuplicates.groups.map(({ pieces, count: number, likeness }) => {
    const [first, ...others] = pieces
    const places = others.map(({ citation }) => citation).join('; ')
    return first === undefined ? '' : item(first, `${count(number)} times, ${percent(likeness)} alike; also ${places}`)
  }),
)}
${section(
  `${count(neverFound.count)} of ${count(neverFound.asked)} pieces that ${count(neverFound.questions)} questions made from them did not find among ${count(neverFound.hits)} hits`,
  neverFound.pieces.map((piece) => item(piece, `asked: ${piece.questions.join(' / ')}`)),
)}
</main>`,
  })
}

function section(title: string, items: readonly string[]): string {
  return `<section><h2>${escapeHtml(title)}</h2>${items.length === 0 ? '' : `<ul>${items.join('\n')}</ul>`}</section>`
}

function item({ citation, excerpt }: CitedPiece, about: string): string {
  return `<li><b>${escapeHtml(citation)}</b> <span>${escapeHtml(about)}</span><blockquote>${escapeHtml(excerpt)}</blockquote></li>`
}

function histogramSvg({ histogram }: QualityReport['sizes']): string {
  const most = Math.max(1, ...histogram.map(({ pieces }) => pieces))
  const [width, height, row] = [640, 22 * histogram.length, 22]
  const bars = histogram.map(({ from, to, pieces }, at) => {
    const y = at * row
    const length = Math.round((440 * pieces) / most)
    return `<text x="110" y="${y + 15}" text-anchor="end">${count(from)}-${count(to - 1)}</text><rect x="120" y="${y + 3}" width="${length}" height="16"/><text x="${126 + length}" y="${y + 15}">${pieces === 0 ? '' : count(pieces)}</text>`
  })
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="How many pieces have how many characters">${bars.join('')}</svg>`
}

const style = `
h2 { font-size: 1rem; margin: 1.6rem 0 .4rem }
svg { width: 100%; max-width: 40rem; font-size: 12px; fill: var(--ink) } rect { fill: var(--on) }
ul { padding-left: 1.2rem } li { margin: .5rem 0 } li span { color: var(--dim) }
blockquote { margin: .2rem 0; padding-left: .7rem; border-left: 3px solid var(--line); overflow-wrap: anywhere }
`
