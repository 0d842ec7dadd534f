import { expect, test } from 'vitest'

import { chunk, type Format, strength } from '../../src/index.ts'
import { chunkerContract } from '../../src/testing/chunker-contract.ts'

// A whole format in a few lines: a play, whose scenes begin with "SCENE" and whose speeches begin with "NAME:".
const play: Format = {
  id: 'play',
  *seams(text) {
    for (const { index, 0: line } of text.matchAll(/^(?:SCENE.*|[A-Z]+:)/gm)) {
      const scene = line.startsWith('SCENE')
      yield {
        at: index,
        strength: scene ? strength.heading : strength.item,
        kind: scene ? 'scene' : 'speech',
        ...(scene ? { heading: { level: 1, title: line } } : {}),
      }
    }
  },
}

chunkerContract({ name: 'a toy format', test, chunk: (text, settings) => chunk(text, { ...settings, format: play }) })

test('a toy format decides where cuts fall and what the outline says', () => {
  const text = 'SCENE I\nROOK: A wall? Here?\nMASON: Here. Stone on stone.\nSCENE II\nROOK: It stands.\n'
  const chunks = [...chunk(text, { format: play, size: 60, overlap: 0 })]
  expect(chunks.map(({ text }) => text)).toEqual([
    'SCENE I\nROOK: A wall? Here?\nMASON: Here. Stone on stone.',
    'SCENE II\nROOK: It stands.',
  ])
  expect(chunks.map(({ outline }) => outline)).toEqual([['SCENE I'], ['SCENE II']])
})

test('semantic re-weighing of sentence seams is a format too', () => {
  // Sentences about one thing stay together: a seam where the topic word changes is stronger than one where it does not.
  const topics: Format = {
    id: 'topics',
    *seams(text) {
      let topic = ''
      for (const { index, 0: sentence } of text.matchAll(/[^.]+\.\s*/g)) {
        const next = sentence.split(' ')[1] ?? ''
        yield { at: index, strength: next === topic ? strength.sentence : strength.block, kind: 'sentence', inside: 'words' }
        topic = next
      }
    },
  }
  const text = 'The wall stands. The wall is old. The wall leans. The roof leaks. The roof is new.'
  const chunks = [...chunk(text, { format: topics, size: 70, overlap: 0 })]
  expect(chunks.map(({ text }) => text)).toEqual([
    'The wall stands. The wall is old. The wall leans.',
    'The roof leaks. The roof is new.',
  ])
})

// A log whose days are never joined, however short they are.
const days: Format = {
  id: 'days',
  *seams(text) {
    for (const { index } of text.matchAll(/^== /gm)) yield { at: index, strength: strength.always, kind: 'day' }
  },
}

test('a chunk always ends where the format says so, and nothing is repeated over that', () => {
  const text =
    '== Monday\nRain. No work.\n== Tuesday\nFirst course laid. Second course laid. Mortar set by noon.\n== Wednesday\nDone.\n'
  const chunks = [...chunk(text, { format: days, size: 50, overlap: 20 })]
  expect(chunks.map(({ text, lead }) => [text.slice(lead), lead > 0])).toEqual([
    ['== Monday\nRain. No work.', false],
    ['== Tuesday\nFirst course laid.', false],
    ['Second course laid.', true],
    ['Mortar set by noon.', true],
    ['== Wednesday\nDone.', false],
  ])
})

chunkerContract({
  name: 'a format that insists',
  test,
  resynchronises: false,
  // Anywhere, so that the packer is told to cut inside clusters, surrogate pairs and white space too.
  chunk: (text, settings) =>
    chunk(text, {
      ...settings,
      format: {
        id: 'insistent',
        *seams(text) {
          for (let at = 3; at < text.length; at += 1 + (text.charCodeAt(at) % 61))
            yield { at, strength: strength.always, kind: 'cut' }
        },
      },
    }),
})
