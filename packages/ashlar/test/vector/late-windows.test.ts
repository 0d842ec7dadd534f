import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdown } from '../../src/chunk/markdown.ts'
import { textArbitrary } from '../../src/testing/text-arbitrary.ts'
import { buildTree } from '../../src/tree/build-tree.ts'
import type { Tree } from '../../src/tree/tree.ts'
import { type LateWindow, lateWindows, ownSpan } from '../../src/vector/late-windows.ts'
import { planLate } from '../../src/vector/plan-late.ts'
import { realDocuments } from '../text/shared-data.ts'
import { contextEmbedder } from './context-embedder.ts'

const words = Object.assign((text: string) => text.split(/\s+/).filter((word) => word !== '').length, {
  id: 'words',
  accuracy: 'exact' as const,
})

function sectionOf(tree: Tree, child: number): number {
  return tree.parents[tree.children[child]!.above]!.above
}

function expectLaid(tree: Tree, windows: readonly LateWindow[], size: number): void {
  expect(windows.map(({ first }) => first)).toEqual([
    ...(tree.children.length > 0 ? [0] : []),
    ...windows.slice(0, -1).map(({ after }) => after),
  ])
  expect(windows.at(-1)?.after ?? 0).toBe(tree.children.length)
  for (const { start, end, first, after } of windows) {
    expect(start).toBe(ownSpan(tree.children[first]!).start)
    expect(end).toBe(tree.children[after - 1]!.end)
    expect(sectionOf(tree, first)).toBe(sectionOf(tree, after - 1))
    if (after - first > 1) expect(end - start).toBeLessThanOrEqual(size)
  }
}

describe('lateWindows', () => {
  test('every child is in one window, an exact span that is no larger than asked and crosses no section', () => {
    fc.assert(
      fc.property(textArbitrary(), fc.integer({ min: 1, max: 400 }), fc.integer({ min: 0, max: 3 }), (text, size, overlap) => {
        const tree = buildTree(text, { format: markdown, child: 20, parent: 60, section: 200, overlap })
        expectLaid(tree, lateWindows(tree, { size }), size)
      }),
      { numRuns: 200 },
    )
  })

  test('windows of the default tree are its parents, or two small ones', () => {
    for (const text of realDocuments().slice(0, 6)) {
      const tree = buildTree(text)
      const windows = lateWindows(tree)
      expectLaid(tree, windows, 800)
      const starts = new Set(tree.parents.map(({ start }) => start))
      expect(windows.every(({ start }) => starts.has(start))).toBe(true)
      expect(windows.length).toBeGreaterThan(0.5 * tree.parents.length)
    }
  })

  test('a parent that does not fit is laid out by its children', () => {
    const text = Array.from({ length: 60 }, (_, at) => `Course ${at} of the wall is laid in lime mortar.`).join(' ')
    const tree = buildTree(text, { child: 100, parent: 2400, section: 4800 })
    const windows = lateWindows(tree, { size: 400 })
    expectLaid(tree, windows, 400)
    expect(windows.length).toBeGreaterThan(6)
    // All but the last of a parent are at least half full.
    const last = new Set(tree.parents.map(({ end }) => end))
    expect(windows.filter(({ start, end }) => end - start < 200 && !last.has(end))).toHaveLength(0)
  })

  test('the limit in tokens holds for every window of several children', () => {
    const text = 'wall stone lime sand '.repeat(200)
    const tree = buildTree(text, { child: 60, parent: 600, section: 1200 })
    const windows = lateWindows(tree, { size: 800, counter: words, maxTokens: 30 })
    expectLaid(tree, windows, 800)
    for (const { start, end } of windows) expect(words(text.slice(start, end))).toBeLessThanOrEqual(30)
  })

  test('a size that cannot be meant is refused', () => {
    const tree = buildTree('Stone.')
    for (const size of [0, -1, 1.5, Number.NaN]) {
      expect(() => lateWindows(tree, { size })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }))
    }
  })

  test('an edit of five words changes few windows, also where windows are not parents', () => {
    const embedder = contextEmbedder()
    const text = Array.from(
      { length: 400 },
      (_, at) => `Course ${at * 37} of wall ${at % 11} is laid in mortar ${at * at}.`,
    ).join(' ')
    for (const options of [{}, { child: 150, parent: 6000, section: 12_000 }]) {
      const before = new Set(planLate(buildTree(text, options), { embedder }).map(({ key }) => key))
      const changes = Array.from({ length: 30 }, (_, edit) => {
        const at = text.indexOf(' is laid', (text.length * edit) / 31)
        const edited = `${text.slice(0, at)} was set by hand long ago and${text.slice(at)}`
        return planLate(buildTree(edited, options), { embedder }).filter(({ key }) => !before.has(key)).length
      })
      expect(Math.min(...changes)).toBeGreaterThan(0)
      expect(changes.reduce((a, b) => a + b, 0) / changes.length).toBeLessThan(3)
      expect(changes.filter((count) => count > 4).length).toBeLessThan(4)
    }
  })
})
