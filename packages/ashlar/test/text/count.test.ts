import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anthropicTokens } from '../../src/text/anthropic-tokens.ts'
import { approximateTokens } from '../../src/text/approximate-tokens.ts'
import { characters } from '../../src/text/characters.ts'
import { cl100k } from '../../src/text/cl100k.ts'
import { cachedCounter, count, countMessages, countNear, isWithin } from '../../src/text/count.ts'
import type { Counter } from '../../src/text/counter.ts'
import { geminiTokens } from '../../src/text/gemini-tokens.ts'
import { o200k } from '../../src/text/o200k.ts'
import { recommendedCounter, recommendedCounters } from '../../src/text/recommended-counter.ts'
import { words as wordSpans } from '../../src/text/word.ts'
import { words } from '../../src/text/word-counter.ts'
import { anyText } from './any-text.ts'

const broken: Counter = Object.assign(
  (): number => {
    throw new Error('No table of tokens.')
  },
  { id: 'broken', accuracy: 'exact' as const },
)

describe('simple counters', () => {
  test('name themselves and their accuracy', () => {
    expect(
      [characters, words, approximateTokens, anthropicTokens, geminiTokens].map(({ id, accuracy }) => [id, accuracy]),
    ).toEqual([
      ['characters', 'exact'],
      ['words', 'exact'],
      ['length/4', 'approximate'],
      ['anthropic-estimate', 'estimated'],
      ['gemini-estimate', 'estimated'],
    ])
  })

  test('count what they say', () => {
    expect(characters('a👍')).toBe(3)
    expect(words("Don't count 3.14 twice — 你好!")).toBe(6)
    expect(approximateTokens('12345')).toBe(2)
    expect([anthropicTokens(''), geminiTokens(''), approximateTokens('')]).toEqual([0, 0, 0])
  })

  test('words are those that are found', () => {
    fc.assert(fc.property(anyText(40), (text) => words(text) === [...wordSpans(text)].length))
  })

  test('estimates never shrink when text is added, and are near o200k for prose', () => {
    fc.assert(
      fc.property(anyText(30), anyText(10), (text, more) => {
        for (const counter of [anthropicTokens, geminiTokens]) expect(counter(text + more)).toBeGreaterThanOrEqual(counter(text))
      }),
    )
    const prose = 'The mason cut the stones so true that no mortar was needed, and the wall stood for a thousand years. '.repeat(
      20,
    )
    for (const counter of [anthropicTokens, geminiTokens]) {
      expect(counter(prose) / o200k(prose)).toBeGreaterThan(0.8)
      expect(counter(prose) / o200k(prose)).toBeLessThan(1.35)
    }
    expect(anthropicTokens('石'.repeat(1000))).toBeGreaterThan(900)
  })
})

describe('count', () => {
  test('says how it was made', () => {
    expect(count('Ashlar fits.', approximateTokens)).toEqual({ tokens: 3, method: 'length/4', accuracy: 'approximate' })
    expect(count('Ashlar fits.', cl100k)).toMatchObject({ method: 'cl100k', accuracy: 'exact' })
  })

  test('falls back when a counter fails, and says so', () => {
    expect(count('Ashlar fits.', broken)).toEqual({
      tokens: 3,
      method: 'length/4',
      accuracy: 'approximate',
      fallback: { method: 'broken', reason: 'No table of tokens.' },
    })
    expect(count('Ashlar fits.', broken, { fallback: geminiTokens })).toMatchObject({
      method: 'gemini-estimate',
      accuracy: 'estimated',
    })
  })

  test('is approximate only where that cannot matter', () => {
    fc.assert(
      fc.property(anyText(60), fc.nat(3000), (text, limit) => {
        for (const counter of [cl100k, o200k]) {
          const near = countNear(text, limit, counter)
          expect(near.tokens <= limit).toBe(counter(text) <= limit)
          if (near.accuracy === 'exact') expect(near.tokens).toBe(counter(text))
        }
      }),
    )
    expect(countNear('short', 100_000, o200k).accuracy).toBe('approximate')
    expect(countNear('x'.repeat(200_000), 100, o200k).accuracy).toBe('approximate')
    expect(countNear('word '.repeat(100), 100, o200k)).toEqual({ tokens: 101, method: 'o200k', accuracy: 'exact' })
    expect(countNear('word '.repeat(100), 100, broken).fallback?.method).toBe('broken')
  })

  test('isWithin agrees with counting, for any counter', () => {
    expect(isWithin('four words are here', 4, words)).toBe(true)
    expect(isWithin('four words are here', 3, words)).toBe(false)
    expect(isWithin('abc', 3, characters)).toBe(true)
  })
})

