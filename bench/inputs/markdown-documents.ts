import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NamedText } from './evaluation-folder.ts'

/**
 * The README files under node_modules, sorted by name, each content once: what people in this ecosystem really write.
 *
 * Which ones there are depends on what is installed, so a bench that uses them says how many it found.
 */
export function readReadmes(smallest = 0, largest = Number.POSITIVE_INFINITY): NamedText[] {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const seen = new Set<string>()
  const found: NamedText[] = []
  for (const folder of ['node_modules', join('bench', 'peers', 'node_modules')]) {
    for (const path of listFiles(join(root, folder))) {
      if (!/(^|[\\/])readme[^\\/]*\.(md|markdown)$/i.test(path)) continue
      const text = readFileSync(join(root, folder, path), 'utf8')
      if (text.length < smallest || text.length > largest || seen.has(text)) continue
      seen.add(text)
      found.push({ name: join(folder, path), text })
    }
  }
  return found
}

function listFiles(folder: string): string[] {
  try {
    return (readdirSync(folder, { recursive: true }) as string[]).sort()
  } catch {
    return []
  }
}
