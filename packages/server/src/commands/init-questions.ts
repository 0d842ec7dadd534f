import { cancel, intro, isCancel, outro, select, text } from '@clack/prompts'
import { Interrupted } from '../interrupted.ts'
import type { SettingValues } from '../settings.ts'

/** What goes into the file. */
export type InitAnswers = Partial<SettingValues>

/** Asks a person what they want; written to standard error, as all that is not the answer itself. */
export async function askInit(values: SettingValues): Promise<InitAnswers> {
  const output = process.stderr
  intro('A library for the documents in this folder', { output })
  const folder = answered(
    await text({
      message: 'Which folder holds the documents?',
      placeholder: '.',
      defaultValue: '.',
      output,
    }),
  )
  const embedder = answered(
    await select({
      message: 'What should find passages that say it in other words?',
      initialValue: values.embedder === 'none' ? 'none' : 'potion',
      options: [
        { value: 'potion', label: 'potion', hint: 'on this machine, fast, nothing to install' },
        { value: 'none', label: 'none', hint: 'words alone' },
        { value: 'openai:text-embedding-3-small', label: 'OpenAI', hint: 'texts are sent there; needs OPENAI_API_KEY' },
      ],
      output,
    }),
  )
  outro('Done', { output })
  return { ...(folder === '.' ? {} : { folder }), ...(embedder === 'potion' ? {} : { embedder }) }
}

function answered(answer: string | symbol): string {
  if (typeof answer === 'string' && !isCancel(answer)) return answer
  cancel('Nothing was written', { output: process.stderr })
  throw new Interrupted()
}
