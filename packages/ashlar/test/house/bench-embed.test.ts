import { expect, test } from 'vitest'
import { spearman } from '../../../../bench/embed/spearman.ts'

test('rank correlation looks at the order alone, and ties share their rank', () => {
  expect(spearman([1, 2, 3, 4], [10, 20, 30, 4000])).toBeCloseTo(1, 12)
  expect(spearman([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 12)
  expect(spearman([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])).toBeCloseTo(0.8, 12)
  // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4.
  expect(spearman([1, 2, 2, 4], [1, 2, 3, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5), 12)
})
