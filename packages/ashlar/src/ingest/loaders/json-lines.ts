import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

/** JSON Lines, kept as it is: one value a line, cut between lines first. */
export const jsonLinesLoader: Loader = {
  id: 'json-lines/1',
  extensions: ['jsonl', 'ndjson', 'jsonlines'],
  mediaTypes: ['application/jsonl', 'application/x-ndjson', 'application/ndjson'],
  light: true,
  async load(input) {
    const { text, encoding, notes } = readText(input)
    return { text, format: 'json-lines', encoding, loader: jsonLinesLoader.id, notes }
  },
}
