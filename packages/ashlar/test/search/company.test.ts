import { describe, expect, test } from 'vitest'
import { orderByCompany } from '../../src/search/company.ts'
import type { ScoredChild } from '../../src/search/scored-child.ts'

/** As much of a scored child as its order depends on. */
function scored(document: string, start: number, score: number): ScoredChild {
  return { record: { workspace: 'house', document: { id: document } }, own: { start }, score, order: score } as ScoredChild
}

const orders = (children: readonly ScoredChild[]): number[] => children.map(({ order }) => order)

describe('company', () => {
  test('what stands among good children gains, what stands alone gains only by itself', () => {
    const children = [scored('a', 0, 0.5), scored('a', 480, 0.5), scored('b', 0, 0.5), scored('b', 9600, 0.1)]
    const [first, second, alone, low] = orderByCompany(children, 'fact')
    // The middle is .4, the best .1 above it; two as good as the best, a tenth of the reach apart, make 1 + .9 of company.
    expect(first!.order).toBeCloseTo(0.5 + 0.05 * 0.1 * 1.9, 12)
    expect(second!.order).toBeCloseTo(first!.order, 12)
    expect(alone!.order).toBeCloseTo(0.5 + 0.05 * 0.1, 12)
    expect(low!.order).toBe(0.1)
  })

  test('a topic looks around more than a fact, and neither changes a score', () => {
    const stretch = Array.from({ length: 8 }, (_, at) => scored('meeting', 300 * at, 0.44))
    const children = [scored('aside', 0, 0.5), ...stretch, ...Array.from({ length: 20 }, (_, at) => scored(`${at}`, 0, 0.2))]
    const best = (found: readonly ScoredChild[]): string =>
      found.toSorted((one, other) => other.order - one.order)[0]!.record.document.id
    expect(best(orderByCompany(children, 'fact'))).toBe('aside')
    expect(best(orderByCompany(children, 'topic'))).toBe('meeting')
    expect(orderByCompany(children, 'topic').map(({ score }) => score)).toEqual(children.map(({ score }) => score))
  })

  test('the order does not depend on the scale of the scores, nor on the order they come in', () => {
    const children = [0.9, 0.5, 0.7, 0.2, 0.6].map((score, at) => scored(at % 2 === 0 ? 'a' : 'b', 700 * at, score))
    const halved = children.map((child) => ({ ...child, score: child.score / 2 }))
    expect(orders(orderByCompany(halved, 'topic')).map((order) => 2 * order)).toEqual(
      orders(orderByCompany(children, 'topic')).map((order) => expect.closeTo(order, 12)),
    )
    const back = orders(orderByCompany(children.toReversed(), 'topic')).toReversed()
    expect(back).toEqual(orders(orderByCompany(children, 'topic')).map((order) => expect.closeTo(order, 12)))
  })

  test('children that are all alike, one alone, and none stay as they are', () => {
    for (const children of [[], [scored('a', 0, 0.3)], [scored('a', 0, 0.3), scored('a', 300, 0.3)]])
      expect(orders(orderByCompany(children, 'topic'))).toEqual(orders(children))
  })

  test('documents of the same name in two workspaces keep no company', () => {
    const other = { ...scored('a', 0, 0.5), record: { workspace: 'shared', document: { id: 'a' } } } as ScoredChild
    const [own] = orderByCompany([scored('a', 0, 0.5), other, scored('b', 0, 0.2)], 'topic')
    expect(own!.order).toBeCloseTo(0.5 + 0.4 * 0.1, 12)
  })
})
