import { describe, expect, test } from 'vitest'
import { evaluationFolder } from '../../../../bench/inputs/evaluation-folder.ts'
import type { EvalSet } from '../../../../evals/eval-set.ts'
import { knownSets } from '../../../../evals/known-sets.ts'
import { type SetName, sets } from '../../../../evals/sets/sets.ts'

/** Questions of the test and of the development part, as `evals/README.md` says. */
const parts: Readonly<Record<Exclude<SetName, 'beam-1m'>, readonly [test: number, dev: number]>> = {
  chroma: [218, 254],
  'anthropic-code': [248, 0],
  'anthropic-docs': [100, 0],
  locomo: [964, 1018],
  beam: [355, 0],
  longmemeval: [7, 0],
  qmsum: [244, 237],
  scifact: [300, 809],
  xquad: [7332, 6948],
}

describe.skipIf(evaluationFolder() === null)('evaluation sets', () => {
  test.each(Object.entries(parts))('%s has the questions that its readme counts, and no two of one name', (name, counts) => {
    const set = sets[name as SetName]({ quick: false }) as EvalSet
    const questions = set.collections.flatMap((collection) => collection.questions)
    const count = (part: string): number => questions.filter((question) => question.part === part).length
    expect([count('test'), count('dev')]).toEqual(counts)
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length)
  })

  test.each(Object.entries(parts))('%s measures what is known of it, and pieces cover its documents', (name) => {
    const set = sets[name as SetName]({ quick: true }) as EvalSet
    const known = Object.keys(knownSets[name as SetName].measures)
    expect(known.slice(0, set.measures.length)).toEqual(set.measures)
    for (const { id, documents, questions } of set.collections) {
      expect(new Set(documents.map((document) => document.id)).size, id).toBe(documents.length)
      for (const { text, pieces } of documents) {
        if (pieces === undefined) continue
        const starts = pieces.map(({ start }) => start)
        expect([...starts, text.length]).toEqual([0, ...pieces.map(({ end }) => end)])
      }
      const all = documents.map((document) => ({ document: document.id, start: 0, end: document.text.length }))
      for (const question of questions) {
        const { gold = [] } = question
        const scores = question.judge(gold.length > 0 ? gold : all)
        expect(scores).toHaveLength(set.measures.length)
        expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true)
        expect(question.judge([]).every((score) => score === 0)).toBe(true)
        expect(gold.length === 0 || scores.some((score) => score > 0)).toBe(true)
      }
    }
  })
})
