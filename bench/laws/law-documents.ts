import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from '../inputs/evaluation-folder.ts'

/** One real file, decoded as UTF-8. */
export interface LawDocument {
  readonly path: string
  readonly text: string
}

const wanted = /\.(?:md|html|txt|json|csv|jsonl|tsv)(?:\.gz)?$/

/** Every text file under node_modules and, where it is there, the evaluation data, each content once. */
export function* lawDocuments(): Generator<LawDocument> {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const seen = new Set<string>()
  const evaluation = evaluationFolder()
  for (const folder of [join(root, 'node_modules'), ...(evaluation === null ? [] : [evaluation])]) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !wanted.test(entry.name)) continue
      const path = join(entry.parentPath, entry.name)
      const bytes = readFileSync(path)
      const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      if (seen.has(text)) continue
      seen.add(text)
      yield { path: relative(root, path).replace(/\.gz$/, ''), text }
    }
  }
}
