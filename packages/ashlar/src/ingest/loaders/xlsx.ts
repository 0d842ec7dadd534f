import { damagedFile, tooLargeFile } from '../load-failure.ts'
import type { Loader } from '../loader.ts'
import { XmlReader } from '../xml-reader.ts'
import { isZip, Zip } from '../zip.ts'
import { mainPart, namesPart, officeProperties, relationships } from './office-file.ts'
import { SheetText } from './sheet-text.ts'
import { cellFormats, readSheet, sharedStrings, type Workbook } from './xlsx-sheet.ts'

/**
 * Excel workbooks: one section a sheet with its rows as tables, values as they are shown and not as they are kept, and the way back to
 * sheet and cell. Hidden sheets are read and said.
 */
export const xlsxLoader: Loader = {
  id: 'xlsx/1',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  recognises: (bytes) => isZip(bytes) && namesPart(bytes, 'xl/workbook.xml'),
  async load(input, options) {
    const zip = new Zip(input.name, input.bytes, options)
    const main = (await mainPart(zip)) ?? 'xl/workbook.xml'
    const xml = await zip.text(main)
    if (xml === undefined) throw damagedFile(input.name, 'it has no workbook in it')
    const { sheets, from1904 } = readWorkbook(xml)
    const related = await relationships(zip, main)
    const part = async (type: string): Promise<string> => {
      const path = [...related.values()].find((each) => each.type === type)?.path
      return (path === undefined ? undefined : await zip.text(path)) ?? ''
    }
    const workbook: Workbook = {
      name: input.name,
      strings: sharedStrings(await part('sharedStrings')),
      formats: cellFormats(await part('styles')),
      from1904,
      cells: options.limits.cells,
    }
    const text = new SheetText()
    const notes: string[] = []
    let read = 0
    for (const { name, id, hidden } of sheets) {
      options.signal?.throwIfAborted()
      const target = related.get(id)
      const contents = target?.type === 'worksheet' ? await zip.text(target.path) : undefined
      if (contents === undefined) {
        notes.push(
          target?.type === 'chartsheet'
            ? `The sheet ${JSON.stringify(name)} is a chart and was left out.`
            : `The sheet ${JSON.stringify(name)} is missing in the file.`,
        )
        continue
      }
      if (hidden) notes.push(`The sheet ${JSON.stringify(name)} is hidden and was read.`)
      text.add(readSheet(name, hidden, contents, workbook, options))
      read++
      if (text.length > options.limits.textLength) throw tooLargeFile(input.name, 'characters of text', options.limits.textLength)
    }
    if (read === 0) throw damagedFile(input.name, 'none of its sheets can be read')
    return {
      text: text.text,
      format: 'markdown',
      loader: xlsxLoader.id,
      positions: text.positions,
      notes,
      ...(await officeProperties(zip)),
    }
  },
}

interface NamedSheet {
  readonly name: string
  readonly id: string
  readonly hidden: boolean
}

function readWorkbook(xml: string): { readonly sheets: readonly NamedSheet[]; readonly from1904: boolean } {
  const reader = new XmlReader(xml)
  const sheets: NamedSheet[] = []
  let from1904 = false
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event !== 'open') continue
    if (reader.name === 'workbookPr') from1904 = /^(?:1|true)$/.test(reader.attribute('date1904') ?? '')
    else if (reader.name === 'sheet') {
      const state = reader.attribute('state') ?? 'visible'
      sheets.push({ name: reader.attribute('name') ?? '', id: reader.attribute('id') ?? '', hidden: state !== 'visible' })
    }
  }
  return { sheets, from1904 }
}
