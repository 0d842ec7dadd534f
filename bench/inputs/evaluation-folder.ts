import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

/** The folder of public evaluation sets: the one named in ASHLAR_EVAL, else `shared/eval` beside the checkout; null without either. */
export function evaluationFolder(): string | null {
  const places = [process.env['ASHLAR_EVAL'], fileURLToPath(new URL('../../../shared/eval', import.meta.url))]
  return places.find((place) => place !== undefined && existsSync(place)) ?? null
}

export interface NamedText {
  readonly name: string
  readonly text: string
}

/** The five corpora of Chroma's chunking evaluation; empty when the folder is not there. */
export function readCorpora(): NamedText[] {
  const folder = evaluationFolder()
  const corpora = folder === null ? '' : join(folder, 'chunking_evaluation', 'corpora')
  if (folder === null || !existsSync(corpora)) return []
  return readdirSync(corpora)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(corpora, name), 'utf8') }))
}

/** The paragraphs of XQuAD in one text for each of its languages (Arabic, Chinese, Thai …); empty when the folder is not there. */
export function readLanguages(): NamedText[] {
  const folder = evaluationFolder()
  const files = folder === null ? '' : join(folder, 'xquad')
  if (folder === null || !existsSync(files)) return []
  return readdirSync(files)
    .filter((name) => name.endsWith('.json.gz'))
    .sort()
    .map((name) => {
      const set = JSON.parse(gunzipSync(readFileSync(join(files, name))).toString('utf8')) as {
        data: { paragraphs: { context: string }[] }[]
      }
      const paragraphs = set.data.flatMap((article) => article.paragraphs.map((paragraph) => paragraph.context))
      return { name: name.split('.')[1]!, text: paragraphs.join('\n\n') }
    })
}

/** The source files behind Anthropic's contextual-retrieval set (Rust, Python, C …), one text each; empty without the folder. */
export function readCode(): NamedText[] {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'anthropic_contextual', 'codebase_chunks.json')
  if (folder === null || !existsSync(file)) return []
  const documents = JSON.parse(readFileSync(file, 'utf8')) as { doc_id: string; content: string }[]
  return documents.map((document) => ({ name: document.doc_id, text: document.content }))
}
