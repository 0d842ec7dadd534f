import type { Loader } from './loader.ts'
import { csvLoader } from './loaders/csv.ts'
import { docxLoader } from './loaders/docx.ts'
import { htmlLoader } from './loaders/html.ts'
import { jsonLoader } from './loaders/json.ts'
import { jsonLinesLoader } from './loaders/json-lines.ts'
import { markdownLoader } from './loaders/markdown.ts'
import { notebookLoader } from './loaders/notebook.ts'
import { pdfLoader } from './loaders/pdf.ts'
import { textLoader } from './loaders/text.ts'
import { xlsxLoader } from './loaders/xlsx.ts'

/** Every loader of the library. A file that none of them claims is read as text, if it is text. */
export const defaultLoaders: readonly Loader[] = [
  markdownLoader,
  htmlLoader,
  pdfLoader,
  docxLoader,
  xlsxLoader,
  csvLoader,
  jsonLoader,
  jsonLinesLoader,
  notebookLoader,
  textLoader,
]
