import { describe, expect, test } from 'vitest'
import type { CorpusDocument } from '../../src/evaluation/corpus.ts'
import { sampleDocuments } from '../../src/evaluation/corpus.ts'
import { feedbackQuestions } from '../../src/evaluation/feedback-questions.ts'
import { generateQuestions } from '../../src/evaluation/generated-questions.ts'
import { chooseQuestions, makeQuestions } from '../../src/evaluation/make-questions.ts'
import { type Question, type QuestionKind, question } from '../../src/evaluation/question.ts'
import { ingestFields } from '../../src/ingest/ingest-fields.ts'
import { feedbackFields } from '../../src/library/feedback-fields.ts'
import { open } from '../../src/library/open.ts'
import type { Generator } from '../../src/model/generator.ts'
import { noUsage } from '../../src/model/usage.ts'
import { memoryStore } from '../../src/store/memory-store.ts'

const document = (id: string, text: string, format = 'markdown'): CorpusDocument => ({ id, title: '', text, format })

async function asked(documents: readonly CorpusDocument[], kind: QuestionKind): Promise<[string, string][]> {
  const questions = await makeQuestions(documents)
  return questions
    .filter((one) => one.kind === kind)
    .map(({ text, gold }) => [
      text,
      gold.map((span) => documents.find(({ id }) => id === span.document)?.text.slice(span.start, span.end)).join('|'),
    ])
}

