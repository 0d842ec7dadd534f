import { csv } from '../chunk/csv.ts'
import { json } from '../chunk/json.ts'
import { jsonLines } from '../chunk/json-lines.ts'
import { markdown } from '../chunk/markdown.ts'
import { plain } from '../chunk/plain.ts'
import type { Format } from '../chunk/seam.ts'
import { optionalPackage } from '../model/optional-package.ts'
import type { LoadedFormat } from './loader.ts'

/**
 * The format by which a loaded text is cut. HTML is imported when it is first asked for, since it needs parse5.
 *
 * @throws AshlarError `MISSING_PACKAGE` for HTML without parse5.
 */
export async function formatOf(id: LoadedFormat): Promise<Format> {
  switch (id) {
    case 'plain':
      return plain
    case 'markdown':
      return markdown
    case 'csv':
      return csv()
    case 'json':
      return json
    case 'json-lines':
      return jsonLines
    case 'html':
      return (await optionalPackage('parse5', () => import('../chunk/html.ts'), 'HTML')).html
  }
}
