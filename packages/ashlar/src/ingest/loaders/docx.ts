import { damagedFile, tooLargeFile } from '../load-failure.ts'
import type { Loader } from '../loader.ts'
import { isZip, Zip } from '../zip.ts'
import { DocxLabels } from './docx-labels.ts'
import { DocxReader } from './docx-reader.ts'
import { readNumbering, readStyles } from './docx-styles.ts'
import { DocxWriter } from './docx-writer.ts'
import { mainPart, namesPart, officeProperties, relationships } from './office-file.ts'

/**
 * Word documents as markdown with their exact words: headings, lists with their labels, tables, notes, formulas on one line, and the way
 * back to the paragraph. Deleted text, comments, page headers and pictures are left out, and the last three are said.
 */
export const docxLoader: Loader = {
  id: 'docx/1',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  recognises: (bytes) => isZip(bytes) && namesPart(bytes, 'word/document.xml'),
  async load(input, options) {
    const zip = new Zip(input.name, input.bytes, options)
    const main = (await mainPart(zip)) ?? 'word/document.xml'
    const xml = await zip.text(main)
    if (xml === undefined) throw damagedFile(input.name, 'it has no document in it')
    const related = [...(await relationships(zip, main)).values()]
    const part = async (type: string): Promise<string> => {
      const path = related.find((each) => each.type === type)?.path
      return (path === undefined ? undefined : await zip.text(path)) ?? ''
    }
    const check = (): void => {
      if (reader.length > options.limits.textLength)
        throw tooLargeFile(input.name, 'characters of text', options.limits.textLength)
      options.signal?.throwIfAborted()
    }
    const reader = new DocxReader()
    reader.read(xml, check)
    const body = reader.blocks.length
    for (const type of ['footnotes', 'endnotes']) reader.read(await part(type), check)
    const writer = new DocxWriter(readStyles(await part('styles')), new DocxLabels(readNumbering(await part('numbering'))))
    for (const block of reader.blocks.slice(0, body)) writer.block(block)
    for (const [index, id] of reader.references.entries()) writer.note(index + 1, reader.notes.get(id) ?? [])
    const properties = await officeProperties(zip)
    const title = properties.title ?? writer.title
    return {
      text: writer.text,
      format: 'markdown',
      loader: docxLoader.id,
      positions: { kind: 'paragraphs', starts: writer.starts },
      notes: [
        ...(reader.images > 0 ? [`${reader.images} ${reader.images === 1 ? 'picture was' : 'pictures were'} left out.`] : []),
        ...(/<(?:\w+:)?t[ >]/.test(await part('comments')) ? ['Comments were left out.'] : []),
        ...(related.some(({ type }) => type === 'header' || type === 'footer')
          ? ['Headers and footers of pages were left out.']
          : []),
      ],
      ...properties,
      ...(title === undefined ? {} : { title }),
    }
  },
}
