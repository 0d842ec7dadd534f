import { describe, expect, test } from 'vitest'
import { isAshlarError } from '../../src/error/ashlar-error.ts'
import { readCursor, writeCursor } from '../../src/store/cursor.ts'
import { hostileTexts, unstorableTexts } from '../../src/testing/hostile-values.ts'

function refusal(cursor: unknown): string | undefined {
  try {
    readCursor(cursor as string, ['own', 'b'])
    return undefined
  } catch (error) {
    return isAshlarError(error) ? error.code : String(error)
  }
}

describe('a cursor', () => {
  test('comes back as the position that it was made of', () => {
    for (const id of hostileTexts)
      expect(readCursor(writeCursor({ id, workspace: 'own' }), ['own'])).toEqual({ id, workspace: 'own' })
  })

  test('is refused before an engine sees it, unless a page of such a store could have given it', () => {
    const bad: readonly unknown[] = [
      ...unstorableTexts.map((id) => JSON.stringify([id, 'own'])),
      JSON.stringify(['', 'own']),
      JSON.stringify(['x'.repeat(1_025), 'own']),
      JSON.stringify(['d', 'foreign']),
      JSON.stringify(['d', 'own', 1]),
      JSON.stringify([1, 'own']),
      JSON.stringify(['d', ['own']]),
      '"ab"',
      'null',
      '1',
      '',
      'd',
      null,
      1,
      {},
      Symbol.iterator,
    ]
    for (const cursor of bad) expect(refusal(cursor), String(cursor)).toBe('INVALID_OPTION')
  })
})
