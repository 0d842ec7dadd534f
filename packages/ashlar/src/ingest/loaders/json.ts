import type { Loader } from '../loader.ts'
import { readText } from '../read-text.ts'

/** Above this a file is not parsed as a whole only to say whether it is valid. */
const checkedLength = 16 * 2 ** 20

/** JSON, kept as it is and cut along its values. A file that is not valid JSON is read all the same, and said. */
export const jsonLoader: Loader = {
  id: 'json/1',
  extensions: ['json', 'geojson', 'jsonld', 'webmanifest'],
  mediaTypes: ['application/json', 'application/ld+json'],
  async load(input) {
    const { text, encoding, notes } = readText(input)
    const broken = text.length <= checkedLength && !isJson(text)
    return {
      text,
      format: 'json',
      encoding,
      loader: jsonLoader.id,
      notes: broken ? [...notes, 'It is not valid JSON, and was read as far as it goes.'] : notes,
    }
  },
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