describe('cachedCounter', () => {
  test('counts each text once, keeps what was used last, and holds no more than it may', () => {
    let calls = 0
    const slow: Counter = Object.assign((text: string) => ++calls && text.length, { id: 'slow', accuracy: 'exact' as const })
    const cached = cachedCounter(slow, { texts: 2, units: 100 })
    expect([cached('a'), cached('bb'), cached('a'), cached('ccc'), cached('a')]).toEqual([1, 2, 1, 3, 1])
    expect(calls).toBe(3)
    cached('bb')
    expect(calls).toBe(4)
    cached('d'.repeat(99))
    cached('d'.repeat(99))
    expect(calls).toBe(5)
    cached('e'.repeat(101))
    cached('e'.repeat(101))
    expect(calls).toBe(7)
    expect(cached.id).toBe('slow')
  })

  test('passes on what the counter can do', () => {
    const cached = cachedCounter(o200k)
    expect(cached.measure?.('some text').count(0, 9)).toBe(o200k('some text'))
    expect(isWithin('some text', 2, cached)).toBe(true)
    expect(cached.accuracy).toBe('exact')
  })
})

describe('countMessages', () => {
  const talk = [
    { role: 'system', content: 'You are a helpful, pattern-following assistant.' },
    { role: 'user', name: 'ana', content: 'Does it fit?' },
  ]

  test('adds what OpenAI documents around each message', () => {
    const counted = countMessages(talk, o200k)
    const first = 3 + o200k('system') + o200k(talk[0]!.content)
    const second = 3 + 1 + o200k('user') + o200k('ana') + o200k(talk[1]!.content)
    expect(counted).toEqual({ tokens: first + second + 3, messages: [first, second], method: 'o200k', accuracy: 'estimated' })
  })

  test('is as exact as its parts without overhead', () => {
    const overhead = { message: 0, name: 0, conversation: 0 }
    expect(countMessages(talk, o200k, { overhead }).accuracy).toBe('exact')
    expect(countMessages(talk, approximateTokens, { overhead }).accuracy).toBe('approximate')
    expect(countMessages([], o200k).tokens).toBe(0)
  })

  test('says when a part fell back', () => {
    expect(countMessages(talk, broken)).toMatchObject({
      accuracy: 'approximate',
      method: 'length/4',
      fallback: { method: 'broken', reason: 'No table of tokens.' },
    })
  })
})

describe('recommended counters', () => {
  test('by provider, and by model where it matters', () => {
    expect(recommendedCounter('openai').name).toBe('o200k')
    expect(recommendedCounter('OpenAI', 'gpt-4o-mini').name).toBe('o200k')
    expect(recommendedCounter('openai', 'gpt-4.1').name).toBe('o200k')
    expect(recommendedCounter('openai', 'gpt-5').name).toBe('o200k')
    expect(recommendedCounter('openai', 'gpt-4-turbo').name).toBe('cl100k')
    expect(recommendedCounter('azure', 'gpt-4').name).toBe('cl100k')
    expect(recommendedCounter('openai', 'text-embedding-3-large').name).toBe('cl100k')
    expect(recommendedCounter('anthropic').method).toBe('anthropic-estimate')
    expect(recommendedCounter('google').method).toBe('gemini-estimate')
    expect(recommendedCounter('local').from).toBe('ashlar/tokenizer')
    expect(recommendedCounter('someone').accuracy).toBe('approximate')
  })

  test('name counters that exist', async () => {
    for (const { name, from, method, accuracy } of [
      ...Object.values(recommendedCounters),
      recommendedCounter('openai', 'gpt-4'),
    ]) {
      if (from === 'ashlar/tokens') {
        const counter = (await import('../../src/tokens.ts'))[name as 'o200k']
        expect([counter.id, counter.accuracy]).toEqual([method, accuracy])
      } else if (from === 'ashlar') {
        const found = [approximateTokens, anthropicTokens, geminiTokens].find(({ id }) => id === method)
        expect(found?.accuracy).toBe(accuracy)
      } else expect(Object.keys(await import('../../src/tokenizer.ts'))).toContain(name)
    }
  })
})
