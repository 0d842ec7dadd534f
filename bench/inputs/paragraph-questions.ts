import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { evaluationFolder } from './evaluation-folder.ts'

/** The paragraphs of XQuAD in one language, and questions that one of them answers. */
export interface ParagraphQuestions {
  readonly paragraphs: readonly string[]
  readonly questions: readonly {
    readonly id: string
    readonly text: string
    readonly paragraph: number
    /** Where the answer stands in the paragraph. */
    readonly answer: { readonly start: number; readonly end: number }
  }[]
}

/** XQuAD in a language such as `de`; null without the folder. */
export function readParagraphQuestions(language: string): ParagraphQuestions | null {
  const folder = evaluationFolder()
  const file = folder === null ? '' : join(folder, 'xquad', `xquad.${language}.json.gz`)
  if (!existsSync(file)) return null
  const { data } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
    data: {
      paragraphs: {
        context: string
        qas: { id: string; question: string; answers: { text: string; answer_start: number }[] }[]
      }[]
    }[]
  }
  const paragraphs = data.flatMap((article) => article.paragraphs)
  return {
    paragraphs: paragraphs.map(({ context }) => context),
    questions: paragraphs.flatMap(({ context, qas }, paragraph) =>
      qas.map(({ id, question, answers: [answer] }) => {
        // The set counts code points.
        const start = [...context].slice(0, answer!.answer_start).join('').length
        return { id, text: question, paragraph, answer: { start, end: start + answer!.text.length } }
      }),
    ),
  }
}
