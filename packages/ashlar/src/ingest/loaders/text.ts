import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

/** Plain text and everything that is written like it: notes, logs, code, settings. Lines of the text are lines of the file. */
export const textLoader: Loader = {
  id: 'text/1',
  // Files without an extension and with one that nobody claims come here as well.
  extensions: ['txt', 'text', 'log'],
  mediaTypes: ['text/plain'],
  light: true,
  async load(input) {
    const { text, encoding, notes } = readText(input)
    return { text, format: 'plain', encoding, loader: textLoader.id, notes }
  },
}
