import { isWithin } from '../text/count.ts'
import type { Counter } from '../text/counter.ts'
import type { Tree, TreePiece } from './tree.ts'

/** What the structure of a document says about one of its pieces; nothing of it stands in the piece's own text. */
export interface StructuralContext {
  /** Title of the document and of the headings above, outermost first, none twice in a row. */
  readonly path: readonly string[]
  /** The line that introduces the table which the piece continues; empty where there is none. */
  readonly caption: string
  /** The header of that table; empty where there is none. */
  readonly header: string
}

/** The most characters a caption may have; a longer line before a table is a paragraph. */
const longestCaption = 200

/** What stands around a piece and says what it is about: free, and the same every time. */
export function structuralContext(tree: Tree, piece: TreePiece): StructuralContext {
  const titles = tree.title === '' ? piece.outline : [tree.title, ...piece.outline]
  const path = titles.filter((title, index) => title !== '' && title !== titles[index - 1])
  // A piece that begins with its heading says it itself.
  const text = piece.text.trimStart()
  const last = path.at(-1)
  if (last !== undefined && text.slice(0, text.indexOf('\n') + 1 || text.length).includes(last)) path.pop()
  if (piece.header === undefined) return { path, caption: '', header: '' }
  const header = tree.text.slice(piece.header.start, piece.header.end).trim()
  return { path, caption: captionBefore(tree.text, piece.header.start), header }
}

/** How {@link embeddingText} joins context and text. */
export interface EmbeddingTextOptions {
  /**
   * The most the result may count: the embedder's `identity.maxTokens`. Context gives way until it fits, outermost titles first; the
   * piece's own text is never shortened, so a piece that is too long alone stays so, and the embedder refuses it.
   * @default no limit
   */
  readonly limit?: number
  /** What `limit` is counted with: the embedder's `counter`. Needed with `limit`. */
  readonly counter?: Counter
}

/**
 * What is embedded for a piece: its structural context and its text, joined on demand. The piece itself stays verbatim.
 * (`enrichedText` of `ashlar/enrich` joins what a model wrote as well.)
 *
 * @example
 * const tree = buildTree('# Walls\n\nStone on stone.\n', { format: markdown, title: 'Handbook' })
 * console.log(JSON.stringify(embeddingText(tree, tree.children[0]!)))
 * // => "Handbook\n\n# Walls\n\nStone on stone."
 */
export function embeddingText(tree: Tree, piece: TreePiece, options: EmbeddingTextOptions = {}): string {
  const { limit, counter } = options
  const { path, caption, header } = structuralContext(tree, piece)
  const text = piece.text.trim()
  let parts = [path.join(' > '), caption, header, text]
  if (limit === undefined || counter === undefined) return join(parts)
  for (let dropped = 1; !isWithin(join(parts), limit, counter); dropped++) {
    const rest = path.slice(dropped).join(' > ')
    if (rest !== '') parts = [rest, ...parts.slice(1)]
    else if (parts.some((part, index) => index < 3 && part !== '')) {
      const first = parts.findIndex((part) => part !== '')
      parts = parts.with(first, '')
    } else break
  }
  return join(parts)
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The one line that stands directly before a table and introduces it: it ends in a colon, or begins as captions do. */
function captionBefore(text: string, table: number): string {
  const before = text.slice(Math.max(0, table - longestCaption - 4), table).trimEnd()
  const element = /<caption\b[^<>]{0,80}>([^<>]{1,200})<\/caption\s*>$/i.exec(before)?.[1]
  if (element !== undefined) return element.trim()
  const line = before.slice(before.lastIndexOf('\n') + 1).trim()
  if (line === before && table > longestCaption + 4) return ''
  return /[:：]$/.test(line) || /^(?:\*{0,2}|_?)(?:Tab(?:le|elle|leau|la|ella|ela|\.)|表|Таблица)\b/iu.test(line) ? line : ''
}
