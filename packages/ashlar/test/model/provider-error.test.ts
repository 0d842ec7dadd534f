import { describe, expect, test } from 'vitest'

import type { AshlarError } from '../../src/error/ashlar-error.ts'
import { generatorFrom, type ProviderLanguageModel } from '../../src/model/generator-from.ts'
import { providerError } from '../../src/model/provider-error.ts'

/** An error with the fields of those that provider packages throw for calls. */
function called({
  status,
  headers,
  body,
  cause,
}: {
  status?: number
  headers?: Record<string, string>
  body?: string
  cause?: unknown
}): Error {
  const fields = { name: 'AI_APICallError', statusCode: status, responseHeaders: headers, responseBody: body, cause }
  return Object.assign(new Error('failed'), fields)
}

const detailsOf = (error: unknown): Readonly<Record<string, unknown>> =>
  (providerError(error, 'a/b', undefined) as AshlarError).details

describe('how long to wait', () => {
  test.each<[string, Record<string, string>, string | undefined, number | undefined]>([
    ['milliseconds', { 'retry-after-ms': '250' }, undefined, 250],
    ['milliseconds before seconds', { 'retry-after-ms': '250', 'retry-after': '9' }, undefined, 250],
    ['seconds', { 'retry-after': '9' }, undefined, 9000],
    ['a part of a second', { 'retry-after': '0.5' }, undefined, 500],
    ['headers in capitals', { 'Retry-After': '2' }, undefined, 2000],
    ['a date that has passed', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, undefined, 0],
    ['nonsense', { 'retry-after': 'soon' }, undefined, undefined],
    ['nothing', {}, undefined, undefined],
    ["Google's body", {}, '{"error":{"details":[{"retryDelay": "34.5s"}]}}', 34_500],
  ])('is read from %s', (_name, headers, body, expected) => {
    expect(detailsOf(called({ status: 429, headers, ...(body !== undefined && { body }) }))['retryAfter']).toBe(expected)
  })

  test('is not said where trying again is no use', () => {
    expect(detailsOf(called({ status: 400, headers: { 'retry-after': '9' } }))).not.toHaveProperty('retryAfter')
  })
})

describe('whether to try again', () => {
  test.each<[string, unknown, boolean]>([
    ['a quota that is used up', called({ status: 429, body: '{"error":{"code":"insufficient_quota"}}' }), false],
    ['a provider that says no', called({ status: 500, headers: { 'x-should-retry': 'false' } }), false],
    ['a provider that says yes', called({ status: 400, headers: { 'x-should-retry': 'true' } }), true],
    [
      'a refused connection',
      Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) }),
      true,
    ],
    ['a reset connection', Object.assign(new Error('read'), { code: 'ECONNRESET' }), true],
    ['a name that does not resolve now', Object.assign(new Error('dns'), { code: 'EAI_AGAIN' }), true],
    ['a timeout of undici', Object.assign(new Error('headers'), { code: 'UND_ERR_HEADERS_TIMEOUT' }), true],
    ['a timeout of somebody else', new DOMException('late', 'TimeoutError'), true],
    ['a missing key', Object.assign(new Error('key missing'), { name: 'AI_LoadAPIKeyError' }), false],
    ['a model that does not exist', called({ status: 404 }), false],
    ['something thrown that is no error', 'broken', false],
  ])('%s', (_name, error, retryable) => {
    const reported = providerError(error, 'a/b', undefined) as AshlarError
    expect(reported).toMatchObject({ code: 'MODEL_FAILED', details: { model: 'a/b', retryable }, cause: error })
  })
})

describe('what could not be read', () => {
  test.each<[string, unknown]>([
    ['a body that is no JSON', called({ status: 200, cause: Object.assign(new Error('parse'), { name: 'AI_JSONParseError' }) })],
    [
      'a body of another shape',
      called({ status: 200, cause: Object.assign(new Error('type'), { name: 'AI_TypeValidationError' }) }),
    ],
    ['an empty body', Object.assign(new Error('empty'), { name: 'AI_EmptyResponseBodyError' })],
    ['what a package trips over', new TypeError("Cannot read properties of undefined (reading 'length')")],
  ])('is told as such: %s', (_name, error) => {
    expect(providerError(error, 'a/b', undefined)).toMatchObject({
      code: 'INVALID_RESPONSE',
      details: { model: 'a/b', retryable: true },
    })
  })

  test('is not what an error with an unreadable body is', () => {
    const error = called({ status: 502, cause: Object.assign(new Error('parse'), { name: 'AI_JSONParseError' }) })
    expect(providerError(error, 'a/b', undefined)).toMatchObject({
      code: 'MODEL_FAILED',
      details: { status: 502, retryable: true },
    })
  })
})

test('an abort is told with its reason, whatever the package threw', () => {
  const reason = { anything: true }
  expect(providerError(called({ status: 500 }), 'a/b', AbortSignal.abort(reason))).toBe(reason)
})

test('long messages are cut', () => {
  const { message } = providerError(new Error('x'.repeat(10_000)), 'a/b', undefined) as AshlarError
  expect(message.length).toBeLessThan(400)
})

describe('a filter that answers with an error', () => {
  const failing = (error: unknown): ProviderLanguageModel => ({
    specificationVersion: 'v4',
    provider: 'azure.chat',
    modelId: 'deployment',
    doGenerate: () => Promise.reject(error),
  })

  test.each([
    ['Azure', 400, '{"error":{"code":"content_filter","innererror":{"code":"ResponsibleAIPolicyViolation"}}}'],
    ["OpenAI's refusals in packages that cannot read them", 200, '{"output":[{"content":[{"type":"refusal","refusal":"No."}]}]}'],
    ["Google's blocked prompts in packages that cannot read them", 200, '{"promptFeedback":{"blockReason":"SAFETY"}}'],
  ])('is a refusal: %s', async (_name, status, body) => {
    expect(await generatorFrom(failing(called({ status, body }))).generate({ parts: [{ text: 'a' }] })).toMatchObject({
      text: '',
      finish: 'refused',
    })
  })
})
