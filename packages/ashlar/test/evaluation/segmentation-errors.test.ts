import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { segmentationErrors } from '../../src/evaluation/segmentation-errors.ts'
import { evaluationFolder } from '../text/shared-data.ts'

describe('by hand', () => {
  test('a cut that is missed, one that is near, and one too many', () => {
    // Window 2 over six units: positions 0-3. The reference cuts before 3, so positions 1 and 2 see a boundary.
    expect(segmentationErrors([3, 3], [6])).toEqual({ pk: 2 / 4, windowDiff: 2 / 4 })
    // Cut before 4 instead: position 1 sees none, position 3 sees one where there is none.
    expect(segmentationErrors([3, 3], [4, 2])).toEqual({ pk: 2 / 4, windowDiff: 2 / 4 })
    // A second cut before 2: position 0 sees one too many; position 1 sees two instead of one, which Pk does not notice.
    expect(segmentationErrors([3, 3], [2, 1, 3])).toEqual({ pk: 1 / 4, windowDiff: 2 / 4 })
  })

  test('the window can be given', () => {
    expect(segmentationErrors([4, 4], [8], { window: 1 })).toEqual({ pk: 1 / 7, windowDiff: 1 / 7 })
    expect(segmentationErrors([2], [1, 1])).toEqual({ pk: 0, windowDiff: 0 })
    // A half rounds to the even number: 10 units in 2 segments have a window of 2 and not of 3.
    expect(segmentationErrors([5, 5], [10])).toEqual(segmentationErrors([5, 5], [10], { window: 2 }))
    expect(segmentationErrors([7, 7], [14])).toEqual(segmentationErrors([7, 7], [14], { window: 4 }))
  })

  test('what cannot be compared is refused', () => {
    expect(() => segmentationErrors([3, 3], [5])).toThrow(/6 units and the other 5/)
    expect(() => segmentationErrors([3, 0], [3])).toThrow(/a segment of 0 units/)
    expect(() => segmentationErrors([3], [3], { window: 0.5 })).toThrow(/a window of 0.5/)
  })
})

test('no error beside itself, and Pk never more than WindowDiff', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lengths, fc.array(fc.boolean(), { minLength: 48, maxLength: 48 }), (reference, cuts) => {
      expect(segmentationErrors(reference, reference)).toEqual({ pk: 0, windowDiff: 0 })
      const units = reference.reduce((sum, length) => sum + length, 0)
      const hypothesis: number[] = []
      for (let at = 0; at < units; at++) {
        if (at === 0 || cuts[at]) hypothesis.push(1)
        else hypothesis.push((hypothesis.pop() ?? 0) + 1)
      }
      const { pk, windowDiff } = segmentationErrors(reference, hypothesis)
      expect(pk).toBeLessThanOrEqual(windowDiff)
      expect(windowDiff).toBeLessThanOrEqual(1)
    }),
  )
})

const folder = evaluationFolder()

describe.skipIf(folder === undefined)('reference figures of dialogue segmentation', () => {
  test.each([
    { name: 'tiage', percent: 45.9 },
    { name: 'meeting_committee', percent: 39.6 },
  ])('$name without any boundary', ({ name, percent }) => {
    const all = JSON.parse(readFileSync(join(folder ?? '', 'dialseg', `${name}.json`), 'utf8')) as {
      readonly segments: readonly number[]
      readonly set: string
    }[]
    const errors = all
      .filter(({ set }) => set === 'test')
      .map(({ segments }) => segmentationErrors(segments, [segments.reduce((sum, length) => sum + length, 0)]))
    const mean = (value: (one: (typeof errors)[number]) => number): number =>
      Math.round((1000 * errors.reduce((sum, one) => sum + value(one), 0)) / errors.length) / 10
    expect([mean(({ pk }) => pk), mean(({ windowDiff }) => windowDiff)]).toEqual([percent, percent])
  })
})
