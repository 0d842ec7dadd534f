import { expect, test } from 'vitest'
import { renderEvidence } from '../../src/library/render-evidence.ts'
import { approximateTokens } from '../../src/text/approximate-tokens.ts'
import { injectionPayloads } from '../tools/injection-payloads.ts'
import { outsideFences } from '../tools/outside-fences.ts'

test('numbers passages and says where each comes from', () => {
  const shown = renderEvidence([
    { text: 'Stone on stone.', citation: 'walls.md, line 3 (Walls > Dry)' },
    { text: 'Slate on wood.\n', citation: 'roofs.md, line 1' },
  ])
  const { code } = shown
  expect(shown).toMatchObject({ passages: 2, shortenedBy: 0, tokens: approximateTokens(shown.text) })
  expect(shown.text.split('\n').slice(1)).toEqual([
    '',
    `<<<${code}`,
    '[1] walls.md, line 3 (Walls > Dry)',
    '',
    'Stone on stone.',
    `${code}>>>`,
    '',
    `<<<${code}`,
    '[2] roofs.md, line 1',
    '',
    'Slate on wood.',
    `${code}>>>`,
    '',
  ])
})

test('keeps to its budget: whole passages, or the beginning of the first', () => {
  const passage = (text: string) => ({ text, citation: 'a' })
  const both = renderEvidence([passage('One wall.'), passage('Two walls. '.repeat(200))], { maxTokens: 200 })
  expect(both).toMatchObject({ passages: 1, shortenedBy: 0 })
  const text = 'Stone lies on stone. '.repeat(100)
  const short = renderEvidence([passage(text)], { maxTokens: 150 })
  expect(short.passages).toBe(1)
  expect(short.tokens).toBeLessThanOrEqual(150)
  const part = text.slice(0, text.length - short.shortenedBy)
  expect(short.text).toContain(part)
  expect(part).toMatch(/\. $/)
  expect(renderEvidence([passage(text)], { maxTokens: 10 })).toMatchObject({ passages: 0, text: '' })
  expect(() => renderEvidence([], { maxTokens: 0 })).toThrow(/maxTokens/)
})

test('draws another code each time', () => {
  const codes = new Set(Array.from({ length: 100 }, () => renderEvidence([{ text: 'a', citation: 'b' }]).code))
  expect(codes.size).toBe(100)
})

test.each(injectionPayloads)('$canary stays inside its fence, as text and as place', ({ canary, text }) => {
  const shown = renderEvidence([
    { text, citation: 'plain' },
    { text: 'plain', citation: text },
  ])
  expect(shown.text).toContain(canary)
  const { outside, fences } = outsideFences(shown.text, shown.code)
  expect(fences).toBe(2)
  expect(outside).not.toContain(canary)
  expect(outside).not.toContain('plain')
})
