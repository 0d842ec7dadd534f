import { readFile, writeFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { citePlace, formatOf, placeOf } from 'ashlar/ingest'
import { loaderPool } from 'ashlar/node'
import { buildTree, type TreePiece } from 'ashlar/tree'
import { chunkPage } from '../chunk-page.ts'
import { CommandError } from '../command-error.ts'
import type { CutDocument } from '../cut-document.ts'
import { type ExitCode, exitCode } from '../exit-code.ts'
import { counted } from '../numbers.ts'
import { safeLine, safeText } from '../safe-text.ts'
import type { Session } from '../session.ts'
import { fitText, textWidth } from '../text-width.ts'
import { wrapText } from '../wrap-text.ts'

export interface ChunkOptions {
  readonly child?: number
  readonly parent?: number
  readonly section?: number
  readonly overlap?: number
  readonly html?: string
}

/** Shows how a file is cut: in colours, as data, or as a page to look at. Needs no library. */
export async function chunk(file: string, options: ChunkOptions, session: Session): Promise<ExitCode> {
  const { terminal, say, give, note } = session
  const documents = await cut(file, options, session)
  for (const { loaded } of documents) for (const one of loaded.notes) note(`note: ${safeLine(one)}`)
  if (options.html !== undefined) {
    const path = resolve(terminal.cwd, options.html)
    await writeFile(path, chunkPage(documents))
    say(`${session.paint('green', '✓')} Wrote ${safeLine(path)}`)
  } else for (const document of documents) show(document, session)
  give(documents.map(plain))
  return exitCode.ok
}

async function cut(file: string, options: ChunkOptions, { terminal }: Session): Promise<readonly CutDocument[]> {
  const fromInput = file === '-'
  const name = fromInput ? 'stdin.txt' : basename(file)
  const bytes = fromInput
    ? await terminal.input.read()
    : await readFile(resolve(terminal.cwd, file)).catch((cause: unknown) => {
        throw new CommandError(`${file} cannot be read: ${(cause as Error).message}.`, 'Check the path.', 'USAGE')
      })
  await using pool = loaderPool({})
  const loaded = await pool.load({ name, bytes }, { signal: terminal.signal })
  const { child, parent, section, overlap } = options
  const sizes = Object.fromEntries(Object.entries({ child, parent, section, overlap }).filter(([, size]) => size !== undefined))
  return Promise.all(
    loaded.map(async (document) => {
      const { text, format, title = '' } = document
      return {
        name,
        loaded: document,
        tree: buildTree(text, { document: name, title, format: await formatOf(format), ...sizes }),
      }
    }),
  )
}

const childColours = ['cyan', 'yellow', 'green', 'magenta'] as const

function show({ name, loaded, tree }: CutDocument, { say, paint, terminal }: Session): void {
  const columns = Math.min(terminal.out.columns, 120)
  const rule = (mark: string, label: string): string => {
    const shown = fitText(`${mark}${mark} ${label} `, columns)
    return shown + mark.repeat(Math.max(0, columns - textWidth(shown)))
  }
  const { sections, parents, children, text } = tree
  say(
    `${paint('bold', safeLine(name))}  ${safeLine(tree.format)}, ${counted(text.length, 'character')}: ${counted(sections.length, 'section')}, ${counted(parents.length, 'parent')}, ${counted(children.length, 'child', 'children')}`,
  )
  for (const [sectionIndex, section] of sections.entries()) {
    const outline = section.outline.map(safeLine).join(' › ')
    say()
    say(paint('bold', rule('━', `section ${sectionIndex + 1}${outline === '' ? '' : `  ${outline}`}`)))
    for (let at = section.first; at < section.after; at++) {
      const parent = parents[at] as TreePiece
      say(paint('dim', rule('─', `parent ${at + 1}  ${parent.start}-${parent.end}`)))
      for (let index = parent.first; index < parent.after; index++) {
        const child = children[index] as TreePiece
        const place = citePlace(placeOf(loaded.positions, text, child.start + child.lead))
        const overlap = child.lead > 0 ? `, ${child.lead} repeated` : ''
        say(
          paint(
            'dim',
            `child ${index + 1}  ${child.start}-${child.end}, ${child.end - child.start} characters, ${safeLine(place)}${overlap}`,
          ),
        )
        const safe = safeText(child.text)
        const colour = childColours[index % childColours.length] ?? 'cyan'
        for (const { start, end } of wrapText(safe, columns - 2)) {
          const repeated = Math.min(Math.max(child.lead - start, 0), end - start)
          const shown = paint('dim', safe.slice(start, start + repeated)) + paint(colour, safe.slice(start + repeated, end))
          say(`${paint(colour, '▏')} ${shown}`)
        }
      }
    }
  }
}

function plain({ name, loaded, tree }: CutDocument): Readonly<Record<string, unknown>> {
  const { text, sections, parents, children, format, title } = tree
  const { encoding, language, loader, notes } = loaded
  return { name, title, format, loader, encoding, language, notes, length: text.length, sections, parents, children }
}
