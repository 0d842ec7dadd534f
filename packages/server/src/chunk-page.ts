import { citePlace, placeOf } from 'ashlar/ingest'
import type { TreePiece } from 'ashlar/tree'
import type { CutDocument } from './cut-document.ts'
import { escapeHtml, htmlPage } from './html-page.ts'

/**
 * A page that shows a document with its cuts: children in turn of colour inside parents inside sections. Choosing a child, with the mouse
 * or the keyboard, says where it stands and what is repeated in it. One file, nothing is fetched, light and dark.
 */
export function chunkPage(documents: readonly CutDocument[]): string {
  return htmlPage({
    title: `${documents[0]?.name ?? 'Cuts'}: cuts`,
    style,
    script,
    body: `<main>
${documents.map(documentHtml).join('\n')}
</main>
<aside aria-live="polite" aria-label="The chosen piece"><p>Choose a piece with the mouse, Tab or the arrow keys.</p></aside>`,
  })
}

function documentHtml({ name, loaded, tree }: CutDocument): string {
  const { sections, parents, children, text, format } = tree
  const childHtml = (index: number): string => {
    const child = children[index] as TreePiece
    const own = text.slice(child.start + child.lead, child.end)
    const facts = {
      label: `Child ${index + 1}`,
      place: citePlace(placeOf(loaded.positions, text, child.start + child.lead)),
      offsets: `${child.start}-${child.end}`,
      length: String(child.end - child.start),
      outline: child.outline.join(' › '),
      parent: String(child.above + 1),
      lead: text.slice(child.start, child.start + child.lead),
      id: child.id,
    }
    const data = Object.entries(facts).map(([key, value]) => `data-${key}="${escapeHtml(value)}"`)
    const mark = child.lead > 0 ? '<i class="lead" title="repeats the end of the piece before">⟲</i>' : ''
    return `<span class="child c${index % 4}" tabindex="-1" role="button" aria-label="${facts.label}" ${data.join(' ')}>${mark}${escapeHtml(own)}</span>`
  }
  const range = (from: number, to: number, make: (index: number) => string): string =>
    Array.from({ length: to - from }, (_, at) => make(from + at)).join('')
  const parentHtml = (index: number): string => {
    const parent = parents[index] as TreePiece
    return `<div class="parent" data-name="parent ${index + 1}">${range(parent.first, parent.after, childHtml)}</div>`
  }
  const sectionHtml = (index: number): string => {
    const section = sections[index] as TreePiece
    const outline = section.outline.length > 0 ? `: ${escapeHtml(section.outline.join(' › '))}` : ''
    return `<section><h2>Section ${index + 1}${outline}</h2>${range(section.first, section.after, parentHtml)}</section>`
  }
  return `<article>
<h1>${escapeHtml(name)}</h1>
<p class="facts">${escapeHtml(format)}, ${text.length} characters, ${sections.length} sections, ${parents.length} parents, ${children.length} children</p>
${range(0, sections.length, sectionHtml)}
</article>`
}

const style = `
:root { --c0: #dcebf7; --c1: #f7ecd0; --c2: #dff1dc; --c3: #f1dff0 }
@media (prefers-color-scheme: dark) { :root { --c0: #1d3447; --c1: #423613; --c2: #1f3a20; --c3: #412540 } }
body { display: grid; grid-template-columns: minmax(0, 1fr) 20rem }
aside { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem; border-left: 1px solid var(--line) }
h2 { font-size: .85rem; font-weight: 600; color: var(--dim); margin: 1.5rem 0 .4rem }
.parent { white-space: pre-wrap; overflow-wrap: anywhere; border-left: 3px solid var(--line); padding-left: .8rem; margin: .35rem 0;
  font-family: ui-monospace, monospace; font-size: .85rem }
.child { cursor: pointer; border-radius: 2px; box-decoration-break: clone; -webkit-box-decoration-break: clone; padding: .1em 0 }
.c0 { background: var(--c0) } .c1 { background: var(--c1) } .c2 { background: var(--c2) } .c3 { background: var(--c3) }
.child:hover, .child:focus, .child.on { outline: 2px solid var(--on); outline-offset: 1px }
.lead { font-style: normal; color: var(--on) }
dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem .8rem; margin: 0 } dt { color: var(--dim) } dd { margin: 0; overflow-wrap: anywhere }
pre { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px dashed var(--line); padding: .5rem; font-size: .8rem }
@media (max-width: 50rem) { body { display: block } aside { position: sticky; bottom: 0; top: auto; height: auto; max-height: 40vh; border-left: 0;
  border-top: 1px solid var(--line); background: var(--paper) } }
`

const script = `
const pieces = [...document.querySelectorAll('.child')]
const panel = document.querySelector('aside')
const names = { label: 'Piece', place: 'Place', offsets: 'Offsets', length: 'Characters', outline: 'Under', parent: 'Parent', id: 'Id' }
function choose(index, focus) {
  const piece = pieces[index]
  if (!piece) return
  for (const one of pieces) { one.classList.remove('on'); one.tabIndex = -1 }
  piece.classList.add('on')
  piece.tabIndex = 0
  if (focus) { piece.focus({ preventScroll: true }); piece.scrollIntoView({ block: 'nearest' }) }
  const list = document.createElement('dl')
  for (const [key, name] of Object.entries(names)) {
    if (!piece.dataset[key]) continue
    const term = document.createElement('dt'); term.textContent = name
    const value = document.createElement('dd'); value.textContent = piece.dataset[key]
    list.append(term, value)
  }
  panel.replaceChildren(list)
  if (piece.dataset.lead) {
    const label = document.createElement('p'); label.textContent = 'Repeated from the piece before:'
    const text = document.createElement('pre'); text.textContent = piece.dataset.lead
    panel.append(label, text)
  }
}
let chosen = 0
if (pieces[0]) pieces[0].tabIndex = 0
pieces.forEach((piece, index) => {
  piece.addEventListener('mouseenter', () => choose(index, false))
  piece.addEventListener('focus', () => { chosen = index; choose(index, false) })
  piece.addEventListener('click', () => { chosen = index; choose(index, true) })
})
document.addEventListener('keydown', (event) => {
  const steps = { ArrowDown: 1, ArrowRight: 1, j: 1, ArrowUp: -1, ArrowLeft: -1, k: -1, Home: -pieces.length, End: pieces.length }
  const step = steps[event.key]
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  chosen = Math.min(pieces.length - 1, Math.max(0, chosen + step))
  choose(chosen, true)
})
`
