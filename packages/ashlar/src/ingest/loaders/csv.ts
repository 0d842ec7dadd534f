import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

/** CSV, TSV and their like, kept as they are: the delimiter and the header are found when it is cut, lines are the file's lines. */
export const csvLoader: Loader = {
  id: 'csv/1',
  extensions: ['csv', 'tsv', 'tab', 'psv'],
  mediaTypes: ['text/csv', 'text/tab-separated-values'],
  light: true,
  async load(input) {
    const { text, encoding, notes } = readText(input)
    return { text, format: 'csv', encoding, loader: csvLoader.id, notes }
  },
}
