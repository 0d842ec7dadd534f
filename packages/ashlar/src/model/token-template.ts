import { unsupported } from '../text/tokenizer-json.ts'

/** What a model reads: token ids, the segment each belongs to, and where the first text's own tokens begin. */
export interface ModelInput {
  readonly ids: readonly number[]
  readonly segments: readonly number[]
  readonly first: number
}

/** Puts a model's special tokens (`[CLS]`, `[SEP]`) around the tokens of one text or of two. */
export interface TokenTemplate {
  one(ids: readonly number[]): ModelInput
  two(left: readonly number[], right: readonly number[]): ModelInput
}

/** A special token, or the place of the first text (`A`) or the second (`B`). */
type Part = { readonly id: number; readonly segment: number } | { readonly text: 'A' | 'B'; readonly segment: number }

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the template from the `post_processor` of a `tokenizer.json`.
 *
 * @throws AshlarError `UNSUPPORTED_TOKENIZER` for a post-processor that is not known.
 */
export function tokenTemplate(postProcessor: unknown): TokenTemplate {
  const { single, pair } = readParts(postProcessor) ?? {
    single: [{ text: 'A', segment: 0 }],
    pair: [
      { text: 'A', segment: 0 },
      { text: 'B', segment: 0 },
    ],
  }
  return { one: (ids) => fill(single, ids, []), two: (left, right) => fill(pair, left, right) }
}

function fill(parts: readonly Part[], left: readonly number[], right: readonly number[]): ModelInput {
  const ids: number[] = []
  const segments: number[] = []
  let first = 0
  for (const part of parts) {
    if ('text' in part) {
      if (part.text === 'A') first = ids.length
      for (const id of part.text === 'A' ? left : right) {
        ids.push(id)
        segments.push(part.segment)
      }
    } else {
      ids.push(part.id)
      segments.push(part.segment)
    }
  }
  return { ids, segments, first }
}

interface Parts {
  readonly single: readonly Part[]
  readonly pair: readonly Part[]
}

function readParts(postProcessor: unknown): Parts | undefined {
  if (postProcessor === undefined || postProcessor === null) return undefined
  const processor = postProcessor as Fields
  switch (processor['type']) {
    case 'ByteLevel':
      return undefined
    case 'Sequence':
      return (processor['processors'] as readonly unknown[]).map(readParts).find((parts) => parts !== undefined)
    case 'TemplateProcessing':
      return { single: readTemplate(processor, 'single'), pair: readTemplate(processor, 'pair') }
    case 'BertProcessing':
    case 'RobertaProcessing': {
      const isBert = processor['type'] === 'BertProcessing'
      const opening = { id: tokenId(processor, 'cls'), segment: 0 }
      const closing = { id: tokenId(processor, 'sep'), segment: 0 }
      const single: Part[] = [opening, { text: 'A', segment: 0 }, closing]
      const second: Part[] = isBert
        ? [
            { text: 'B', segment: 1 },
            { ...closing, segment: 1 },
          ]
        : [closing, { text: 'B', segment: 0 }, closing]
      return { single, pair: [...single, ...second] }
    }
    default:
      throw unsupported(
        `has the post-processor ${String(processor['type'])}, which is not known here`,
        'Use a model whose tokenizer.json has a post-processor of BERT’s or RoBERTa’s kind or a template.',
        { details: { type: processor['type'] } },
      )
  }
}

/** `cls` and `sep` are written as pairs of content and id. */
function tokenId(processor: Fields, name: string): number {
  const [, id] = (processor[name] ?? []) as readonly unknown[]
  if (typeof id !== 'number') throw damaged(`no id for ${name}`)
  return id
}

function readTemplate(processor: Fields, name: 'single' | 'pair'): Part[] {
  const special = (processor['special_tokens'] ?? {}) as Readonly<Record<string, { readonly ids?: readonly number[] }>>
  const items = processor[name] as readonly Readonly<Record<string, { readonly id: string; readonly type_id?: number }>>[]
  if (!Array.isArray(items)) throw damaged(`no template for a ${name}`)
  return items.flatMap((item): Part[] => {
    const { Sequence: sequence, SpecialToken: token } = item
    if (sequence !== undefined) return [{ text: sequence.id === 'B' ? 'B' : 'A', segment: sequence.type_id ?? 0 }]
    const ids = token === undefined ? undefined : special[token.id]?.ids
    if (token === undefined || ids === undefined) throw damaged(`no ids for ${token?.id ?? 'a part of its template'}`)
    return ids.map((id) => ({ id, segment: token.type_id ?? 0 }))
  })
}

function damaged(what: string): Error {
  return unsupported(`has a post-processor with ${what}`, 'Fetch the file again from where the model comes from.')
}
