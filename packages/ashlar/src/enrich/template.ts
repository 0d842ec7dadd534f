import { AshlarError } from '../error/ashlar-error.ts'
import { canonical } from '../model/identity-key.ts'
import { sha256 } from '../text/sha-256.ts'
import type { EnrichmentKind } from './enrichment.ts'

/**
 * What a model is asked, as data, in any language.
 *
 * Everything before the first placeholder that differs between chunks (`{chunk}`, `{path}`) is the shared part: the same, byte for
 * byte, for all chunks of a document, so that providers can cache it. `{document}` must stand there; `{instructions}` should.
 * A placeholder is a name in braces; `{{name}}` stands for `{name}` itself. What is put in is never searched for placeholders.
 */
export interface EnrichmentTemplate {
  /** The system text; it takes no placeholders. */
  readonly system?: string
  /**
   * The message. Needs `{chunk}` and `{instructions}`, and for contexts `{document}` or `{outline}`; may use `{title}`, `{path}` (the
   * headings above the chunk), and `{outline}` (the document's headings).
   */
  readonly prompt: string
  /** What is asked for each kind: lines that the model is told to begin with `context:`. */
  readonly context?: string
  /** Lines that begin with `question:`, one for each question; may use `{count}`. */
  readonly questions?: string
  /** A line that begins with `keywords:`, the words separated by semicolons; may use `{count}`. */
  readonly keywords?: string
}

/** What every kind of text is marked with in an answer. */
const labels: Readonly<Record<EnrichmentKind, string>> = {
  context: 'context:',
  questions: 'question:',
  keywords: 'keywords:',
}

type Placeholder = 'document' | 'outline' | 'title' | 'instructions' | 'count' | 'chunk' | 'path'

/** A stretch of a template: text to be kept, or the name of what is put there. */
type Piece = string | { readonly name: Placeholder }

/** A template made ready for a request: checked, instructions and counts filled in, and parted where chunks begin to differ. */
export interface PreparedTemplate {
  readonly system: string | undefined
  readonly shared: readonly Piece[]
  readonly own: readonly Piece[]
  /** Whether the answer comes in lines that begin with labels, or is one kind and nothing else. */
  readonly labelled: boolean
  /** Whether the template shows the outline apart from the document. */
  readonly outlineApart: boolean
  /** Hash of everything that the template asks. */
  readonly key: string
}

/** What is put into a prepared template. */
export type Filling = Readonly<Partial<Record<Placeholder, string>>>

const ownNames: readonly Placeholder[] = ['chunk', 'path']
const frameNames: readonly Placeholder[] = ['document', 'outline', 'title', 'instructions', 'chunk', 'path']
const plainNames: readonly Placeholder[] = ['document', 'outline', 'title', 'chunk', 'path', 'count']
const pattern = /\{\{(\w+)\}\}|\{(\w+)\}/g

/**
 * Checks a template and makes it ready for the kinds that are asked for. A bare string asks for one kind in its own words, and the
 * whole answer is taken for it.
 */
export function prepareTemplate(
  template: string | EnrichmentTemplate,
  kinds: readonly EnrichmentKind[],
  counts: { readonly questions: number; readonly keywords: number },
): PreparedTemplate {
  const count = kinds[0] === 'questions' || kinds[0] === 'keywords' ? String(counts[kinds[0]]) : undefined
  const pieces =
    typeof template === 'string'
      ? fillCounts(parse(template, plainPlaceholders(kinds)), count)
      : parse(template.prompt, frameNames).flatMap((piece) =>
          isNamed(piece, 'instructions') ? [instructions(template, kinds, counts)] : [piece],
        )
  const asked = typeof template === 'string' ? template : template.prompt
  const names = placeholders(asked)
  need(names.includes('chunk'), 'A template needs {chunk}: without it the model does not see what it writes about.', asked)
  if (typeof template !== 'string')
    need(
      names.includes('instructions'),
      'A template in parts needs {instructions}: there stands what is asked for each kind.',
      asked,
    )
  if (kinds.includes('context'))
    need(
      names.includes('document') || names.includes('outline'),
      'A template for contexts needs {document} or {outline}: without either the model cannot say where the chunk stands.',
      asked,
    )
  const parting = pieces.findIndex((piece) => typeof piece !== 'string' && ownNames.includes(piece.name))
  const shared = pieces.slice(0, parting)
  const own = pieces.slice(parting)
  const late = own.find((piece) => typeof piece !== 'string' && (piece.name === 'document' || piece.name === 'outline'))
  need(
    late === undefined,
    'In a template, {document} and {outline} must stand before {chunk} and {path}: only what prompts begin with can be cached by providers.',
    asked,
  )
  const system = typeof template === 'string' ? undefined : template.system
  return {
    system,
    shared,
    own,
    labelled: typeof template !== 'string',
    outlineApart: names.includes('outline'),
    key: sha256(canonical({ system, shared, own, kinds }), 128),
  }
}

/** Puts text into the placeholders. */
export function fill(pieces: readonly Piece[], filling: Filling): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : (filling[piece.name] ?? ''))).join('')
}

function plainPlaceholders(kinds: readonly EnrichmentKind[]): readonly Placeholder[] {
  if (kinds.length === 1) return plainNames
  throw new AshlarError(
    'INVALID_TEMPLATE',
    `A template that is one string asks for one kind, not for ${kinds.length} (${kinds.join(', ')}): use a template in parts, such as { ...templates.english, prompt }.`,
    { details: { kinds } },
  )
}

function instructions(
  template: EnrichmentTemplate,
  kinds: readonly EnrichmentKind[],
  counts: { readonly questions: number; readonly keywords: number },
): string {
  return kinds
    .map((kind) => {
      const text = template[kind]
      need(text !== undefined, `The template says nothing about ${kind}, which were asked for.`, template.prompt)
      need(
        text.toLowerCase().includes(labels[kind]),
        `The template must tell the model to begin its ${kind} with "${labels[kind]}": answers are read by that.`,
        text,
      )
      const count = kind === 'context' ? undefined : String(counts[kind])
      return fill(fillCounts(parse(text, kind === 'context' ? [] : ['count']), count), {})
    })
    .join('\n')
}

function fillCounts(pieces: readonly Piece[], count: string | undefined): Piece[] {
  return pieces.map((piece) => (isNamed(piece, 'count') ? (count ?? '') : piece))
}

function isNamed(piece: Piece, name: Placeholder): boolean {
  return typeof piece !== 'string' && piece.name === name
}

function placeholders(text: string): string[] {
  return [...text.matchAll(pattern)].flatMap(([, , name]) => (name === undefined ? [] : [name]))
}

function parse(text: string, allowed: readonly Placeholder[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const found of text.matchAll(pattern)) {
    const [whole, literal, name] = found
    pieces.push(text.slice(at, found.index) + (literal === undefined ? '' : `{${literal}}`))
    at = found.index + whole.length
    if (name === undefined) continue
    const known = allowed.find((one) => one === name)
    if (known === undefined) {
      throw new AshlarError(
        'INVALID_TEMPLATE',
        `A template names {${name}}, which does not exist here. It may use ${allowed.map((one) => `{${one}}`).join(', ') || 'none'}; write {{${name}}} for the text itself.`,
        { details: { placeholder: name, allowed, template: text } },
      )
    }
    pieces.push({ name: known })
  }
  pieces.push(text.slice(at))
  return pieces.filter((piece) => piece !== '')
}

function need(condition: boolean, message: string, template: string): asserts condition {
  if (!condition) throw new AshlarError('INVALID_TEMPLATE', message, { details: { template } })
}
