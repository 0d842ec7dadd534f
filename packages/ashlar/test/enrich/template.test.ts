import { describe, expect, test } from 'vitest'
import { fill, prepareTemplate } from '../../src/enrich/template.ts'
import { templates } from '../../src/enrich/templates.ts'

const counts = { questions: 3, keywords: 8 }
const all = ['context', 'questions', 'keywords'] as const

describe('templates', () => {
  test.each(Object.keys(templates) as (keyof typeof templates)[])('%s is sound for every kind, alone and together', (name) => {
    for (const kinds of [all, ...all.map((kind) => [kind])]) {
      const prepared = prepareTemplate(templates[name], kinds, counts)
      const shared = fill(prepared.shared, { document: 'DOCUMENT', title: 'TITLE' })
      const own = fill(prepared.own, { chunk: 'CHUNK', path: 'PATH' })
      expect(shared).toContain('DOCUMENT')
      expect(own).toContain('CHUNK')
      expect(shared + own).not.toMatch(/\{\w+\}/)
      // What is asked is the same for all chunks, so it belongs to the part that is cached.
      for (const kind of kinds)
        expect(shared).toContain({ context: 'context:', questions: 'question:', keywords: 'keywords:' }[kind])
      if (kinds.includes('questions')) expect(shared).toContain('3')
      if (kinds.includes('keywords')) expect(shared).toContain('8')
    }
  })

  test('a bare string with {document} and {chunk} asks for one kind in its own words', () => {
    const prepared = prepareTemplate('Documento:\n{document}\n\nFragmento:\n{chunk}\n\nSitúalo.', ['context'], counts)
    expect(fill(prepared.shared, { document: 'D' })).toBe('Documento:\nD\n\nFragmento:\n')
    expect(fill(prepared.own, { chunk: 'C' })).toBe('C\n\nSitúalo.')
    expect(prepared.labelled).toBe(false)
    const questions = prepareTemplate('{document}\n{count} questions about {chunk}?', ['questions'], counts)
    expect(fill(questions.shared, { document: 'D' })).toBe('D\n3 questions about ')
  })

  test('what is put in is not searched for placeholders, and doubled braces stand for themselves', () => {
    const { shared, own } = prepareTemplate('{document} {{chunk}} {"json": 1} $& {chunk}', ['context'], counts)
    expect(fill(shared, { document: 'the {chunk} of $1' })).toBe('the {chunk} of $1 {chunk} {"json": 1} $& ')
    expect(fill(own, { chunk: '{document}' })).toBe('{document}')
  })

  test.each([
    ['no chunk', '{document}', ['context'], '{chunk}'],
    ['no document for a context', 'Situate {chunk}', ['context'], '{document}'],
    ['an unknown name', '{document} {chunk} {dokument}', ['context'], '{dokument}'],
    ['the document after the chunk', '{chunk} is part of {document}', ['context'], 'before'],
    ['the document after the path', '{path} of {document}: {chunk}', ['context'], 'before'],
    ['one string for two kinds', '{document} {chunk}', ['context', 'questions'], 'one kind'],
    ['no instructions', { ...templates.english, prompt: '{document} {chunk}' }, ['context'], '{instructions}'],
    ['nothing about a kind', { prompt: templates.english.prompt, context: 'context: x' }, ['keywords'], 'keywords'],
    ['a kind without its label', { ...templates.english, questions: 'Ask {count} things.' }, ['questions'], 'question:'],
    ['a count for a context', { ...templates.english, context: 'context: {count}' }, ['context'], '{count}'],
    ['a chunk in the instructions', { ...templates.english, context: 'context: {chunk}' }, ['context'], '{chunk}'],
  ] as const)('is refused: %s', (_, template, kinds, named) => {
    expect(() => prepareTemplate(template, kinds, counts)).toThrow(
      expect.objectContaining({ code: 'INVALID_TEMPLATE', message: expect.stringContaining(named) }),
    )
  })

  test('questions and keywords can be asked for without the document', () => {
    expect(prepareTemplate('{count} keywords for {chunk}', ['keywords'], counts).own.length).toBeGreaterThan(0)
  })

  test('the key changes with anything that is asked', () => {
    const keys = [
      prepareTemplate(templates.english, ['context'], counts),
      prepareTemplate(templates.english, ['questions'], counts),
      prepareTemplate(templates.english, ['questions'], { ...counts, questions: 4 }),
      prepareTemplate({ ...templates.english, system: 'Be brief.' }, ['context'], counts),
      prepareTemplate(templates.spanish, ['context'], counts),
    ].map(({ key }) => key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(prepareTemplate({ ...templates.english }, ['context'], counts).key).toBe(keys[0])
  })
})
