import { describe, expect, test } from 'vitest'
import { documentViews } from '../../src/enrich/document-view.ts'
import { numberedText, smallSource } from './small-source.ts'

const options = { documentLimit: 50_000, neighbourhood: 20_000 }

describe('what a model is shown of a document', () => {
  test('all of it, up to the limit', () => {
    const source = smallSource(numberedText(10, 40_000))
    expect(source.text.length).toBeLessThan(50_000)
    const [view, ...more] = documentViews(source, options)
    expect(more).toEqual([])
    expect(view).toMatchObject({ first: 0, after: source.children.length, text: source.text, whole: true })
  })

  test('beyond the limit: outline, beginning, and the stretch around each chunk, shared by many', () => {
    const source = smallSource(numberedText(40, 200_000))
    const views = documentViews(source, options)
    expect(views.length).toBeGreaterThan(5)
    expect(views.length).toBeLessThan(20)
    let next = 0
    for (const view of views) {
      expect(view.whole).toBe(false)
      expect(view.first).toBe(next)
      next = view.after
      expect(view.text.length).toBeLessThanOrEqual(20_000 + 1_100)
      expect(view.outline).toContain('- Handbook\n  - Part 0\n  - Part 1\n')
      expect(view.outline).toContain('  - Part 39')
      expect(view.text).toContain('What the wall is')
      for (let index = view.first; index < view.after; index++) {
        const place = view.text.indexOf(source.children[index]?.text as string)
        expect(place).toBeGreaterThanOrEqual(0)
        // Each has neighbours on both sides, but at the ends of the document.
        if (index > 10) expect(place).toBeGreaterThan(1000)
        if (index < source.children.length - 10) expect(view.text.length - place).toBeGreaterThan(1000)
      }
    }
    expect(next).toBe(source.children.length)
    const runs = views.map(({ first, after }) => after - first)
    expect(Math.min(...runs) * 2).toBeGreaterThan(Math.max(...runs))
  })

  test('text that is left out is marked', () => {
    const views = documentViews(smallSource(numberedText(40, 100_000)), options)
    expect(views[0]?.text.startsWith('# Handbook')).toBe(true)
    expect(views[0]?.text.endsWith('[…]')).toBe(true)
    expect(views[1]?.text).toMatch(/^# Handbook[\s\S]*\n\n\[…\]\n\n[\s\S]*\n\n\[…\]$/)
    expect(views.at(-1)?.text.endsWith('[…]')).toBe(false)
  })

  test('an outline of very many headings loses its deepest levels, then its end', () => {
    const deep = Array.from(
      { length: 400 },
      (_, i) =>
        `${i % 10 === 0 ? `# Chapter ${i}\n\n` : ''}## A rather long title of section ${i}\n\n${'Text. '.repeat(40)}${i}.`,
    )
    const [view] = documentViews(smallSource(deep.join('\n\n')), options)
    expect(view?.outline.length).toBeLessThanOrEqual(5_000)
    expect(view?.outline).toContain('- Chapter 390')
    expect(view?.outline).not.toContain('section')
    const flat = Array.from({ length: 800 }, (_, i) => `# A rather long title of chapter ${i}\n\n${'Text. '.repeat(40)}${i}.`)
    const [long] = documentViews(smallSource(flat.join('\n\n')), options)
    expect(long?.outline.length).toBeLessThanOrEqual(5_000)
    expect(long?.outline.endsWith('\n[…]')).toBe(true)
  })

  test('a document without children has no views; one child may be longer than everything', () => {
    expect(documentViews({ ...smallSource('a'), children: [] }, options)).toEqual([])
    const source = smallSource('x'.repeat(60_000), { size: 100_000 })
    expect(documentViews(source, options).map(({ first, after }) => [first, after])).toEqual([[0, 1]])
  })
})
