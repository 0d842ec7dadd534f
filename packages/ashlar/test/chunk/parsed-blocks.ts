import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { html } from '../../src/chunk/html.ts'
import { checkSeams } from './check-seams.ts'

const blocks = new Set(
  (
    'address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table tbody td tfoot th ' +
    'thead tr ul xmp'
  ).split(' '),
)
const units = new Set('dd dir dl dt li listing math menu ol pre script style svg table template tr ul xmp'.split(' '))
const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/** The blocks and units of a text as parse5's full tree has them: start, name and, for units, end. */
export function parsedBlocks(text: string): string[] {
  const found: { start: number; line: string }[] = []
  // A list of nodes to visit, not recursion: real documents nest deeper than the call stack.
  const nodes: DefaultTreeAdapterTypes.Node[] = [parse(text, { sourceCodeLocationInfo: true, scriptingEnabled: false })]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if ('content' in node) nodes.push(node.content)
    if ('childNodes' in node) for (const child of node.childNodes) nodes.push(child)
    if (!('tagName' in node) || !node.sourceCodeLocation) continue
    const { tagName, namespaceURI, sourceCodeLocation, parentNode } = node
    const isHtml = namespaceURI === htmlNamespace
    const outermost = parentNode !== null && 'namespaceURI' in parentNode && parentNode.namespaceURI === htmlNamespace
    if (isHtml ? !blocks.has(tagName) && !units.has(tagName) : !outermost) continue
    const { startOffset, endOffset } = sourceCodeLocation
    found.push({ start: startOffset, line: describe(startOffset, tagName, endOffset) })
  }
  return found.sort((one, other) => one.start - other.start).map(({ line }) => line)
}

/** The same from the seams. */
export function seamBlocks(text: string): string[] {
  const lines: string[] = []
  for (const { at, end, kind } of checkSeams(html, text)) {
    if (kind === 'tag' || kind === 'text' || kind === 'comment') continue
    const name = /^<([a-z]+[1-6]?)/i.exec(text.slice(at, at + 16))?.[1]?.toLowerCase() ?? ''
    if (blocks.has(name) || units.has(name)) lines.push(describe(at, name, end))
  }
  return lines
}

function describe(start: number, name: string, end: number | undefined): string {
  return units.has(name) ? `${start}-${end} ${name}` : `${start} ${name}`
}