describe('without a model', () => {
  test('headings ask for the text below them, by the two innermost titles', async () => {
    const text = `# Walls

## Dry stone

A dry stone wall has no mortar. Its stones hold one another by their weight and by friction alone.

## Empty

### Mortar joints

Joints are struck while the mortar is still green, with a bar that is as wide as the joint, and brushed the next day.

## Short

Too short.
`
    expect(await asked([document('walls.md', text)], 'heading')).toEqual([
      ['Walls: Dry stone', 'A dry stone wall has no mortar. Its stones hold one another by their weight and by friction alone.'],
      [
        'Empty: Mortar joints',
        'Joints are struck while the mortar is still green, with a bar that is as wide as the joint, and brushed the next day.',
      ],
    ])
  })

  test.each([
    ['A cavity wall is a wall of two leaves with a gap between.', 'What is a cavity wall?'],
    ['Quoins are the stones at a corner of a building.', 'What are Quoins?'],
    ['`Ashlar` means masonry of squared stones.', 'What does Ashlar mean?'],
    ['La mampostería es una obra hecha de piedras sin labrar.', '¿Qué es la mampostería?'],
    ['Der Mörtel ist ein Gemisch aus Sand und Kalk.', 'Was ist der Mörtel?'],
    ['Le moellon est une pierre de petite taille.', 'Qu’est-ce que le moellon ?'],
  ])('%s', async (sentence, expected) => {
    const text = `Something else was said before. ${sentence} And something after.`
    expect(await asked([document('a.txt', text, 'plain')], 'definition')).toEqual([[expected, sentence]])
  })

  test.each([
    'It is a wall.',
    'This is the end of it all.',
    'In summer, lime is a bad choice.',
    'Everything here is a stone.',
    'Below are the links to follow.',
  ])('%s defines nothing', async (sentence) => {
    expect(await asked([document('a.txt', sentence, 'plain')], 'definition')).toEqual([])
  })

  test('rare facts leave out the number, else the rarest word', async () => {
    const filler = Array.from({ length: 30 }, () => 'The masons laid another course before the rain came over the hill.').join(
      ' ',
    )
    const sentences = ['Hadrian built his northern frontier wall eighty Roman miles long around 122 between Solway and Tyne.']
    const found = await asked([document('a.txt', `${filler} ${sentences[0]} ${filler}`, 'plain')], 'fact')
    expect(found).toHaveLength(1)
    const [text, gold] = found[0] ?? ['', '']
    expect(gold).toBe(sentences[0])
    expect(text).toContain('…')
    expect(text).not.toContain('122')
    expect(text.split(' ').length).toBeLessThanOrEqual(7)
  })

  test('code, tables and data are not asked about, and what is asked twice is not asked', async () => {
    const code =
      '```\nA fence is a thing of wire and posts around some field 1234 of Marshland barley.\n```\n\n| Lime is a binder | yes |\n|---|---|\n| x | y |\n'
    expect(await makeQuestions([document('a.md', code), document('b.json', '{"x": "A wall is a thing."}', 'json')])).toEqual([])
    const twice = 'A wall is a thing made of stones.'
    expect(await asked([document('a', twice, 'plain'), document('b', twice, 'plain')], 'definition')).toEqual([])
  })

  test('kinds and documents take turns, and the same are chosen each time', () => {
    const many: Question[] = []
    for (const kind of ['heading', 'fact'] as const) {
      for (let at = 0; at < 40; at++)
        many.push(question(kind, `${kind} ${at}`, [{ document: at < 35 ? 'large' : 'small', start: at, end: at + 1 }]))
    }
    const chosen = chooseQuestions(many, 10)
    expect(chosen).toHaveLength(10)
    expect(chosen.filter(({ kind }) => kind === 'fact')).toHaveLength(5)
    expect(chosen.filter(({ gold }) => gold[0]?.document === 'small').length).toBeGreaterThanOrEqual(4)
    expect(
      chooseQuestions(many.toReversed(), 10)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(chosen.map(({ id }) => id).toSorted())
  })
})

describe('a sample', () => {
  test('is all of a small library, and the same part of a large one each time', async () => {
    await using library = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
    await library.add(Array.from({ length: 40 }, (_, at) => ({ id: `d${at}`, text: 'x'.repeat(100) })))
    expect(await sampleDocuments(library)).toMatchObject({ characters: 4000, all: { documents: 40, characters: 4000 } })
    const part = await sampleDocuments(library, { characters: 1050 })
    expect(part.documents).toHaveLength(10)
    expect(await sampleDocuments(library, { characters: 1050 })).toEqual(part)
    await library.add({ id: 'another', text: 'x'.repeat(100) })
    const later = await sampleDocuments(library, { characters: 1050 })
    const before = new Set(part.documents.map(({ id }) => id))
    expect(later.documents.filter(({ id }) => before.has(id)).length).toBeGreaterThanOrEqual(9)
  })
})

describe('with a model', () => {
  const passage = 'Lime mortar sets slowly. Cement mortar sets within a day, and is harder than most stones. '.repeat(8)

  function answering(answers: readonly string[]): Generator & { readonly prompts: string[] } {
    const prompts: string[] = []
    return {
      identity: { model: 'test/one', options: {} },
      maxTokens: undefined,
      promptCache: 'none',
      prompts,
      generate: async ({ parts }) => {
        prompts.push(parts.map(({ text }) => text).join(''))
        return { text: answers[(prompts.length - 1) % answers.length] ?? '', finish: 'stop', usage: noUsage }
      },
    }
  }

  test('a question is kept only if its quote stands in the passage to the letter', async () => {
    const good =
      'question: How fast does cement mortar harden?\nquote: Cement mortar sets within a day, and is harder than most stones.'
    const quoted =
      '**Question:** What hardens first?\n**Quote:** “Cement mortar sets within a day, and is harder than most stones.”'
    for (const answer of [good, quoted]) {
      const { questions, failed } = await generateQuestions([document('m', passage, 'plain')], { generator: answering([answer]) })
      expect(failed).toBe(0)
      expect(questions).toHaveLength(1)
      const [span] = questions[0]?.gold ?? []
      expect(passage.slice(span?.start, span?.end)).toBe('Cement mortar sets within a day, and is harder than most stones.')
      expect(questions[0]?.kind).toBe('model')
    }
    const invented = 'question: How fast?\nquote: Cement mortar sets within two days, I think.'
    for (const answer of [invented, 'I would rather not.', 'question: only a question']) {
      expect(await generateQuestions([document('m', passage, 'plain')], { generator: answering([answer]) })).toMatchObject({
        questions: [],
        failed: 1,
      })
    }
  })
})

describe('feedback', () => {
  test('what somebody found helpful is the answer to what they searched for', async () => {
    const store = memoryStore({ workspace: 'w', fields: ingestFields })
    await using library = await open({ store, feedback: memoryStore({ workspace: 'w/feedback', fields: feedbackFields }) })
    await library.add({ id: 'bees', text: 'A colony needs fifteen kilograms of honey.\n\nBees fly in summer.' })
    const hit = (await library.search('honey')).hits[0]
    await library.feedback({ query: 'how much honey for the winter', verdict: 'helpful', hit: hit?.id ?? '', document: 'bees' })
    await library.feedback({ query: 'wasps', verdict: 'missing' })
    await library.feedback({ query: 'gone', verdict: 'helpful', hit: 'nothing', document: 'bees' })
    expect((await library.listFeedback()).items).toHaveLength(3)
    expect(await feedbackQuestions(library)).toEqual([
      {
        id: expect.any(String),
        kind: 'feedback',
        text: 'how much honey for the winter',
        gold: [{ document: 'bees', start: hit?.start, end: hit?.end }],
      },
    ])
    await using silent = await open({ store: memoryStore({ workspace: 'w', fields: ingestFields }) })
    expect(await feedbackQuestions(silent)).toEqual([])
  })
})
