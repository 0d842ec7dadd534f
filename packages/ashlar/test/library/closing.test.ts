import { expect, test } from 'vitest'
import { Closing } from '../../src/library/closing.ts'

function opened(name: string, log: string[], error?: Error): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await Promise.resolve()
      log.push(name)
      if (error !== undefined) throw error
    },
  }
}

test('what was opened last is closed first, each once', async () => {
  const log: string[] = []
  const closing = new Closing()
  closing.use(opened('store', log))
  closing.defer(() => log.push('pool'))
  expect(closing.use({ [Symbol.dispose]: () => void log.push('file') })).toBeDefined()
  await closing[Symbol.asyncDispose]()
  await closing[Symbol.asyncDispose]()
  expect(log).toEqual(['file', 'pool', 'store'])
})

test('one that fails keeps none of the others open, and is heard of', async () => {
  const log: string[] = []
  const closing = new Closing()
  closing.use(opened('first', log, new Error('later')))
  closing.use(opened('second', log, new Error('heard')))
  closing.use(opened('third', log))
  await expect(closing[Symbol.asyncDispose]()).rejects.toThrow('heard')
  expect(log).toEqual(['third', 'second', 'first'])
})

test('what was handed over is closed by the other alone', async () => {
  const log: string[] = []
  let other: Closing
  {
    await using closing = new Closing()
    closing.use(opened('store', log))
    other = closing.move()
  }
  expect(log).toEqual([])
  await other[Symbol.asyncDispose]()
  expect(log).toEqual(['store'])
})
