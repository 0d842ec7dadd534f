import { between, pick, type Random } from './random.ts'

const syllables =
  'ash lar sto ne wall mor tar cut true joint bed face quoin arch key lin tel sill cope vault rib crown stone'.split(' ')

/** A document such as a person writes, of about 1 to 20 kB: sections with headings, paragraphs, lists and tables, or prose alone. */
export function generateDocument(random: Random): { readonly text: string; readonly format: 'markdown' | 'plain' } {
  const format = random() < 0.5 ? 'markdown' : 'plain'
  const parts: string[] = []
  const sections = between(random, 1, 6)
  for (let section = 0; section < sections; section++) {
    if (format === 'markdown') parts.push(`${'#'.repeat(between(random, 1, 3))} ${title(random)}`)
    const blocks = between(random, 1, 7)
    for (let block = 0; block < blocks; block++) parts.push(makeBlock(random, format))
  }
  return { text: `${parts.join('\n\n')}\n`, format }
}

function makeBlock(random: Random, format: 'markdown' | 'plain'): string {
  const dice = random()
  if (dice < 0.75 || format === 'plain') return paragraph(random)
  if (dice < 0.9) return Array.from({ length: between(random, 2, 8) }, () => `- ${sentence(random)}`).join('\n')
  const rows = Array.from(
    { length: between(random, 3, 20) },
    () => `| ${word(random)} | ${words(random, 3)} | ${between(random, 1, 999)} |`,
  )
  return `| name | what | weight |\n|---|---|---|\n${rows.join('\n')}`
}

function word(random: Random): string {
  return Array.from({ length: between(random, 1, 3) }, () => pick(random, syllables)).join('')
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function title(random: Random): string {
  return capital(words(random, between(random, 1, 4)))
}

function sentence(random: Random): string {
  return `${capital(words(random, between(random, 3, 22)))}${pick(random, ['.', '.', '.', '?', '!'])}`
}

function paragraph(random: Random): string {
  return Array.from({ length: between(random, 1, 10) }, () => sentence(random)).join(' ')
}
